import Testing

@testable import SafeText

// The hostile texts are not test arguments: the test runner would print them to the terminal unescaped.
@Suite struct TextSanitizerTests {
    @Test(arguments: [
        "We are moving.\nBack at 14:30 UTC.", "系统正在维护，请稍候。", "👩‍👩‍👧‍👦 👍🏽 ❤️ 🇩🇪 1️⃣", "שירות מושהה", "تم إيقاف الخدمة",
        "é", "한글", "https://example.org/get?v=1&x=%20#a", "",
    ])
    func harmlessTextComesBackUnchanged(text: String) {
        #expect(TextSanitizer.sanitize(text) == text)
    }

    private static let controls: [(text: String, expected: String)] = [
        ("\u{1B}[2J\u{1B}[Hgone", "␛[2J␛[Hgone"),
        ("\u{1B}]52;c;cm0gLXJm\u{7}", "␛]52;c;cm0gLXJm␇"),
        ("\u{1B}]0;title\u{1B}\\", "␛]0;title␛\\"),
        ("\u{1B}Pq#0\u{1B}\\", "␛Pq#0␛\\"),
        ("\u{9B}31mred", "␛[31mred"), ("\u{9D}0;t\u{9C}", "␛]0;t␛\\"), ("\u{80}\u{9F}", "␛@␛_"),
        ("a\u{8}\u{8}b", "a␈␈b"), ("nul\u{0}", "nul␀"), ("del\u{7F}", "del␡"), ("\u{E}\u{F}", "␎␏"),
    ]

    @Test func controlsAreMadeVisible() {
        for (text, expected) in Self.controls {
            #expect(TextSanitizer.sanitize(text) == expected)
        }
    }

    @Test func everyLineEndIsOneNewline() {
        #expect(TextSanitizer.sanitize("a\r\nb\rc\nd\u{85}e\u{2028}f\u{2029}g\r\n\r\nh") == "a\nb\nc\nd\ne\nf\ng\n\nh")
    }

    @Test func oneLineHasNoNewlineAndNoTab() {
        #expect(TextSanitizer.sanitize("a\r\nb\tc\nd", keepingNewlines: false) == "a b c d")
        #expect(TextSanitizer.sanitize("a\tb") == "a    b")
    }

    private static let invisible: [(text: String, expected: String)] = [
        ("invoice\u{202E}fdp.exe", "invoicefdp.exe"),
        ("\u{202A}\u{202B}\u{202C}\u{202D}\u{2066}\u{2067}\u{2068}\u{2069}\u{200E}\u{200F}\u{61C}x", "x"),
        ("ok\u{E0041}\u{E0042}\u{E007F}", "ok"),
        ("in\u{200B}vi\u{2060}si\u{FEFF}ble\u{AD}\u{180E}\u{FFF9}\u{FFFA}\u{FFFB}\u{2063}", "invisible"),
        ("\u{3164}\u{115F}\u{FFA0}fill", "fill"),
        ("a\u{200D}b", "ab"), ("👍\u{200D}a", "👍a"), ("x\u{FE0F}", "x"), ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}"), ("\u{FE0F}", ""),
        ("👍\u{200D}\u{200B}👩", "👍👩"), ("👍\u{301}\u{200D}👩", "👍\u{301}👩"),
        // Found by the fuzzer: the arrow with the stroke is not an emoji.
        ("👩\u{200D}↔\u{338}\u{200D}👩", "👩\u{21AE}👩"), ("👩\u{200D}↔\u{200B}\u{338}", "👩\u{21AE}"),
        // The flag of Scotland is a black flag with tag characters, which can carry any invisible text.
        ("🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "🏴"),
    ]

    @Test("Invisible and reordering characters are removed")
    func invisibleCharactersAreDropped() {
        for (text, expected) in Self.invisible {
            #expect(TextSanitizer.sanitize(text) == expected)
        }
    }

    @Test func noMoreThanFourMarksStandOnOneCharacter() {
        let strokes = String(repeating: "\u{336}", count: 400)
        #expect(TextSanitizer.sanitize("h" + strokes + "i") == "h\u{336}\u{336}\u{336}\u{336}i")
        // Spacing marks belong to the character too.
        let mixed = "क" + String(repeating: "\u{301}\u{903}", count: 400)
        #expect(TextSanitizer.sanitize(mixed).unicodeScalars.count == 5)
        // A Burmese word with five marks, on two characters.
        #expect(TextSanitizer.sanitize("လျှော့").unicodeScalars.elementsEqual("လျှော့".unicodeScalars))
    }

    private static let compositions: [(text: String, expected: String)] = [
        ("e\u{301}", "\u{E9}"), ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("\u{212B}", "\u{C5}"),
        // A removed scalar no longer separates a letter from its mark.
        ("e\u{200B}\u{301}", "\u{E9}"), ("x\u{FE0F}\u{301}", "x\u{301}"),
        // Marks are ordered before they are counted, and marks that compose with the letter do not count.
        ("u\u{308}\u{301}\u{200D}\u{323}", "\u{1EE5}\u{308}\u{301}"),
        ("a\u{302}\u{301}\u{302}\u{301}\u{302}\u{301}\u{302}", "\u{1EA5}\u{302}\u{301}\u{302}\u{301}"),
    ]

    @Test func theResultIsInNormalFormC() {
        for (text, expected) in Self.compositions {
            #expect(TextSanitizer.sanitize(text).unicodeScalars.elementsEqual(expected.unicodeScalars), "\(expected)")
        }
    }

    /// Foundation composes by the lowest 16 bits only: it composes the first text, which starts with U+10077, to ẅ.
    @Test(arguments: [
        ("\u{10077}\u{308}", "\u{10077}\u{308}"), ("\u{10077}\u{308}\u{323}", "\u{10077}\u{323}\u{308}"),
        ("e\u{301}\u{10065}\u{301}", "\u{E9}\u{10065}\u{301}"), ("\u{11099}\u{110BA}", "\u{1109A}"), ("\u{2F800}", "\u{4E3D}"),
    ])
    func theNormalFormIsRightAboveTheFirstPlane(text: String, form: String) {
        let safe = TextSanitizer.sanitize(text)
        #expect(Array(safe.unicodeScalars) == Array(form.unicodeScalars))
        #expect(Array(TextSanitizer.sanitize(safe).unicodeScalars) == Array(safe.unicodeScalars))
    }

    @Test func aLongTextIsCutBetweenGraphemes() {
        #expect(TextSanitizer.sanitize("abcdef", limit: 6) == "abcdef")
        #expect(TextSanitizer.sanitize("abcdef", limit: 5) == "ab…")
        #expect(TextSanitizer.sanitize("ab\u{301}\u{302}cdef", limit: 6) == "a…")
        #expect(TextSanitizer.sanitize("a👩‍👩‍👧‍👦", limit: 12) == "a…")
        #expect(TextSanitizer.sanitize("系统正在维护", limit: 12) == "系统正…")
        #expect(TextSanitizer.sanitize("abcd", limit: 3) == "…")
        #expect(TextSanitizer.sanitize("abc", limit: 2) == "")
        #expect(TextSanitizer.sanitize("abc", limit: 0) == "")
    }

    @Test func theLimitCountsBytesAndHoldsTheEllipsis() {
        let long = TextSanitizer.sanitize(String(repeating: "é", count: 5000))
        #expect(long.utf8.count == 4095 && long.hasSuffix("é…"))
        let exact = String(repeating: "é", count: 2048)
        #expect(TextSanitizer.sanitize(exact) == exact)
        // The decomposed text is 1.5 times as long and still fits.
        #expect(TextSanitizer.sanitize(String(repeating: "e\u{301}", count: 2048)) == exact)
    }

    @Test func noMoreThanFortyLinesAreKept() {
        let lines = (1...50).map(String.init)
        let forty = lines[..<40].joined(separator: "\n")
        #expect(TextSanitizer.sanitize(forty) == forty)
        #expect(TextSanitizer.sanitize(forty + "\n") == forty)
        #expect(TextSanitizer.sanitize(lines.joined(separator: "\r\n")) == forty + "…")
        #expect(TextSanitizer.sanitize("a\nb\nc", lines: 2) == "a\nb…")
        #expect(TextSanitizer.sanitize("a", lines: 0) == "" && TextSanitizer.sanitize("é", lines: 0) == "")
        #expect(TextSanitizer.sanitize(String(repeating: "\n", count: 5000)) == String(repeating: "\n", count: 39) + "…")
    }

    @Test func aFloodOfMarksIsCutToFourPerCharacter() {
        let flood = String(repeating: "x" + String(repeating: "\u{301}\u{323}", count: 500), count: 500)
        let scalars = TextSanitizer.sanitize(flood).unicodeScalars
        let letters = scalars.filter { $0 == "x" || $0 == "…" }.count
        #expect(letters > 1)
        #expect(scalars.count <= letters * 5)
    }

    @Test func invalidBytesBecomeReplacements() {
        #expect(
            TextSanitizer.sanitize(String(decoding: [0x61, 0xFF, 0xC0, 0x62] as [UInt8], as: UTF8.self)) == "a\u{FFFD}\u{FFFD}b")
        // Noncharacters: U+FFFE and U+FDD0.
        #expect(TextSanitizer.sanitize(String(decoding: [0xFFFE, 0xFDD0] as [UInt16], as: UTF16.self)) == "\u{FFFD}\u{FFFD}")
    }

    /// Planes 4 to 13 have no assigned scalars, and planes 15 and 16 only private-use ones.
    private static func isEmptyPlane(_ value: UInt32) -> Bool {
        (0x40000...0xDFFFF).contains(value) || (0xF1000...0x10EFFF).contains(value)
    }

    @Test("Sanitizing sanitized text changes nothing")
    func sanitizingIsIdempotent() {
        for block in stride(from: 0, to: 0x110000 as UInt32, by: 0x1000) where !Self.isEmptyPlane(block) {
            let text = (block..<block + 0x1000).compactMap(Unicode.Scalar.init).map { scalar in
                "a\(scalar)\u{200D}👍\(scalar)\u{FE0F}\u{323}\u{200D}👍"
            }.joined()
            let once = TextSanitizer.sanitize(text, limit: .max, lines: .max)
            let twice = TextSanitizer.sanitize(once, limit: .max, lines: .max)
            #expect(twice.utf8.elementsEqual(once.utf8), "from U+\(String(block, radix: 16))")
        }
    }

    /// The rest of the program relies on this property.
    @Test func noScalarThatTheTerminalActsOnComesThrough() {
        let everything = (0...0x10FFFF as ClosedRange<UInt32>).filter { !Self.isEmptyPlane($0) }.compactMap(Unicode.Scalar.init)
            .map { "\($0)x" }.joined()
        let forbidden = TextSanitizer.sanitize(everything, limit: 10_000_000, lines: .max).unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar != "\n"
            case .lineSeparator, .paragraphSeparator: true
            default:
                scalar.properties.isBidiControl || (0xE0000...0xE0FFF).contains(scalar.value)
                    || scalar.properties.isDefaultIgnorableCodePoint
            }
        }
        #expect(forbidden.isEmpty)
    }
}
