/// Passes the commands of a window to its manager.
@MainActor
package final class ManagerResponder: OverlayResponder {
    private weak var manager: BellerophonManager?

    init(_ manager: BellerophonManager) {
        self.manager = manager
    }

    package func overlayRequestsCheck() {
        manager?.updates?.askAgain()
        manager?.check(.person)
    }

    package func overlayDidRunUpdate() { manager?.check(.updated) }

    package func overlayGoesOnWithoutUpdate() { manager?.updates?.goOn() }

    package func overlayDidResume() { manager?.resume() }
}
