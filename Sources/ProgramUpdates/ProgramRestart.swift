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

    /// What a program was started again for. It is in the environment of the new program.
    private struct Note {
        /// The number of arguments that a person gave, with the program's name.
        var argumentCount: Int
        /// The version that was installed; nil if it is not known.
        var version: String?

        var text: String { "\(getpid()):\(argumentCount):\(version ?? "")" }

        init(argumentCount: Int, version: String?) { (self.argumentCount, self.version) = (argumentCount, version) }

        /// - Returns: nil for the note of another process, such as a parent.
        init?(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, Int32(parts[0]) == getpid(), let count = Int(parts[1]), count > 0 else { return nil }
            argumentCount = count
            version = parts[2].isEmpty ? nil : String(parts[2].prefix(64))
        }
    }

    /// Takes the path and the arguments of this process. Ask for it early: an update replaces the file.
    package init() {
        path = OwnExecutable.path
        let all = OwnExecutable.arguments
        let count = Self.note.map { min($0.argumentCount, all.count) } ?? all.count
        arguments = Array(all[..<count])
    }

    private static var note: Note? { getenv(variable).flatMap { Note(String(cString: $0)) } }

    /// Whether this process was started again by ``start(adding:version:)``, and for which version. It is removed from the environment,
    /// so that programs which this one starts do not find it.
    package static func takeOrigin() -> Origin? {
        note.map { Origin(version: $0.version) }
    }

    /// Why this process is the second one of its program.
    package struct Origin: Equatable, Sendable {
        /// The version that was installed; nil if it is not known.
        package var version: String?
    }

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
    package func start(adding further: [String] = [], version: String?) -> String {
        fflush(nil)
        setenv(Self.variable, Note(argumentCount: arguments.count, version: version).text, 1)
        let words = CStrings(arguments + further.filter { !$0.utf8.contains(0) }.map { Array($0.utf8) })
        let code = withExtendedLifetime(words) { cpty_replace_self(path, words.pointer, cpty_environment()) }
        return "\(path) can't be started: \(String(cString: strerror(-code)))"
    }
}
