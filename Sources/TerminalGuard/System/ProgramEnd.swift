import Bellerophon
internal import CPty
import Foundation
import TerminalIO

/// How a program ended.
package enum ProgramEnd: Equatable, Sendable {
    /// It exited with this code, 0 to 255.
    case exited(Int32)
    /// This signal ended it.
    case signaled(Int32)
    /// It could not be started; the value of `errno`.
    case notStarted(Int32)

    /// The exit code that tells a shell the same: 128 and the signal, 127 for a program that was not found, and 126 for one
    /// that can't be executed (POSIX, Shell Command Language, 2.8.2).
    package var exitCode: Int32 {
        switch self {
        case .exited(let code): code
        case .signaled(let number): 128 + number
        case .notStarted(ENOENT): 127
        case .notStarted: 126
        }
    }

    /// The end in words, as what is said of the program.
    package var localized: LocalizedText {
        switch self {
        case .exited(0): .phrase(\.ends.finished)
        case .exited(let code): .phrase(\.ends.exited, ["code": .foreign("\(code)")])
        case .signaled(let number): .phrase(\.ends.signaled, ["signal": .foreign("\(number)")])
        case .notStarted(let code): .phrase(\.ends.notStarted, ["reason": .foreign(String(cString: strerror(code)))])
        }
    }

    /// Why the program did not start, for standard error; nil for a program that ran.
    /// - Parameter program: the program's name as it was given.
    package func message(program: String) -> String? {
        guard case .notStarted(let code) = self else { return nil }
        guard code == ENOENT else { return SystemError("start \(program)", code: code).description }
        return program.contains("/")
            ? "can't start \(program): there is no such file, or the interpreter that its first line names is missing"
            : "can't start \(program): there is no such program on PATH"
    }

    /// Ends this process as the program ended: with the same signal or the same exit code, so that a shell and `make` see
    /// what they would see without the guard. The terminal must have been restored before.
    /// - Parameter withGroup: whether a signal goes to the other processes of this process's group, too, because a key has sent
    ///   it: without a guard the terminal sends it to all of them.
    package func endThisProcess(withGroup: Bool = false) -> Never {
        if case .signaled(let number) = self { cpty_end_by_signal(number, withGroup) }
        exit(exitCode)
    }
}
