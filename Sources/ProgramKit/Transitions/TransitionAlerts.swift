import Bellerophon

/// How a change of the stage is signalled beside the screen.
package struct AlertSettings: Equatable, Sendable {
    package var ringsBell = true
    package var setsTitle = true
    package var notifies = true

    package init() {}
}

/// What the terminal does beside the screen when the stage changes. A pure value.
package struct TransitionAlerts: Sendable {
    private var settings: AlertSettings
    private let name: String

    /// Rings and notifies as a person has chosen while the program runs.
    package mutating func use(_ live: LiveSettings) {
        settings.ringsBell = live.ringsBell
        settings.notifies = live.notifies
    }

    /// An action of the terminal.
    package enum Action: Equatable, Sendable {
        case bell
        /// Shows a title for the terminal's window or tab.
        case title(String)
        /// Requests a notification of the desktop.
        case notification(title: String, text: String)
    }

    /// - Parameters:
    ///   - name: the app's or the service's name.
    ///   - isOnly: whether the program watches nothing else. If false, its title is left to
    ///     ``ServiceList/title``.
    package init(_ settings: AlertSettings, name: String, isOnly: Bool = true) {
        self.settings = settings
        self.settings.setsTitle = settings.setsTitle && isOnly
        self.name = name
    }

    /// The actions of a report. The first stage of a program that may run is no alert.
    /// - Parameter message: the message of the status.
    package func actions(for report: StatusReport, message: String?) -> [Action] {
        guard case .stageChanged(let transition) = report else { return [] }
        let title = "\(transition.to.glyph) \(name): \(transition.to.title)"
        var actions: [Action] = settings.setsTitle ? [.title(title)] : []
        guard transition.from.isBlocked || transition.to.isBlocked else { return actions }
        if settings.ringsBell { actions.append(.bell) }
        if settings.notifies {
            let text = transition.to.isBlocked ? message : nil
            actions.append(.notification(title: "\(name): \(transition.to.title)", text: text ?? ""))
        }
        return actions
    }
}
