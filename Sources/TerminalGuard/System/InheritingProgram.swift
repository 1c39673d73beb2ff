internal import CPty
import Dispatch
import Foundation
import TerminalIO

/// A program with the standard descriptors of this process, and no terminal of its own.
@MainActor
final class InheritingProgram {
    /// Whether the program is in this process's group, because it may use the terminal. The keys that send signals then
    /// send them to both.
    let sharesTerminal: Bool
    private let command: ProgramCommand
    private var process: pid_t = 0

    init(_ command: ProgramCommand) {
        self.command = command
        sharesTerminal = (0...2).contains { cpty_is_terminal($0) }
    }

    /// Starts the program, and calls the closure when it has ended or could not be started.
    func start(_ ended: @escaping @MainActor @Sendable (ProgramEnd) -> Void) {
        let error = spawn()
        guard error == 0 else {
            DispatchQueue.main.async { MainActor.assumeIsolated { ended(.notStarted(error)) } }
            return
        }
        let process = process
        Thread.detachNewThread {
            // The identifier stays reserved until the main actor, which may send signals, knows the end.
            var information = siginfo_t()
            while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    self.process = 0
                    ended(Self.reap(process))
                }
            }
        }
    }

    /// Sends a signal to the program, or to its group if it has one of its own.
    func send(_ number: Int32) {
        guard process > 0 else { return }
        kill(sharesTerminal ? process : -process, number)
    }

    private static func reap(_ process: pid_t) -> ProgramEnd {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            if errno != EINTR { return .exited(1) }
        }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .signaled(signal)
    }

    /// Starts the first candidate that exists. Returns the error number, 0 on success.
    private func spawn() -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        let inheritance = Inheritance.ofThisProcess
        var standard = sigset_t(), blocked = sigset_t()
        sigfillset(&standard)
        sigemptyset(&blocked)
        for number in inheritance.ignoredSignals { sigdelset(&standard, number) }
        for number in inheritance.blockedSignals { sigaddset(&blocked, number) }
        posix_spawnattr_setsigdefault(&attributes, &standard)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        if !sharesTerminal { flags |= POSIX_SPAWN_SETPGROUP }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return Self.attempt(command) { path, arguments, environment in
            posix_spawn(&process, path, nil, &attributes, arguments, environment)
        }
    }

    /// Runs the program in place of this process. Returns only on failure.
    nonisolated static func replaceThisProcess(with command: ProgramCommand) -> SystemError {
        let error = attempt(command) { path, arguments, environment in
            execve(path, arguments, environment)
            return errno
        }
        return SystemError("start \(command.name)", code: error)
    }

    private typealias Texts = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// Tries the candidates in order, as execvp(3) does. A file that is no program is run by the shell.
    private nonisolated static func attempt(
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
