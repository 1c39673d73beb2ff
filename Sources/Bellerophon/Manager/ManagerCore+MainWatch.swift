import BellerophonBase
import StatusModel

/// What a core knows of a main queue that is not served.
struct MainWatch {
    /// Whether a look is scheduled.
    var isScheduled = false
    /// Whether the deputy of the window covers the app.
    var isCovering = false

    /// How long the main queue may leave outputs waiting.
    static let patience = Duration.milliseconds(500)
    /// The time between two updates of the view that stands still.
    static let interval = Duration.seconds(1)
}

/// Covers the app while its main queue is not served.
extension ManagerCore {
    /// Looks later whether the outputs that wait now were taken. The caller has the lock.
    func watchMain() {
        guard setup.deputy != nil, !mainWatch.isScheduled else { return }
        look(after: MainWatch.patience)
    }

    private func look(after wait: Duration) {
        mainWatch.isScheduled = true
        _ = clock.schedule(after: wait) { [weak self] in self?.lookAtMain() }
    }

    private func lookAtMain() {
        mainWatch.isScheduled = false
        // The window takes the view over when the outputs are taken.
        guard let deputy = setup.deputy, let since = outbox.waitingSince else { return mainWatch.isCovering = false }
        let waited = since.duration(to: clock.now)
        guard waited >= MainWatch.patience else { return look(after: MainWatch.patience - waited) }
        if setup.coveredStages.contains(machine.stage) {
            cover(with: deputy)
        } else {
            deputy.uncover()
            mainWatch.isCovering = false
        }
        look(after: MainWatch.interval)
    }

    private func cover(with deputy: any OverlayDeputy) {
        let content = state.content(setup, at: clock.now, date: clock.date)
        guard deputy.cover(content), !mainWatch.isCovering else { return }
        mainWatch.isCovering = true
        let time = MainWatch.patience.briefText
        add(.report(.remark("the program has not served its main queue for \(time), so a view that stands still covers it")))
    }
}
