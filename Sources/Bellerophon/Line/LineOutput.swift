import BellerophonBase
import Foundation

/// Writes lines to standard error from a program that is about to end.
///
/// Standard error may be a pipe that nobody reads any more, one that is full, a terminal that is stopped with Ctrl-S, or closed.
/// None of these ends or stops the process, or holds it for more than a second.
enum LineOutput {
    /// The longest time that a line may take.
    private static let patience = Duration.seconds(1)

    /// Writes to standard error if it is open now. A descriptor 2 that is opened later is a file of the program.
    static func standardError() -> @Sendable (String) -> Void {
        guard fcntl(STDERR_FILENO, F_GETFD) != -1 else { return { _ in } }
        return { line in write("\(line)\n", to: STDERR_FILENO) }
    }

    /// Writes on a thread of its own, which may stay blocked. What is not taken is lost.
    static func write(_ text: String, to descriptor: Int32) {
        let done = Latch()
        Thread.detachNewThread {
            blockSignals()
            PipeSignal.withoutSignal(from: descriptor) { writeAll(Array(text.utf8), to: descriptor) }
            done.open()
        }
        done.wait(atMost: patience)
    }

    /// Keeps signals from this thread: `SIGPIPE` for a pipe without a reader would end the process, and `SIGTTOU` for a terminal of
    /// another job would stop it. A signal of this thread that is pending ends with the thread.
    private static func blockSignals() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EAGAIN {
                // Another program may have made the descriptor non-blocking.
                var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                if poll(&poller, 1, 1000) < 1 { return }
            } else if count == 0 || errno != EINTR {
                return
            }
        }
    }
}
