import CNcurses
import CPty
import Foundation

/// Starts child processes with an empty signal mask: they would otherwise inherit the signals that Dispatch blocks.
package enum ChildProcess {
    /// How a child ended.
    package enum End: Equatable, Sendable {
        case exit(Int32)
        case signal(Int32)
        case unknown

        init(status: Int32) {
            let code = cncurses_exit_code(status), signal = cncurses_end_signal(status)
            self = status < 0 ? .unknown : code >= 0 ? .exit(code) : signal > 0 ? .signal(signal) : .unknown
        }

        /// The end in words, for display: "finished", "failed with exit code 2".
        package var description: String {
            switch self {
            case .exit(0): "finished"
            case .exit(127): "failed: the command was not found (exit code 127)"
            case .exit(let code): "failed with exit code \(code)"
            case .signal(SIGINT): "was interrupted"
            case .signal(let number): "was ended by signal \(number) (\(String(cString: strsignal(number))))"
            case .unknown: "ended in an unknown way"
            }
        }
    }

    /// Starts a program; nil on failure.
    /// - Parameter input: the standard input of a detached program; negative for none.
    static func start(_ arguments: [String], detached: Bool, input: Int32 = -1) -> pid_t? {
        let copies = arguments.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        var pointers = copies.map { UnsafePointer<CChar>($0) }
        pointers.append(nil)
        let child = cncurses_spawn(&pointers, detached, input)
        return child > 0 ? child : nil
    }

    /// Runs a shell command in the terminal, and calls the closure on the main actor when it has ended. A thread waits
    /// for it.
    @MainActor
    package static func runShell(_ command: String, then finish: @escaping @MainActor @Sendable (End) -> Void) {
        guard let child = start(["/bin/sh", "-c", command], detached: false) else { return finish(.unknown) }
        Thread.detachNewThread {
            let end = End(status: cncurses_wait(child))
            DispatchQueue.main.async { MainActor.assumeIsolated { finish(end) } }
        }
    }

    /// Runs a shell command in a session of its own, without a terminal and without output, and calls the closure on the main
    /// actor when it has ended.
    /// - Parameter input: what the command reads on standard input. A command that does not read it keeps nothing waiting.
    /// - Returns: the process, which is also its group; nil if the command can't be started, and the closure is not called.
    @MainActor
    package static func runDetachedShell(
        _ command: String, input: [UInt8], then finish: @escaping @MainActor @Sendable (End) -> Void
    ) -> pid_t? {
        var ends: [Int32] = [-1, -1]
        guard cpty_make_pipe(&ends) == 0 else { return nil }
        // The command reads as from any pipe.
        _ = fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) & ~O_NONBLOCK)
        let child = start(["/bin/sh", "-c", command], detached: true, input: ends[0])
        close(ends[0])
        guard let child else {
            close(ends[1])
            return nil
        }
        feed(input, into: ends[1])
        Thread.detachNewThread {
            let end = End(status: cncurses_wait(child))
            DispatchQueue.main.async { MainActor.assumeIsolated { finish(end) } }
        }
        return child
    }

    /// Writes the input on a thread of its own: how much a pipe takes at once depends on the machine.
    private static func feed(_ input: [UInt8], into descriptor: Int32) {
        Thread.detachNewThread {
            // A command that ends without reading must not end this process by SIGPIPE.
            cpty_block_all_signals()
            _ = FileDescriptorOutput.write(input[...], to: descriptor)
            close(descriptor)
        }
    }

    /// Sends a signal to a process of ``runDetachedShell(_:input:then:)`` that has not ended, and to all that it has started.
    package static func signal(_ number: Int32, to child: pid_t) { kill(-child, number) }
}
