import ArgumentParser
import Bellerophon
import ProgramKit
import TerminalUI

/// The flag for the language of views and messages.
struct LanguageOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The language of views and messages, such as de or pt-BR; several with commas.",
            discussion:
                "Default: display.language of the configuration, else LANGUAGE or the locale. Without words in any of them, views are in English.",
            valueName: "tag"),
        completion: .list(OverlayPhrases.all.map(\.tag)))
    var lang: String?

    func apply(to configuration: inout ProgramKit.Configuration) throws {
        if let lang { try configuration.apply(flag: "display.language", text: lang) }
    }
}

/// The flags for language, colours and characters.
struct LookOptions: ParsableArguments {
    @OptionGroup var language: LanguageOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How many colours: auto, never, 8, 16, 256 or truecolor.",
            discussion: "Default: auto, which asks the terminal and honours NO_COLOR.", valueName: "choice"),
        completion: .list(ColorChoice.allCases.map(\.rawValue)))
    var color: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The theme: auto, dark, light, high-contrast, mono, or your own from the configuration.",
            discussion: "Default: auto, dark or light after the terminal's background.", valueName: "name"),
        completion: .list(["auto"] + ColorTheme.named.map(\.name)))
    var theme: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The characters of lines and drawings: auto, unicode or ascii.",
            discussion: "Default: auto, ascii on the console of Linux and in a locale without UTF-8.", valueName: "choice"),
        completion: .list(GlyphChoice.allCases.map(\.rawValue)))
    var glyphs: String?

    func apply(to configuration: inout ProgramKit.Configuration) throws {
        try language.apply(to: &configuration)
        if let color { try configuration.apply(flag: "display.color", text: color) }
        if let theme { try configuration.apply(flag: "display.theme", text: theme) }
        if let glyphs { try configuration.apply(flag: "display.glyphs", text: glyphs) }
    }
}

/// The flags of the full-screen commands.
struct DisplayOptions: ParsableArguments {
    @OptionGroup var look: LookOptions

    @Flag(name: .long, help: "Print lines in place of a screen, as for a screen reader; no control sequences.")
    var plain = false

    @Flag(name: .long, help: "Leave clicks and the wheel to the terminal, for selecting text.")
    var noMouse = false

    func apply(to configuration: inout ProgramKit.Configuration) throws {
        try look.apply(to: &configuration)
        if plain { configuration.display.isPlain = true }
        if noMouse { configuration.display.usesMouse = false }
    }
}
