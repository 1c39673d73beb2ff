import Dispatch
import Foundation

/// The main actor, as seen from any thread.
enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the caller is already on the main actor.
    ///
    /// The main thread is not a sufficient criterion: on Linux, `dispatchMain()` drains the main queue on another thread.
    static var isCurrent: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true
    }
}
