import Bellerophon
import BellerophonCurses

/// How a change of the stage is signalled beside the screen.
package struct AlertSettings: Equatable, Sendable {
    package var ringsBell = true
    package var setsTitle = true
    package var notifies = true

    package init() {}
}

/// What the terminal does beside the screen when the stage changes. A pure value.
package struct TransitionAlerts: Sendable {
    private let settings: AlertSettings
    private let name: String

    /// An action of the terminal.
    package enum Action: Equatable, Sendable {
        case bell
        /// Shows a title for the terminal's window or tab.
        case title(String)
        /// Requests a notification of the desktop.
        case notification(title: String, text: String)
    }

    /// - Parameter name: the app's name.
    package init(_ settings: AlertSettings, name: String) {
        self.settings = settings
        self.name = name
    }

    /// The actions of a report. The first stage of a program that may run is no alert.
    /// - Parameter message: the message of the status.
    package func actions(for report: StatusReport, message: String?) -> [Action] {
        guard case .stageChanged(let transition) = report else { return [] }
        let title = "\(transition.to.glyph) \(name): \(transition.to.title)"
        var actions: [Action] = settings.setsTitle ? [.title(title)] : []
        guard Self.isBlocked(transition.from) || Self.isBlocked(transition.to) else { return actions }
        if settings.ringsBell { actions.append(.bell) }
        if settings.notifies {
            let text = Self.isBlocked(transition.to) ? message : nil
            actions.append(.notification(title: "\(name): \(transition.to.title)", text: text ?? ""))
        }
        return actions
    }

    private static func isBlocked(_ stage: Stage) -> Bool { stage == .killed || stage == .updateRequired }
}

extension CursesTerminal {
    func perform(_ action: TransitionAlerts.Action) {
        switch action {
        case .bell: ringBell()
        case .title(let text): setTitle(text)
        case .notification(let title, let text): notify(title: title, text: text)
        }
    }
}
