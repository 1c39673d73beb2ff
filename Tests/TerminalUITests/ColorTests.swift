import Testing

@testable import TerminalUI

@Suite("Styles become what the terminal has")
struct ColorTests {
    @Test(
        arguments: [
            (-1, false, .mono), (2, false, .mono), (8, false, .eight), (16, false, .sixteen), (88, false, .sixteen),
            (256, false, .indexed), (0x1000000, true, .direct), (0x1000000, false, .indexed),
        ] as [(Int, Bool, ColorDepth)])
    func theDepthFollowsTheNumberOfColours(colors: Int, isDirect: Bool, depth: ColorDepth) {
        #expect(ColorDepth(colors: colors, isDirect: isDirect) == depth)
    }

    @Test(
        "The dark theme has a matching colour with 256, 16 and 8 colours",
        arguments: [
            (Theme.live, 78, 10, 2), (Theme.paused, 203, 9, 1), (Theme.update, 221, 11, 3), (Theme.accent, 75, 14, 6),
            (Theme.unknown, 141, 13, 5), (Theme.warning, 215, 11, 3), (Theme.muted, 247, 8, 7),
        ] as [(Style, Int, Int, Int)])
    func darkThemeHasFewColorVariants(style: Style, indexed: Int, sixteen: Int, eight: Int) {
        #expect(ResolvedStyle(style, TerminalLook(depth: .indexed)).foreground == indexed)
        #expect(ResolvedStyle(style, TerminalLook(depth: .sixteen)).foreground == sixteen)
        #expect(ResolvedStyle(style, TerminalLook(depth: .eight)).foreground == eight)
        #expect(ResolvedStyle(style, TerminalLook(depth: .mono)).foreground == nil)
    }

    @Test(
        "With 256 colours the nearest entry of the colour cube and grey ramp is used",
        arguments: [
            (.rgb(0, 0, 0), 16), (.rgb(255, 255, 255), 231), (.rgb(95, 135, 175), 67), (.rgb(8, 8, 8), 232),
            (.rgb(238, 238, 238), 255), (.rgb(100, 100, 100), 241), (.ansi(9), 9),
        ] as [(Color, Int)])
    func nearestIndexedColorIsUsed(color: Color, number: Int) {
        #expect(ColorDepth.indexed.number(of: color) == number)
    }

    @Test("Direct colours use their components and avoid the numbers of named colours")
    func directColorsAvoidNamedOnes() {
        #expect(ColorDepth.direct.number(of: .rgb(0x12, 0x34, 0x56)) == 0x123456)
        #expect(ColorDepth.direct.number(of: .rgb(0, 0, 5)) == 8)
        #expect(ColorDepth.direct.number(of: .rgb(0, 0, 0)) == 8)
        #expect(ColorDepth.direct.number(of: .ansi(1)) == 1)
        #expect(ColorDepth.direct.number(of: .ansi(9)) == 0xFF0000)
    }

    @Test("Without colours a badge is shown in reverse video")
    func monochromeBadgeIsReversed() {
        let badge = ResolvedStyle(Theme.simulated, TerminalLook(depth: .mono))
        #expect(badge.attributes == [.bold, .reverse])
        #expect(badge.foreground == nil && badge.background == nil)
    }

    @Test("With eight colours dark greys are dim white and bright colours are bold")
    func eightColorsUseDimAndBold() {
        #expect(ResolvedStyle(Theme.rule, TerminalLook(depth: .eight)).attributes == .dim)
        #expect(
            ResolvedStyle(Style(foreground: .ansi(8)), TerminalLook(depth: .eight))
                == ResolvedStyle(Theme.rule, TerminalLook(depth: .eight)))
        #expect(ResolvedStyle(Style(foreground: .ansi(9)), TerminalLook(depth: .eight)).attributes == .bold)
    }

    @Test(
        "The escape parameters of a style match its colour numbers",
        arguments: [
            (.indexed, "0;4;38;5;75"), (.sixteen, "0;4;96"), (.eight, "0;4;36"), (.mono, "0;4"),
            (.direct, "0;4;38;2;95;175;255"),
        ] as [(ColorDepth, String)])
    func escapeParametersMatchColors(depth: ColorDepth, parameters: String) {
        #expect(ResolvedStyle(Theme.link, TerminalLook(depth: depth)).parameters(depth: depth) == parameters)
    }

    @Test("An ANSI colour number above 15 stands for one of the sixteen colours", arguments: ColorDepth.allCases)
    func ansiNumberWrapsToSixteen(depth: ColorDepth) {
        for number in UInt8.min...UInt8.max {
            #expect(depth.number(of: .ansi(number)) == depth.number(of: .ansi(number % 16)))
        }
    }
}
