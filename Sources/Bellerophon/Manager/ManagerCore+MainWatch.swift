import BellerophonBase
import StatusModel

/// Decides when the deputy of the window covers an app whose main queue is not served. A value without a clock.
struct MainWatch: Equatable {
    /// What a look leads to.
    enum Step: Equatable {
        /// No output waits.
        case end
        case look(after: Duration)
        case cover
    }

    /// Whether the deputy covers the app.
    var isCovering = false
    /// When the scheduled look is due; nil without one.
    private var due: MonotonicInstant?
    private var isSecondWait = false

    /// How long the main queue may leave outputs waiting.
    static let patience = Duration.milliseconds(500)
    /// The time between two updates of the view that stands still.
    static let interval = Duration.seconds(1)

    var isScheduled: Bool { due != nil }

    mutating func schedule(after wait: Duration, at now: MonotonicInstant) { due = now.advanced(by: wait) }

    /// A scheduled look.
    ///
    /// If the look itself comes late, the whole process had no time: it was stopped, or the machine is busy or was. The main queue
    /// then gets the same time again, once, because a key that was typed meanwhile would be lost on a view that stands still.
    /// - Parameter since: since when outputs wait for the main queue; nil if none does.
    mutating func evaluate(at now: MonotonicInstant, since: MonotonicInstant?) -> Step {
        let lag = due?.duration(to: now) ?? .zero
        due = nil
        guard let since else {
            (isCovering, isSecondWait) = (false, false)
            return .end
        }
        let waited = since.duration(to: now)
        if waited < Self.patience { return .look(after: Self.patience - waited) }
        if lag >= Self.patience, !isCovering, !isSecondWait {
            isSecondWait = true
            return .look(after: Self.patience)
        }
        return .cover
    }
}

/// Covers the app while its main queue is not served.
extension ManagerCore {
    /// Looks later whether the outputs that wait now were taken. The caller has the lock.
    func watchMain() {
        guard setup.deputy != nil, !mainWatch.isScheduled else { return }
        scheduleLook(after: MainWatch.patience)
    }

    private func scheduleLook(after wait: Duration) {
        mainWatch.schedule(after: wait, at: clock.now)
        _ = clock.schedule(after: wait) { [weak self] in self?.lookAtMain() }
    }

    private func lookAtMain() {
        // The window takes the view over when the outputs are taken.
        switch mainWatch.evaluate(at: clock.now, since: setup.deputy == nil ? nil : outbox.waitingSince) {
        case .end: return
        case .look(let wait): return scheduleLook(after: wait)
        case .cover: break
        }
        guard let deputy = setup.deputy else { return }
        if setup.coveredStages.contains(machine.stage) {
            cover(with: deputy)
        } else {
            deputy.uncover()
            mainWatch.isCovering = false
        }
        scheduleLook(after: MainWatch.interval)
    }

    private func cover(with deputy: any OverlayDeputy) {
        let content = state.content(setup, at: clock.now, date: clock.date)
        guard deputy.cover(content), !mainWatch.isCovering else { return }
        mainWatch.isCovering = true
        let time = MainWatch.patience.briefText
        add(.report(.remark("the program has not served its main queue for \(time), so a view that stands still covers it")))
    }
}
