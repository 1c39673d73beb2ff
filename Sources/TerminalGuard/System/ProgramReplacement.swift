import Foundation
import Processes
import TerminalIO

/// A program in place of this process.
package enum ProgramReplacement {
    /// Runs the program in place of this process, for a guard that runs below another guard with the same settings.
    /// - Returns: only on failure: why it could not be started.
    package static func start(_ command: ProgramCommand) -> SystemError {
        SystemError("start \(command.name)", code: attempt(command))
    }

    /// Tries the candidates in order, as execvp(3) does. A file that is no program is run by the shell.
    private static func attempt(_ command: ProgramCommand) -> Int32 {
        let environment = CStrings(command.environment.entries), arguments = CStrings(command.arguments)
        func run(_ path: CStrings, _ words: CStrings) -> Int32 {
            guard let file = path.pointer[0] else { return ENOENT }
            _ = withExtendedLifetime((path, words, environment)) { execve(file, words.pointer, environment.pointer) }
            return errno
        }
        var isDenied = false
        for candidate in command.candidates {
            var error = run(CStrings([candidate]), arguments)
            if error == ENOEXEC {
                let shell = CStrings([Array("/bin/sh".utf8), candidate] + command.arguments.dropFirst())
                error = run(shell, shell)
            }
            switch error {
            case ENOENT, ENOTDIR: continue
            case EACCES: isDenied = true
            default: return error
            }
        }
        return isDenied ? EACCES : ENOENT
    }
}
