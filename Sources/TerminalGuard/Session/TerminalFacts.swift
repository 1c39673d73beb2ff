internal import CNcurses
import TerminalShadow
import TerminalUI

/// What the environment and terminfo say about the terminal.
package struct TerminalFacts {
    package let name: String
    let depth: ColorDepth
    /// The theme for the background that `COLORFGBG` states. The terminal is not asked, because the program may ask it too.
    let theme: ColorTheme
    private let environment: [String: String]
    let alternateScreen: AlternateScreenClaim
    let dialect: TerminalDialect
    let takesOperatingSystemCommands: Bool
    /// Whether the terminal follows control sequences at all.
    package let canBeCovered: Bool

    /// What a person has chosen in place of what the terminal seems to be.
    package struct Choices {
        package var depth: ColorDepth?
        package var theme: ColorTheme?
        package var glyphs: GlyphStyle?
        package var usesHyperlinks = true

        package init() {}
    }

    package init(environment: [String: String]) {
        self.environment = environment
        name = environment["TERM"] ?? ""
        theme = TerminalBackground(environment: environment)?.theme ?? .dark
        var colors: Int32 = -1
        var hasAlternate = false
        let isKnown = cncurses_term_facts(name, &colors, &hasAlternate)
        depth = ColorDepth(environment: environment, terminfoColors: isKnown ? Int(colors) : nil)
        takesOperatingSystemCommands = TerminalKind(environment: environment).takesOperatingSystemCommands
        // The alternate screen of these families is often left out of terminfo.
        alternateScreen = AlternateScreenClaim(
            isDescribed: hasAlternate || takesOperatingSystemCommands, environment: environment)
        dialect = TerminalDialect(environment: environment)
        canBeCovered = !name.isEmpty && name != "dumb" && name != "unknown" && cncurses_knows_term(name) != 1
    }

    /// Sets what the cover may use.
    @MainActor
    func apply(to setup: inout GuardSetup, _ choices: Choices) {
        setup.isASCIIOnly = !cncurses_set_locale()
        setup.look = TerminalLook(
            depth: min(depth, choices.depth ?? depth), theme: choices.theme ?? theme,
            glyphs: choices.glyphs ?? GlyphStyle(environment: environment, isUTF8: !setup.isASCIIOnly))
        setup.alternateScreen = alternateScreen
        setup.dialect = dialect
        setup.usesHyperlinks = choices.usesHyperlinks && takesOperatingSystemCommands
        setup.copiesText = takesOperatingSystemCommands
    }
}
