import Foundation
internal import Processes

/// The path, arguments and environment of this process, with which its successor is started.
package struct ProgramStart: Equatable, Sendable {
    /// An absolute path. If the file was replaced in the meantime, the successor runs the newer program.
    package var path: String
    /// Without the program's name.
    package var arguments: [String]
    let variables: ProcessVariables

    /// The environment as texts.
    package var environment: [String: String] { variables.texts }

    package init(path: String, arguments: [String], environment: [String: String]) {
        self.init(path: path, arguments: arguments, variables: ProcessVariables(environment))
    }

    init(path: String, arguments: [String], variables: ProcessVariables) {
        (self.path, self.arguments, self.variables) = (path, arguments, variables)
    }

    /// The values of this process. They are correct only while the working folder is unchanged since the start.
    package static var ofThisProcess: ProgramStart {
        let variables = ProcessVariables.current
        let name = CommandLine.arguments.first ?? ""
        return ProgramStart(
            path: path(of: name, variables.texts), arguments: Array(CommandLine.arguments.dropFirst()), variables: variables)
    }

    /// The path of a program's file. The name in the command line takes precedence over the running file: a symbolic
    /// link to the newest release may have another target by now.
    private static func path(of name: String, _ environment: [String: String]) -> String {
        if name.contains("/") { return URL(fileURLWithPath: name).standardizedFileURL.path }
        for folder in (environment["PATH"] ?? "").split(separator: ":") {
            let path = URL(fileURLWithPath: String(folder)).appendingPathComponent(name).path
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        return Bundle.main.executablePath ?? name
    }
}
