import Dispatch
import Foundation

/// Runs work on the main actor from any thread.
enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the caller is already on the main actor.
    ///
    /// The main thread is not a sufficient criterion: on Linux, `dispatchMain()` drains the main queue on another thread.
    private static var isCurrent: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true
    }

    /// Runs the work immediately if the caller is on the main actor, otherwise asynchronously on the main queue.
    static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
        if isCurrent {
            MainActor.assumeIsolated(body)
        } else {
            DispatchQueue.main.async { MainActor.assumeIsolated(body) }
        }
    }
}
