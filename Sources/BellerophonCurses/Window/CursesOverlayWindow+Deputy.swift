package import Bellerophon
import Synchronization

extension CursesOverlayWindow {
    /// Covers the app while its main queue is not served.
    package var deputy: any OverlayDeputy { deputySlot }

    package func mainQueueReturns() { session?.mainQueueReturns() }

    package func mainQueueReturned() { session?.mainQueueReturned(isCovered: isPresented) }
}

/// The deputy of a window, whose host may open its screen later.
final class DeputySlot: OverlayDeputy {
    private let deputy = Mutex<StaticCover?>(nil)

    func fill(_ deputy: StaticCover?) { self.deputy.withLock { $0 = deputy } }

    func cover(_ content: OverlayContent) -> Bool { deputy.withLock { $0 }?.cover(content) ?? false }

    func uncover() { deputy.withLock { $0 }?.uncover() }
}
