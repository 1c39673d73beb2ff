import BellerophonBase
import Dispatch
import Foundation
import Synchronization
import TerminalIO

/// Writes lines to standard output without waiting for its reader: a pipe or a terminal that nobody reads keeps no check, no
/// hook and no signal waiting.
package final class LineWriter: Sendable {
    /// The bytes that wait at most. Further lines are left out until there is room.
    private let limit: Int
    private let descriptor: Int32
    private let worker = DispatchQueue(label: "lines")
    private let waiting = Mutex(0)
    private let failed: @MainActor @Sendable (String) -> Void

    /// - Parameter failed: called once with the reason if the output can't be written.
    package init(
        descriptor: Int32 = STDOUT_FILENO, limit: Int = 1 << 20, failed: @escaping @MainActor @Sendable (String) -> Void
    ) {
        (self.descriptor, self.limit, self.failed) = (descriptor, limit, failed)
    }

    /// Writes a text after those that wait.
    /// - Returns: whether there was room.
    package func write(_ text: String) -> Bool {
        let count = text.utf8.count
        let hasRoom = waiting.withLock { waiting in
            guard waiting == 0 || waiting + count <= limit else { return false }
            waiting += count
            return true
        }
        guard hasRoom else { return false }
        worker.async { [self] in
            let error = FileDescriptorOutput.write(text, to: descriptor)
            waiting.withLock { $0 -= count }
            if let error { DispatchQueue.main.async { MainActor.assumeIsolated { self.failed(error.reason) } } }
        }
        return true
    }

    /// Waits until everything is written, at most for the given time.
    /// - Returns: whether it was.
    package func finish(within limit: Duration) -> Bool {
        let done = Latch()
        worker.async { done.open() }
        return done.wait(atMost: limit)
    }
}
