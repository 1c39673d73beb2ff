import Synchronization

/// Covers the app in place of its window while the main queue is not served. Used on any thread.
///
/// The window takes over as soon as the main queue is served again.
package protocol OverlayDeputy: AnyObject, Sendable {
    /// Shows a view that stands still, or updates it.
    /// - Returns: false if it can't, for example because the window has the screen.
    func cover(_ content: OverlayContent) -> Bool
    /// Removes the view.
    func uncover()
}

/// The place of a deputy that comes and goes. Without one nothing is covered.
package final class DeputySlot: OverlayDeputy {
    private let deputy = Mutex<(any OverlayDeputy)?>(nil)

    package init() {}

    package func fill(_ deputy: (any OverlayDeputy)?) { self.deputy.withLock { $0 = deputy } }

    package func cover(_ content: OverlayContent) -> Bool { deputy.withLock { $0 }?.cover(content) ?? false }

    package func uncover() { deputy.withLock { $0 }?.uncover() }
}
