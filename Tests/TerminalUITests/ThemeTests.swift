import Foundation
import Testing

@testable import TerminalUI

@Suite struct ThemeTests {
    // MARK: Contrast

    /// The background that a theme is made for: its own, or the darkest and the lightest usual ones of terminals.
    private static let backgrounds: [String: [RGB]] = [
        "dark": [RGB(0, 0, 0), RGB(30, 30, 30)],
        "light": [RGB(255, 255, 255), RGB(238, 238, 238)],
        "high-contrast": [RGB(0, 0, 0)],
    ]

    /// The default colours of xterm, 0…15.
    private static let sixteen =
        [
            RGB(0, 0, 0), RGB(205, 0, 0), RGB(0, 205, 0), RGB(205, 205, 0),
            RGB(0, 0, 238), RGB(205, 0, 205), RGB(0, 205, 205), RGB(229, 229, 229),
        ] + RGB.bright

    /// What a terminal with this depth shows for a colour; nil for its own foreground.
    private static func shown(_ color: Color, _ depth: ColorDepth) -> RGB? {
        guard let number = depth.number(of: color) else { return nil }
        let levels = [0, 95, 135, 175, 215, 255].map(UInt8.init)
        switch number {
        case _ where depth == .direct && number >= 8:
            return RGB(UInt8(number >> 16), UInt8(number >> 8 & 255), UInt8(number & 255))
        case ..<16: return sixteen[number]
        case 232...:
            let level = UInt8(8 + (number - 232) * 10)
            return RGB(level, level, level)
        default:
            let cube = number - 16
            return RGB(levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6])
        }
    }

    /// The relative luminance (WCAG 2.1).
    private static func luminance(_ color: RGB) -> Double {
        let parts = [color.red, color.green, color.blue].map { component in
            let value = Double(component) / 255
            return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    private static func contrast(_ one: RGB, _ other: RGB) -> Double {
        let pair = [luminance(one), luminance(other)].sorted()
        return (pair[1] + 0.05) / (pair[0] + 0.05)
    }

    @Test(arguments: [ColorTheme.dark, .light, .highContrast], [ColorDepth.sixteen, .indexed, .direct])
    func everyTextCanBeReadOnItsBackground(theme: ColorTheme, depth: ColorDepth) throws {
        let least = theme == .highContrast && depth > .sixteen ? 7 : 4.5
        let own = Self.shown(theme.color(.background, depth: depth), depth)
        // Palettes of sixteen colours are made for black or white.
        let backgrounds = try #require(Self.backgrounds[theme.name]).prefix(depth == .sixteen ? 1 : 2)
        var compared = 0
        for role in ColorRole.allCases where ![.background, .label, .labelBackground].contains(role) {
            guard let color = Self.shown(theme.color(role, depth: depth), depth) else { continue }
            for background in own.map({ [$0] }) ?? Array(backgrounds) {
                let contrast = Self.contrast(color, background)
                #expect(contrast >= least, "\(role) of \(theme.name) on \(background): \(contrast)")
                compared += 1
            }
        }
        #expect(compared > 3, "some roles have the colour of the terminal")
        let label = try #require(Self.shown(theme.color(.label, depth: depth), depth))
        let behind = try #require(Self.shown(theme.color(.labelBackground, depth: depth), depth))
        #expect(Self.contrast(label, behind) >= least)
    }

    // MARK: Themes

    @Test func aThemeFillsInTheRolesAndItsOwnBackground() {
        let look = TerminalLook(depth: .indexed, theme: .highContrast)
        #expect(ResolvedStyle(.plain, look).foreground == 231)
        #expect(ResolvedStyle(.plain, look).background == 16)
        #expect(ResolvedStyle(Theme.accent, look).foreground == 117)
        #expect(ResolvedStyle(.plain, TerminalLook(depth: .indexed, theme: .light)).background == nil)
    }

    @Test func theThemeWithoutColoursHasOnlyAttributes() {
        let look = TerminalLook(depth: .direct, theme: .mono)
        for style in [Theme.paused.with(.bold), Theme.simulated, Theme.link, Theme.selection] {
            let resolved = ResolvedStyle(style, look)
            #expect(resolved.foreground == nil && resolved.background == nil && !resolved.attributes.isEmpty)
        }
        #expect(ResolvedStyle(.plain, TerminalLook(depth: .mono, theme: .highContrast)).attributes.isEmpty)
    }

    // MARK: The background of the terminal

    @Test(
        arguments: [
            ("rgb:0000/0000/0000", .dark), ("rgb:ffff/ffff/ffff", .light), ("rgb:1e/1e/1e", .dark), ("rgb:f/f/e", .light),
            ("rgb:fdf6/e3e3/0000", .light), ("rgb:0000/2b2b/3636", .dark), ("rgba:0000/0000/0000/ffff", .dark),
            ("rgb:ffff/ffff", nil), ("rgb:ffff/ffff/gggg", nil), ("rgb:/ffff/ffff", nil), ("rgb:fffff/0/0", nil), ("?", nil),
            ("", nil), ("rgb:+1/2/3", nil), ("rgba:0/0/0", nil),
        ] as [(String, TerminalBackground?)])
    func aReplyStatesTheBackground(reply: String, background: TerminalBackground?) {
        #expect(TerminalBackground(reply: reply) == background)
    }

    @Test(
        arguments: [
            ("15;0", .dark), ("0;15", .light), ("0;default;15", .light), ("7;8", .dark), ("0;7", .light), ("0;default", nil),
            ("15", nil), ("", nil), ("0;16", nil), (nil, nil),
        ] as [(String?, TerminalBackground?)])
    func theEnvironmentStatesTheBackground(value: String?, background: TerminalBackground?) {
        #expect(TerminalBackground(environment: value.map { ["COLORFGBG": $0] } ?? [:]) == background)
    }

    // MARK: Glyphs

    @Test(
        arguments: [
            ("xterm-256color", true, .unicode), ("linux", true, .ascii), ("linux-16color", true, .ascii),
            ("xterm", false, .ascii),
            ("linuxvt", true, .unicode),
        ] as [(String, Bool, GlyphStyle)])
    func theConsoleOfLinuxAndOtherLocalesHaveASCII(name: String, isUTF8: Bool, style: GlyphStyle) {
        #expect(GlyphStyle(environment: ["TERM": name], isUTF8: isUTF8) == style)
    }

    @Test("ASCII glyphs replace only symbols and keep letters")
    func asciiReplacesSymbolsOnly() {
        var frame = Frame(Size(columns: 14, rows: 1))
        frame.write("■ ─▶ Jörg 中 ⣿", at: Point(column: 0, row: 0))
        #expect(frame.text(glyphs: .ascii) == "# -> Jörg 中 #")
        #expect(frame.text(glyphs: .unicode) == "■ ─▶ Jörg 中 ⣿")
        var writer = FrameWriter(TerminalLook(depth: .mono, glyphs: .ascii), hyperlinks: false)
        let bytes = String(decoding: writer.bytes(for: frame), as: UTF8.self)
        #expect(bytes.contains("# -> J"))
        #expect(bytes.contains("ö") && bytes.contains("中"))
    }

    @Test("ASCII names the keys, and a click on a name presses its key")
    func asciiNamesKeys() {
        var frame = Frame(Size(columns: 60, rows: 1))
        frame.glyphs = .ascii
        let joined = KeyHint(.character("j"), .character("k"), word: "line")
        frame.keyHints([KeyHint(.up, .down, word: "move"), KeyHint(.enter, word: "open"), joined], in: frame.bounds)
        #expect(frame.text == " Up/Dn move   Enter open   jk line")
        let keys = [1, 2, 3, 4, 5, 14, 27, 28].map { frame.key(at: Point(column: $0, row: 0)) }
        #expect(keys == [.up, .up, nil, .down, .down, .enter, .character("j"), .character("k")])
        let lines = Table.lines([KeyHint(key: "↑ k", word: "up")], columns: 40, glyphs: .ascii)
        #expect(lines.map(\.text) == ["Up k   up"])
    }

    @Test(
        "Symbols that need several columns of ASCII are replaced before a text is measured",
        arguments: [
            ("⇅ down", "<> down"), ("⇅   pushed", "<>  pushed"), ("∞ s", "inf s"), ("live → paused", "live -> paused"),
        ])
    func asciiWords(text: String, ascii: String) {
        #expect(GlyphStyle.ascii.text(text) == ascii)
        #expect(GlyphStyle.unicode.text(text) == text)
    }
}
