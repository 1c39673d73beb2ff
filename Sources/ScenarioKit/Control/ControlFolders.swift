import Foundation
import LocalControl
import ProgramKit

/// Where simulated servers have their sockets.
package enum ControlFolders {
    /// The folders to search and to listen in, in order of preference: `$XDG_RUNTIME_DIR/bellerophon`, which the system
    /// empties at log-out (XDG Base Directory Specification), and `run` in the state folder.
    package static func usual(_ environment: [String: String]) -> [SocketFolder] {
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? "\($0)/bellerophon" : nil }
        let state = ConfigurationFile.stateFolder(environment).appendingPathComponent("run").path
        return ([runtime].compactMap(\.self) + [state]).map { SocketFolder(path: $0) }
    }
}
