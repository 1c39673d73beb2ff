import Foundation
import ProgramUpdates
import SafeText
import TerminalIO

/// The run of a guarded program, with the session that fits the standard descriptors of this process.
@MainActor
package struct GuardRun {
    private enum Kind {
        case covered(GuardSession)
        case direct(DirectSession)
    }

    private let kind: Kind

    /// Looks at the terminal. If it can't be covered, a line on standard error says so.
    /// - Parameter setup: the parameters. What depends on the terminal is set here.
    package init(_ setup: GuardSetup, choices: TerminalFacts.Choices = .init(), environment: [String: String]) {
        let terminal = TerminalFacts(environment: environment)
        guard OuterTerminal.isTerminal(), terminal.canBeCovered else {
            if OuterTerminal.isTerminal() {
                GuardMessage.print("a terminal of type \"\(terminal.name)\" can't be covered; a kill prints a line")
            }
            kind = .direct(DirectSession(setup))
            return
        }
        var setup = setup
        terminal.apply(to: &setup, choices)
        kind = .covered(GuardSession(setup))
    }

    /// The session in a terminal; nil if there is none that can be covered.
    package var covered: GuardSession? {
        if case .covered(let session) = kind { session } else { nil }
    }

    /// Runs the program until it has ended, and the main run loop meanwhile.
    package func run() throws(SystemError) -> GuardResult {
        switch kind {
        case .covered(let session): try session.run(in: try OuterTerminal())
        case .direct(let session): session.run()
        }
    }

    /// Runs the program until it has ended. Somebody else must serve the main queue.
    package func run() async throws(SystemError) -> GuardResult {
        switch kind {
        case .covered(let session): try await session.run(in: try OuterTerminal())
        case .direct(let session): await session.run()
        }
    }
}

extension GuardResult {
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
