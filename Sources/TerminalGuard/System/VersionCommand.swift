import Bellerophon
import BellerophonBase
import Foundation
import Processes

/// A command that prints the version of a guarded program, such as `psql --version`. It comes from a profile or a flag, never from
/// a status.
package struct VersionCommand: Equatable, Sendable {
    /// The program and its arguments. A name without a slash is searched in `PATH`.
    package let arguments: [String]

    /// The most bytes of the output that are read.
    static let outputLimit = 4096
    /// The longest time for finding out the version of a program, if none is given.
    package static let usualLimit = Duration.seconds(5)

    /// - Returns: nil without a program, and for a text with a byte 0 or of more than 4096 bytes.
    package init?(_ arguments: [String]) {
        guard arguments.first?.isEmpty == false, arguments.count <= 64,
            arguments.allSatisfy({ $0.utf8.count <= 4096 && !$0.utf8.contains(0) })
        else { return nil }
        self.arguments = arguments
    }

    /// A command as a person writes it, with spaces between its words and no quotes.
    package init?(words text: String) {
        self.init(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// Why the version is not known.
    package enum Problem: Error, Equatable, Sendable {
        case notStarted(code: Int32)
        /// It has not ended within the limit, and was killed.
        case timeout(Duration)
        case failed(ChildProcess.End)
        /// Its standard output, or the first ``outputLimit`` bytes of it, has no version.
        case noVersion(isCut: Bool)
        /// It has written a version to standard error only.
        case onlyInErrors
    }

    /// Whether this guard was started by the version command of a guard above it, because that command leads to a wrapper. It then
    /// only runs the program: asking again would never end.
    package static func isAsking(_ environment: [String: String]) -> Bool {
        guard let process = environment[BoundedCommand.askerVariable].flatMap({ Int32($0) }) else { return false }
        return OwnProcess.isAncestor(process) && OwnExecutable.isRun(by: process)
    }

    /// Runs the command and takes the version from its standard output. Standard error does not count: warnings that name versions of
    /// other programs are written there.
    ///
    /// The command has a session of its own without a terminal, and nothing on standard input. It is killed at the limit, and what
    /// it has started in its process group with it, also after a reply. The thread waits.
    package func ask(limit: Duration = usualLimit) throws(Problem) -> String {
        let output = BoundedCommand(arguments, limit: limit, outputLimit: Self.outputLimit).run()
        switch output.outcome {
        case .notStarted(let error): throw .notStarted(code: error.code)
        case .ended(.exit(0)), .ended(.unknown): return try version(in: output, isCut: false)
        case .ended(let end): throw .failed(end)
        case .full: return try version(in: output, isCut: true)
        case .late: throw .timeout(limit)
        }
    }

    private func version(in output: CommandOutput, isCut: Bool) throws(Problem) -> String {
        if let version = ProgramVersion.first(in: output.text) { return version }
        throw ProgramVersion.first(in: output.errorText) == nil ? .noVersion(isCut: isCut) : .onlyInErrors
    }
}

extension VersionCommand.Problem {
    /// The end of a sentence that begins with the command.
    package var text: String {
        switch self {
        case .notStarted(let code): "can't be started: \(String(cString: strerror(code)))"
        case .timeout(let limit): "did not end within \(limit.briefText)"
        case .failed(let end): end.description
        case .noVersion(isCut: false): "printed no version"
        case .noVersion(isCut: true): "printed no version in its first \(VersionCommand.outputLimit) bytes"
        case .onlyInErrors:
            "printed a version on standard error only, which does not count; in a profile, sh -c 'COMMAND 2>&1' makes it count"
        }
    }
}
