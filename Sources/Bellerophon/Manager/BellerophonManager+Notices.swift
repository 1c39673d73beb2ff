import Foundation
import StatusModel

/// Shows the notice of the present status in the window, and decides again when its time is over.
extension BellerophonManager {
    /// Decides which notice is shown for the present status.
    func decideNotice() {
        if !hasRestoredNotices, machine.document != nil {
            hasRestoredNotices = true
            notices.restore(state.keptNotices)
        }
        let before = notices.seen
        let decision = notices.decide(noticeInput, at: clock.now)
        noticeTimer?.cancel()
        noticeTimer = decision.wait.map { wait in clock.schedule(after: wait) { [weak self] in self?.updateWindow() } }
        notice = decision.showing.map { showing in
            var notice = overlayNotice(showing.notice, date: showing.date)
            (notice.form, notice.others) = (showing.form, showing.others)
            return notice
        }
        if notices.seen != before { core.save(notices.seen) }
    }

    /// Everything that the person is told beside the stage now, the most important first, whether or not a window shows it.
    package var countingNotices: [OverlayNotice] {
        noticeInput.counting.map { overlayNotice($0, date: $0.phase == .announced ? noticeDate : nil) }
    }

    private var noticeInput: NoticeMachine.Input {
        NoticeMachine.Input(
            machine.verdict, of: machine.document, date: noticeDate, version: machine.app.version, showsOffers: config.showsOffers
        )
    }

    private func overlayNotice(_ notice: Verdict.Notice, date: Date?) -> OverlayNotice {
        var app = config.app
        app.version = machine.app.version
        return OverlayNotice(notice, app: app, date: date, timeZone: config.timeZone, languages: config.languages)
    }

    var noticeDate: Date { machine.planDate(at: clock.now) ?? clock.date }

    /// Gives the window its notice. A view that covers the app contains the notice, so the window has none meanwhile.
    func giveNotice(_ notice: OverlayNotice?) {
        guard notice != givenNotice else { return }
        // Set first, because the window may call back.
        givenNotice = notice
        config.window?.notify(notice)
    }
}
