import Foundation
import StatusModel

/// Shows the notice of the present status in the window, and decides again when its time is over.
@MainActor
final class NoticePresenter {
    /// Called when the window must be updated.
    var onTick: @MainActor () -> Void = {}
    /// Called with everything that the person has seen and dismissed, whenever that changes.
    var onSeen: @MainActor ([SeenNotice]) -> Void = { _ in }
    /// The notice for the present status; nil for none.
    private(set) var shown: OverlayNotice?

    private let config: BellerophonConfig
    private let clock: any ManagerClock
    private var machine = NoticeMachine()
    private var hasRestored = false
    /// The notice that the window has.
    private var given: OverlayNotice?
    private var timer: ScheduledCall?

    init(config: BellerophonConfig, clock: any ManagerClock) {
        self.config = config
        self.clock = clock
    }

    /// Decides which notice is shown for a state.
    func decide(_ state: ManagerState) {
        if !hasRestored, state.machine.document != nil {
            hasRestored = true
            machine.restore(state.keptNotices)
        }
        let before = machine.seen
        let decision = machine.decide(input(state), at: clock.now)
        timer?.cancel()
        timer = decision.wait.map { wait in clock.schedule(after: wait) { [weak self] in self?.onTick() } }
        shown = decision.showing.map { showing in
            var notice = notice(showing.notice, state, date: showing.date)
            (notice.form, notice.others) = (showing.form, showing.others)
            return notice
        }
        if machine.seen != before { onSeen(machine.seen) }
    }

    /// Gives the window its notice. A view that covers the app contains the notice, so the window has none meanwhile.
    /// - Parameter cover: shows, updates or removes the view.
    func show(isCovered: Bool, cover: () -> Void) {
        if isCovered { give(nil) }
        cover()
        if !isCovered { give(shown) }
    }

    /// Dismisses the notice that is shown.
    func dismiss(_ state: ManagerState) {
        if machine.dismiss(date: date(state), at: clock.now) { onSeen(machine.seen) }
    }

    /// Everything that holds or is announced and counts for the person, whether or not it is shown now.
    func counting(_ state: ManagerState) -> [OverlayNotice] {
        input(state).counting.map { notice($0, state, date: $0.phase == .announced ? date(state) : nil) }
    }

    private func input(_ state: ManagerState) -> NoticeMachine.Input {
        NoticeMachine.Input(
            state.machine.verdict, of: state.machine.document, date: date(state), version: state.machine.app.version,
            showsOffers: config.showsOffers)
    }

    private func notice(_ notice: Verdict.Notice, _ state: ManagerState, date: Date?) -> OverlayNotice {
        var app = config.app
        app.version = state.machine.app.version
        return OverlayNotice(notice, app: app, date: date, timeZone: config.timeZone, languages: config.languages)
    }

    private func date(_ state: ManagerState) -> Date { state.machine.planDate(at: clock.now) ?? clock.date }

    private func give(_ notice: OverlayNotice?) {
        guard notice != given else { return }
        // Set first, because the window may call back.
        given = notice
        config.window?.notify(notice)
    }
}
