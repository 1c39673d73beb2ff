import Bellerophon
import Foundation

extension SystemUpdateInspector {
    /// Asks about a program.
    /// - Parameter path: the path that it is started by.
    package static func of(path: String, _ options: UpdateOptions, _ environment: [String: String]) -> SystemUpdateInspector {
        SystemUpdateInspector(UpdateSource(Installation(source: "file", path: path, file: path), options, privilege: .none))
    }

    /// Asks about an app that is watched from elsewhere. Only what the options state is known of it.
    package static func ofWatched(_ options: UpdateOptions) -> SystemUpdateInspector {
        let installation = Installation(source: options.source ?? "unknown", package: options.package, path: "", file: "")
        return SystemUpdateInspector(UpdateSource(installation, options, privilege: .none))
    }
}
