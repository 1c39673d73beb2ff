import Foundation
import Synchronization

/// A child process of this process.
///
/// A signal never reaches another process: the number of a child belongs to it until it was reaped, and from then on nothing
/// is sent.
package final class ChildProcess: Sendable {
    /// The process identifier.
    package let number: pid_t
    /// The connection to a child that was started with ``ChildStart/endsWithThisProcess``: its end here ends the child, and the end of
    /// the child ends it. Negative for another child.
    let life: Int32
    /// How the process ended; nil until it was reaped.
    private let end = Mutex<End?>(nil)

    /// Starts a process. The end of the object ends it only with ``ChildStart/endsWithThisProcess``.
    package init(_ start: ChildStart) throws(StartError) {
        (number, life) = try start.start()
    }

    deinit {
        if life >= 0 { close(life) }
    }

    /// Sends a signal to the process group that the child leads.
    package func signalGroup(_ signal: Int32) {
        end.withLock { if $0 == nil { kill(-number, signal) } }
    }

    /// Whether the process has ended. It keeps its number until it is reaped.
    package var hasEnded: Bool { hasEnded(WNOHANG) }

    /// Waits until the process has ended, and keeps its number for it.
    package func waitForExit() { _ = hasEnded(0) }

    private func hasEnded(_ option: Int32) -> Bool {
        guard end.withLock({ $0 == nil }) else { return true }
        var facts = siginfo_t()
        var result: Int32
        repeat { result = waitid(P_PID, id_t(number), &facts, WEXITED | WNOWAIT | option) } while result < 0 && errno == EINTR
        // Without a change of state the number of the signal is 0.
        return result < 0 || facts.si_signo == SIGCHLD
    }

    /// Waits until the process has ended, and reaps it.
    @discardableResult
    package func reap() -> End {
        waitForExit()
        return end.withLock { end in
            if let end { return end }
            var status: Int32 = 0, result: pid_t = 0
            repeat { result = waitpid(number, &status, 0) } while result < 0 && errno == EINTR
            let found = result < 0 ? End.unknown : End(status: status)
            end = found
            return found
        }
    }

    /// Kills the process unless it has ended by itself, and reaps it.
    @discardableResult
    package func killAndReap() -> End {
        end.withLock { if $0 == nil { kill(number, SIGKILL) } }
        return reap()
    }

    /// Reaps the process on a thread of its own, and then calls the closure on the main actor.
    package func reap(then finish: @escaping @MainActor @Sendable (End) -> Void) {
        Thread.detachNewThread { [self] in
            let end = reap()
            DispatchQueue.main.async { MainActor.assumeIsolated { finish(end) } }
        }
    }
}

extension ChildProcess {
    /// How a child ended.
    package enum End: Equatable, Sendable {
        case exit(Int32)
        case signal(Int32)
        case unknown

        /// - Parameter status: what `waitpid` returned of a process that has ended.
        init(status: Int32) {
            let signal = status & 0x7f
            self = signal == 0 ? .exit(status >> 8 & 0xff) : .signal(signal)
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
}
