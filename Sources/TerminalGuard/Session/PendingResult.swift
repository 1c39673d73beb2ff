import Dispatch
import Foundation

/// The result of a guard that is waited for once: by running the main run loop, or by a task.
@MainActor
final class PendingResult {
    private var result: GuardEnd?
    private var continuation: CheckedContinuation<GuardEnd, Never>?

    /// Sets the result, if there is none yet.
    func set(_ new: GuardEnd) {
        guard result == nil else { return }
        result = new
        continuation?.resume(returning: new)
        continuation = nil
        // Wakes the run loop.
        DispatchQueue.main.async {}
    }

    /// Runs the main run loop until there is a result.
    func wait() -> GuardEnd {
        while true {
            if let result { return result }
            _ = RunLoop.main.run(mode: .default, before: .distantFuture)
        }
    }

    /// Waits for the result while others serve the main queue.
    func value() async -> GuardEnd {
        if let result { return result }
        return await withCheckedContinuation { continuation = $0 }
    }
}
