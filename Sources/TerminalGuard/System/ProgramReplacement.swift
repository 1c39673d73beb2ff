import Foundation
import Processes
import TerminalIO

/// A program in place of this process.
enum ProgramReplacement {
    private typealias Texts = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// Runs the program in place of this process. Returns only on failure.
    static func start(_ command: ProgramCommand) -> SystemError {
        let error = attempt(command) { path, arguments, environment in
            execve(path, arguments, environment)
            return errno
        }
        return SystemError("start \(command.name)", code: error)
    }

    /// Tries the candidates in order, as execvp(3) does. A file that is no program is run by the shell.
    private static func attempt(
        _ command: ProgramCommand, _ start: (UnsafeMutablePointer<CChar>, Texts, Texts) -> Int32
    ) -> Int32 {
        let environment = CStrings(command.environment), arguments = CStrings(command.arguments)
        var isDenied = false
        for candidate in command.candidates {
            let path = CStrings([candidate])
            guard let file = path.pointer[0] else { continue }
            var error = start(file, arguments.pointer, environment.pointer)
            if error == ENOEXEC {
                let shell = CStrings([Array("/bin/sh".utf8), candidate] + command.arguments.dropFirst())
                guard let name = shell.pointer[0] else { return error }
                error = start(name, shell.pointer, environment.pointer)
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
