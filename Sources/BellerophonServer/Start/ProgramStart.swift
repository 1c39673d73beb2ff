internal import Processes

/// The path, arguments and environment of this process, with which its successor is started.
package struct ProgramStart: Sendable {
    /// If the file was replaced in the meantime, the successor runs the newer program.
    package let path: String
    /// Without the program's name.
    let arguments: [String]
    let variables: ProcessVariables

    /// The environment as texts.
    package var environment: [String: String] { variables.texts }

    /// The values of this process. They are correct only while the working folder is unchanged since the start.
    package static var ofThisProcess: ProgramStart {
        let arguments = OwnExecutable.arguments.dropFirst().map { String(decoding: $0, as: UTF8.self) }
        return ProgramStart(path: OwnExecutable.path(), arguments: arguments, variables: .current)
    }
}

extension ProgramStart {
    init(path: String, arguments: [String], environment: [String: String]) {
        self.init(path: path, arguments: arguments, variables: ProcessVariables(environment))
    }
}
