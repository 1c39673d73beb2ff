internal import CNcurses
import TerminalShadow
import TerminalUI

// What the environment and terminfo say about the terminal.
extension GuardSetup {
    /// Whether a terminal of this type follows control sequences at all.
    static func canCover(terminal name: String) -> Bool {
        !name.isEmpty && name != "dumb" && name != "unknown" && cncurses_knows_term(name) != 1
    }

    /// Sets what the cover may use on the terminal. Its theme is that of the background that `COLORFGBG` states. The terminal is not
    /// asked, because the program may ask it too.
    mutating func adapt(toTerminalOf environment: [String: String]) {
        var colors: Int32 = -1
        var hasAlternate = false
        let isKnown = cncurses_term_facts(environment["TERM"] ?? "", &colors, &hasAlternate)
        let supported = ColorDepth(environment: environment, terminfoColors: isKnown ? Int(colors) : nil)
        isASCIIOnly = !cncurses_set_locale()
        look = TerminalLook(
            depth: min(supported, depth ?? supported),
            theme: theme ?? TerminalBackground(environment: environment)?.theme ?? .dark,
            glyphs: glyphs ?? GlyphStyle(environment: environment, isUTF8: !isASCIIOnly))
        copiesText = TerminalKind(environment: environment).takesOperatingSystemCommands
        usesHyperlinks = usesHyperlinks && copiesText
        // The alternate screen of the families that take such commands is often left out of terminfo.
        alternateScreen = AlternateScreenClaim(isDescribed: hasAlternate || copiesText, environment: environment)
        dialect = TerminalDialect(environment: environment)
    }
}
