import Foundation
import ProgramUpdates
import SafeText
import TerminalIO

/// The run of a guarded program, in the terminal of this process if that can be covered.
@MainActor
package struct GuardRun {
    package let session: GuardSession
    private let hasTerminal: Bool

    /// Looks at the terminal. If it can't be covered, a line on standard error says so.
    /// - Parameter setup: the parameters. What depends on the terminal is set here.
    package init(_ setup: GuardSetup, choices: TerminalFacts.Choices = .init(), environment: [String: String]) {
        let terminal = TerminalFacts(environment: environment)
        hasTerminal = OuterTerminal.isTerminal() && terminal.canBeCovered
        var setup = setup
        if hasTerminal {
            terminal.apply(to: &setup, choices)
        } else if OuterTerminal.isTerminal() {
            GuardMessage.print("a terminal of type \"\(terminal.name)\" can't be covered; a kill prints a line")
        }
        session = GuardSession(setup, hasTerminal: hasTerminal)
    }

    /// Runs the program until it has ended, and the main run loop meanwhile.
    package func run() throws(SystemError) -> GuardEnd { try session.run(in: hasTerminal ? try OuterTerminal() : nil) }

    /// Runs the program until it has ended. Somebody else must serve the main queue.
    package func run() async throws(SystemError) -> GuardEnd {
        try await session.run(in: hasTerminal ? try OuterTerminal() : nil)
    }
}

extension GuardEnd {
    /// Ends this process as the program ended.
    /// - Parameters:
    ///   - program: the program's name as it was given.
    ///   - exitCode: the exit status if the status has refused or ended the program.
    ///   - restart: how the guard starts again.
    package func endThisProcess(program: String, exitCode: UInt8, restart: ProgramRestart) -> Never {
        switch self {
        case .program(let end):
            if let message = end.message(program: program) { GuardMessage.print(message) }
            end.endThisProcess()
        case .key(let number): ProgramEnd.signaled(number).endThisProcess(withGroup: true)
        case .refused(let message):
            GuardMessage.print(message)
            exit(Int32(exitCode))
        case .restart(let version):
            GuardMessage.print(restart.start(version: version))
            exit(Int32(exitCode))
        case .signal(let number): ProgramEnd.signaled(number).endThisProcess()
        }
    }
}

/// Lines of a guard on standard error.
enum GuardMessage {
    static func print(_ text: String) {
        FileDescriptorOutput.write(
            TextSanitizer.printable("bellerophon: \(text)") + "\n", to: STDERR_FILENO, patience: FileDescriptorOutput.lastPatience
        )
    }
}
