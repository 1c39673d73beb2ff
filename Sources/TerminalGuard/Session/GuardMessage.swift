import Bellerophon
import Foundation
import ProgramUpdates
import SafeText
import TerminalIO

extension GuardEnd {
    /// Ends this process as the program ended.
    /// - Parameters:
    ///   - program: the program's name as it was given.
    ///   - exitCode: the exit status if the status has refused or ended the program.
    ///   - restart: how the guard starts again.
    ///   - phrases: the words for why it can't.
    package func endThisProcess(
        program: String, exitCode: UInt8, restart: ProgramRestart, phrases: OverlayPhrases
    ) -> Never {
        switch self {
        case .program(let end):
            if let message = end.message(program: program) { GuardMessage.print(message) }
            end.endThisProcess()
        case .key(let number): ProgramEnd.signaled(number).endThisProcess(withGroup: true)
        case .refused(let message):
            GuardMessage.print(message)
            exit(Int32(exitCode))
        case .restart(let version):
            GuardMessage.print(restart.start(version: version).text(phrases))
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
