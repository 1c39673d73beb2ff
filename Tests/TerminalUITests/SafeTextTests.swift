import Testing

@testable import TerminalUI

// The hostile texts are no test arguments: the test runner would print them to the terminal as they are.
@Suite struct SafeTextTests {
    @Test(arguments: [
        "We are moving.\nBack at 14:30 UTC.", "系统正在维护，请稍候。", "👩‍👩‍👧‍👦 👍🏽 ❤️ 🇩🇪 1️⃣", "שירות מושהה", "تم إيقاف الخدمة",
        "e\u{301}", "한글", "https://example.org/get?v=1&x=%20#a", "",
    ])
    func harmlessTextComesBackUnchanged(text: String) {
        #expect(SafeText.sanitize(text) == text)
    }

    private static let controls: [(text: String, expected: String)] = [
        ("\u{1B}[2J\u{1B}[Hgone", "␛[2J␛[Hgone"),
        ("\u{1B}]52;c;cm0gLXJm\u{7}", "␛]52;c;cm0gLXJm␇"),
        ("\u{1B}]0;title\u{1B}\\", "␛]0;title␛\\"),
        ("\u{1B}Pq#0\u{1B}\\", "␛Pq#0␛\\"),
        ("\u{9B}31mred", "\u{FFFD}31mred"),
        ("a\u{8}\u{8}b", "a␈␈b"), ("nul\u{0}", "nul␀"), ("del\u{7F}", "del␡"), ("\u{E}\u{F}", "␎␏"),
    ]

    @Test func controlsAreMadeVisible() {
        for (text, expected) in Self.controls {
            #expect(SafeText.sanitize(text) == expected)
        }
    }

    @Test func everyLineEndIsOneNewline() {
        #expect(SafeText.sanitize("a\r\nb\rc\nd\u{85}e\u{2028}f\u{2029}g\r\n\r\nh") == "a\nb\nc\nd\ne\nf\ng\n\nh")
    }

    @Test func oneLineHasNoNewlineAndNoTab() {
        #expect(SafeText.sanitize("a\r\nb\tc\nd", keepingNewlines: false) == "a b c d")
        #expect(SafeText.sanitize("a\tb") == "a    b")
    }

    private static let invisible: [(text: String, expected: String)] = [
        ("invoice\u{202E}fdp.exe", "invoicefdp.exe"),
        ("\u{202A}\u{202B}\u{202C}\u{202D}\u{2066}\u{2067}\u{2068}\u{2069}\u{200E}\u{200F}\u{61C}x", "x"),
        ("ok\u{E0041}\u{E0042}\u{E007F}", "ok"),
        ("in\u{200B}vi\u{2060}si\u{FEFF}ble\u{AD}\u{180E}\u{FFF9}\u{FFFA}\u{FFFB}\u{2063}", "invisible"),
        ("\u{3164}\u{115F}\u{FFA0}fill", "fill"),
        ("a\u{200D}b", "ab"), ("👍\u{200D}a", "👍a"), ("x\u{FE0F}\u{FE0F}", "x\u{FE0F}"), ("\u{FE0F}", ""),
    ]

    @Test func invisibleAndReorderingCharactersAreDropped() {
        for (text, expected) in Self.invisible {
            #expect(SafeText.sanitize(text) == expected)
        }
    }

    @Test func noMoreThanEightMarksFollowEachOther() {
        let zalgo = "h" + String(repeating: "\u{336}", count: 400) + "i"
        #expect(SafeText.sanitize(zalgo).unicodeScalars.count == 10)
    }

    @Test func aLongTextIsCutBetweenGraphemes() {
        #expect(SafeText.sanitize("abcdef", limit: 6) == "abcdef")
        #expect(SafeText.sanitize("abcdef", limit: 5) == "abcd…")
        #expect(SafeText.sanitize("abe\u{301}\u{302}f", limit: 4) == "ab…")
        #expect(SafeText.sanitize("a👩‍👩‍👧‍👦", limit: 5) == "a…")
        #expect(SafeText.sanitize("abc", limit: 1) == "…")
        #expect(SafeText.sanitize("abc", limit: 0) == "")
    }

    @Test func invalidBytesBecomeReplacements() {
        #expect(SafeText.sanitize(String(decoding: [0x61, 0xFF, 0xC0, 0x62] as [UInt8], as: UTF8.self)) == "a\u{FFFD}\u{FFFD}b")
        // Noncharacters: U+FFFE and U+FDD0.
        #expect(SafeText.sanitize(String(decoding: [0xFFFE, 0xFDD0] as [UInt16], as: UTF16.self)) == "\u{FFFD}\u{FFFD}")
    }

    @Test func whatIsCleanStaysCleanASecondTime() {
        let hostile = (0..<0x3000).compactMap(Unicode.Scalar.init).map { "a\($0)\u{200D}👍\($0)" }.joined()
        let once = SafeText.sanitize(hostile, limit: 1_000_000)
        #expect(SafeText.sanitize(once, limit: 1_000_000) == once)
    }

    /// The property that the rest of the program rests on.
    @Test func noScalarThatTheTerminalActsOnComesThrough() {
        let everything = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).map { "\($0)x" }.joined()
        let forbidden = SafeText.sanitize(everything, limit: 10_000_000).unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar != "\n"
            case .lineSeparator, .paragraphSeparator: true
            default: scalar.properties.isBidiControl
            }
        }
        #expect(forbidden.isEmpty)
    }
}
