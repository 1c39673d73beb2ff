import Foundation
import Synchronization

/// Ends this process on any thread.
enum ProcessEnd {
    /// The longest time for the last save and for `exit`. A thread that never returns a lock of stdio may hold `exit` forever.
    private static let patience: TimeInterval = 1
    private static let isEnding = Atomic(false)

    /// Ends the process as `exit` does: the output of stdio is written, and handlers of `atexit` are called. After a second it
    /// ends without them.
    /// - Parameter save: called before.
    static func end(with status: Int32, after save: @Sendable () -> Void) -> Never {
        // Two calls of `exit` at the same time are undefined.
        while isEnding.exchange(true, ordering: .sequentiallyConsistent) { Thread.sleep(forTimeInterval: 3600) }
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: patience)
            _exit(status)
        }
        save()
        exit(status)
    }
}
