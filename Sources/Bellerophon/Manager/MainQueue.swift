import Dispatch
import Foundation

/// The way onto the main actor from any thread.
enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the caller is on the main actor already.
    ///
    /// The main thread alone does not tell: a program that runs `dispatchMain()` on Linux drains the main queue
    /// on another one.
    private static var isCurrent: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true
    }

    /// Runs at once on the main actor, at the main queue's next turn from anywhere else.
    static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
        if isCurrent {
            MainActor.assumeIsolated(body)
        } else {
            DispatchQueue.main.async { MainActor.assumeIsolated(body) }
        }
    }
}
