internal import CPty
import TerminalIO

/// Delivers signals to a loop around poll(2), as numbers that are read from a descriptor.
///
/// A process has at most one at a time. It is made, used and closed by one thread, which no longer blocks the signals
/// meanwhile. A signal that this process inherited as ignored stays ignored, except for SIGCHLD, SIGCONT and SIGWINCH.
package final class SignalPipe {
    /// The descriptor for poll(2); -1 after `close`.
    package private(set) var descriptor: Int32

    /// - Throws: `EBUSY` if there is another one.
    package init(_ numbers: [Int32]) throws(SystemError) {
        let result = numbers.withUnsafeBufferPointer { cpty_watch_signals($0.baseAddress, Int32(clamping: $0.count)) }
        descriptor = try SystemError.check("watch signals", result)
    }

    deinit {
        close()
    }

    /// The signals that have arrived. One that arrived several times since the last call is in the list once.
    package func read() -> [Int32] {
        guard descriptor >= 0 else { return [] }
        var count = 0
        let numbers = [UInt8](unsafeUninitializedCapacity: 128) { buffer, used in
            count = cpty_read_signals(descriptor, buffer.baseAddress, buffer.count)
            used = max(0, count)
        }
        return numbers.map { Int32($0) }
    }

    /// Restores the former actions of the signals and the thread's former signal mask.
    package func close() {
        guard descriptor >= 0 else { return }
        cpty_unwatch_signals()
        descriptor = -1
    }
}
