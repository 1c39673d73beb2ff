#if Server
import Foundation

/// How this program was started: what its successor is started with.
package struct ProgramStart: Equatable, Sendable {
    /// An absolute path. A file that was replaced since is the newer program.
    package var path: String
    /// Without the program's name.
    package var arguments: [String]
    package var environment: [String: String]

    package init(path: String, arguments: [String], environment: [String: String]) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
    }

    /// This process's own, as long as its working folder is the one that it was started in.
    package static var ofThisProcess: ProgramStart {
        let environment = ProcessInfo.processInfo.environment
        let name = CommandLine.arguments.first ?? ""
        return ProgramStart(
            path: path(of: name, environment), arguments: Array(CommandLine.arguments.dropFirst()), environment: environment)
    }

    /// Where the file of a program is. The name that it was called by goes before the file that runs: a link to the newest
    /// release has another target by now.
    private static func path(of name: String, _ environment: [String: String]) -> String {
        if name.contains("/") { return URL(fileURLWithPath: name).standardizedFileURL.path }
        for folder in (environment["PATH"] ?? "").split(separator: ":") {
            let path = URL(fileURLWithPath: String(folder)).appendingPathComponent(name).path
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        return Bundle.main.executablePath ?? name
    }
}
#endif
