import Bellerophon
import TerminalUI

/// How the program looks and what it takes from the terminal.
package struct DisplaySettings: Equatable, Sendable {
    /// The languages that the person reads; nil for those of the environment.
    package var language: LanguagePreference?
    package var color = ColorChoice.auto
    /// The name of the theme; `auto` takes the one for the terminal's background.
    package var themeName = Self.automaticTheme
    /// The person's own themes.
    package var ownThemes: [ColorTheme] = []
    package var glyphs = GlyphChoice.auto
    package var motion = MotionChoice.full
    package var titles = TitleChoice.auto
    /// Whether notices offer newer versions.
    package var showsOffers = true
    /// Whether changes are lines in place of a screen.
    package var isPlain = false
    /// The keys of the dashboard's commands.
    package var keys = KeySettings()
    package var usesMouse = true
    package var usesHyperlinks = true

    /// The theme's name for the one that fits the terminal's background.
    static let automaticTheme = "auto"

    package init() {}
}

/// Whether the screen moves between two changes.
package enum MotionChoice: String, CaseIterable, Sendable {
    /// Bars, countdowns and ages.
    case full
    /// Times of day in place of bars and countdowns.
    case reduced
}

/// How the views draw their titles.
package enum TitleChoice: String, CaseIterable, Sendable {
    /// In large letters where there is room.
    case auto
    /// As text on one line.
    case plain
}

/// The characters of lines, marks and drawings.
package enum GlyphChoice: String, CaseIterable, Sendable {
    /// ASCII on the console of Linux and in a locale without UTF-8, Unicode elsewhere.
    case auto
    case unicode
    case ascii

    /// The style; nil for the one that fits the terminal.
    package var style: GlyphStyle? { GlyphStyle(rawValue: rawValue) }
}

/// How many colours to use.
package enum ColorChoice: String, CaseIterable, Sendable {
    /// As many as the terminal supports; none with `NO_COLOR` set (no-color.org).
    case auto
    case never
    case ansi8 = "8"
    case ansi16 = "16"
    case ansi256 = "256"
    case truecolor
}

extension ColorChoice {
    /// The maximum number of colours; nil detects it from the terminal.
    package var depth: ColorDepth? {
        switch self {
        case .auto: nil
        case .never: .mono
        case .ansi8: .eight
        case .ansi16: .sixteen
        case .ansi256: .indexed
        case .truecolor: .direct
        }
    }
}
