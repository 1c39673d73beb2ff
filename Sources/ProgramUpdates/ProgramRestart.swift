import Bellerophon
internal import CPty
import Foundation
internal import Processes

/// How this process starts again as the program that is installed now: by execve(2), with the same path and the same arguments. The
/// process identifier, the terminal and the place in the shell's job control stay.
package struct ProgramRestart: Sendable {
    /// The path that the program was started by.
    package let path: String
    private let arguments: [[UInt8]]

    /// The variable in which the program finds how many arguments it was started with by a person, and by what it was started again.
    /// A program that this process starts must not get it.
    package static let variable = "BELLEROPHON_RESTART"

    /// Why this process is the second one of its program. It is in the environment: `PID:COUNT:VERSION`.
    package struct Origin: Equatable, Sendable {
        /// The number of arguments that a person gave, with the program's name.
        fileprivate var argumentCount: Int
        /// The version that was installed; nil if it is not known.
        package var version: String?

        /// - Returns: nil for the variable of another process, such as a parent.
        fileprivate init?(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, Int32(parts[0]) == getpid(), let count = Int(parts[1]), count > 0 else { return nil }
            argumentCount = count
            version = parts[2].isEmpty ? nil : String(parts[2].prefix(64))
        }
    }

    /// Takes the path and the arguments of this process. Ask for it early: an update replaces the file.
    package init() {
        path = OwnExecutable.path()
        let all = OwnExecutable.arguments
        let count = Self.origin.map { min($0.argumentCount, all.count) } ?? all.count
        arguments = Array(all[..<count])
    }

    /// Whether this process was started again by ``start(adding:version:)``, and for which version.
    package static var origin: Origin? { getenv(variable).flatMap { Origin(String(cString: $0)) } }

    /// Why the program can't be started again; nil if nothing is known that prevents it.
    package var problem: LocalizedText? {
        guard access(path, X_OK) != 0 else { return nil }
        switch errno {
        case ENOENT: return .phrase(\.answers.noFile, ["path": .foreign(path)])
        case EACCES: return .phrase(\.answers.noPermission, ["path": .foreign(path)])
        case let code: return .foreign("\(path): \(String(cString: strerror(code)))")
        }
    }

    /// Starts the program in place of this process. The terminal must have the state in which a shell leaves it to a program.
    /// - Parameters:
    ///   - further: arguments after those that the person gave.
    ///   - version: the version that is installed now; nil if it is not known.
    /// - Returns: only on failure: why.
    package func start(adding further: [String] = [], version: String?) -> LocalizedText {
        fflush(nil)
        setenv(Self.variable, "\(getpid()):\(arguments.count):\(version ?? "")", 1)
        let words = CStrings(arguments + further.filter { !$0.utf8.contains(0) }.map { Array($0.utf8) })
        let code = withExtendedLifetime(words) { cpty_replace_self(path, words.pointer, cpty_environment()) }
        return .phrase(\.answers.cannotStart, ["path": .foreign(path), "reason": .foreign(String(cString: strerror(-code)))])
    }
}
