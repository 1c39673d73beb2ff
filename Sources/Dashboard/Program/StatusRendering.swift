import Bellerophon
import BellerophonCurses
import Foundation
import TerminalUI

/// Renders what a user would see for a status document that has just arrived.
package struct StatusRendering: Sendable {
    private let document: StatusDocument
    private let app: AppInfo
    private let facts: AppFacts?
    private let languages: LanguagePreference
    private let date: Date
    private let timeZone: TimeZone

    /// - Parameters:
    ///   - facts: what rules may ask about the app; nil for what it says of itself and what this machine adds.
    ///   - languages: the languages of the view and the message; English and the default message without one.
    package init(
        document: StatusDocument, app: AppInfo, facts: AppFacts? = nil, languages: LanguagePreference = LanguagePreference([]),
        date: Date, timeZone: TimeZone
    ) {
        self.document = document
        self.app = app
        self.facts = facts
        self.languages = languages
        self.date = date
        self.timeZone = timeZone
    }

    /// The view that covers the app, or the dashboard if none does.
    /// - Parameter glyphs: the characters that the frame will be drawn with.
    @MainActor
    package func frame(
        _ size: Size, page: OverlayPresentation.Page = .status, glyphs: GlyphStyle = .unicode
    ) -> Frame {
        let manager = makeManager()
        let screen = ScreenModel(size: size, date: date, timeZone: timeZone)
        var model = DashboardModel(app: app, source: "status", screen: screen)
        manager.onReport = { report in _ = model.handle(.report(report)) }
        manager.updateDisplay(document)
        _ = model.handle(.status(manager.machine))
        guard let event = manager.display else { return model.frame(size: size) }
        var content = manager.overlayContent()
        content.presentation.page = page
        content.presentation.glyphs = glyphs
        var frame = Frame(size)
        event.view.draw(content, in: &frame)
        return frame
    }

    /// The text of the view that covers the app, in reading order, or a line that says that none does.
    @MainActor
    package func linearText(page: OverlayPresentation.Page = .status) -> [String] {
        let manager = makeManager()
        manager.updateDisplay(document)
        guard let event = manager.display else {
            return [OverlayPhrases(languages).lines.live.with(["name": app.name])]
        }
        var content = manager.overlayContent()
        content.presentation.page = page
        return LinearText(content, keys: event.view.keyMap).lines
    }

    /// A manager whose clock stands still, so that the same document gives the same frame.
    @MainActor
    private func makeManager() -> BellerophonManager {
        var config = BellerophonConfig(
            window: nil, killSwitchView: KillSwitchView(), forceUpdateView: ForceUpdateView(), source: NoSource())
        config.app = app
        config.appFacts = facts
        config.timeZone = timeZone
        config.languages = languages
        // The same document always gives the same frame.
        config.policy.jitter = 0
        return BellerophonManager(config: config, clock: ManualClock(date: date), generator: SystemRandomNumberGenerator())
    }

    /// Never used: the document is given.
    private struct NoSource: StatusSource {
        let name = "status"
        // A name for examples (RFC 2606), which is the same in every language.
        let host = "status.example"

        func fetchStatus(_ completion: @escaping @Sendable (Result<StatusReply, StatusError>) -> Void) -> StatusCheck {
            completion(.failure(StatusError(.noStatus)))
            return StatusCheck {}
        }
    }
}
