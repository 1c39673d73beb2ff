import TerminalUI

/// The settings that a person can change while the program runs. They are not saved.
package struct LiveSettings: Equatable, Sendable {
    /// Whether the screen stands still between two changes.
    package var reducesMotion = false
    package var glyphs = GlyphStyle.unicode
    package var ringsBell = true
    package var notifies = true

    package init() {}

    /// Another value of a setting.
    package struct Choice: Equatable, Sendable {
        /// `motion: reduced`
        package let title: String
        package let detail: String
        package let settings: LiveSettings
        /// The setting of the configuration that keeps the value.
        package let setting: String
    }

    /// The values that the settings do not have now.
    package var choices: [Choice] {
        [
            choice("motion", "display.motion", reducesMotion ? "full" : "reduced", "bars and countdowns, or times of day") {
                $0.reducesMotion.toggle()
            },
            choice("glyphs", "display.glyphs", glyphs == .ascii ? "unicode" : "ascii", "the characters of lines and drawings") {
                $0.glyphs = $0.glyphs == .ascii ? .unicode : .ascii
            },
            choice("bell", "alerts.bell", ringsBell ? "off" : "on", "when the service is paused or released") {
                $0.ringsBell.toggle()
            },
            choice("notification", "alerts.notification", notifies ? "off" : "on", "when the service is paused or released") {
                $0.notifies.toggle()
            },
        ]
    }

    private func choice(
        _ name: String, _ setting: String, _ value: String, _ detail: String, _ change: (inout LiveSettings) -> Void
    ) -> Choice {
        var settings = self
        change(&settings)
        return Choice(title: "\(name): \(value)", detail: detail, settings: settings, setting: setting)
    }
}
