import Testing

@testable import TerminalUI

@Suite struct ColorEnvironmentTests {
    private func depth(_ name: String?, _ colors: Int? = nil, colorTerm: String? = nil) -> ColorDepth {
        var environment: [String: String] = [:]
        environment["TERM"] = name
        environment["COLORTERM"] = colorTerm
        return ColorDepth(environment: environment, terminfoColors: colors)
    }

    @Test func noCOLORCountsWhenItIsPresentAndNotEmpty() {
        #expect(ColorDepth.isRefused(in: ["NO_COLOR": "1"]))
        #expect(!ColorDepth.isRefused(in: ["NO_COLOR": ""]))
        #expect(!ColorDepth.isRefused(in: [:]))
    }

    @Test func noCOLORCountsMoreThanAnyPromiseOfColours() {
        let promises = ["TERM": "xterm-direct", "COLORTERM": "truecolor"]
        #expect(ColorDepth(environment: promises, terminfoColors: 1 << 24) == .direct)
        let refusal = promises.merging(["NO_COLOR": "0"]) { $1 }
        #expect(ColorDepth(environment: refusal, terminfoColors: 1 << 24) == .mono)
    }

    @Test("An unknown or monochrome terminal gets no colours", arguments: [nil, "", "dumb", "xterm-mono", "vt220-m"])
    func unknownTerminalHasNoColors(name: String?) {
        #expect(depth(name, 256, colorTerm: "truecolor") == .mono)
    }

    @Test("COLORTERM enables direct colours except inside GNU screen", arguments: ["truecolor", "24bit"])
    func colorTermEnablesTruecolor(value: String) {
        #expect(depth("xterm", 8, colorTerm: value) == .direct)
        #expect(depth("tmux-256color", 256, colorTerm: value) == .direct)
        #expect(depth("screen", 8, colorTerm: value) == .eight)
        #expect(depth("screen.xterm-256color", 256, colorTerm: value) == .indexed)
    }

    @Test(arguments: ["", "yes", "gnome-terminal", "Truecolor ", "rxvt-xpm"])
    func anotherCOLORTERMPromisesNothing(value: String) {
        #expect(depth("xterm", 8, colorTerm: value) == .eight)
    }

    @Test(
        "Without terminfo the terminal's name decides the number of colours",
        arguments: [
            ("xterm-direct", .direct), ("xterm-direct256", .direct), ("tmux-direct", .direct), ("xterm-kitty", .direct),
            ("alacritty", .direct), ("foot-extra", .direct), ("xterm-ghostty", .direct), ("wezterm", .direct),
            ("xterm-256color", .indexed), ("screen-256color-bce", .indexed), ("putty-256color", .indexed),
            ("rxvt-88color", .sixteen), ("xterm-16color", .sixteen), ("xterm", .eight), ("linux", .eight), ("st", .eight),
            ("st-256color", .indexed), ("footage", .mono), ("stv52", .mono), ("vt100", .mono),
        ] as [(String, ColorDepth)])
    func nameDecidesWithoutTerminfo(name: String, expected: ColorDepth) {
        #expect(depth(name) == expected)
    }

    @Test(
        arguments: [
            ("xterm", 256, .indexed), ("xterm", 1 << 24, .direct), ("xterm", -1, .mono), ("xterm", 8, .eight),
            ("xterm-256color", 8, .indexed), ("xterm-kitty", 256, .direct), ("vt340", 16, .sixteen), ("xterm", .min, .mono),
            ("xterm", .max, .direct),
        ] as [(String, Int, ColorDepth)])
    func terminfoCountsWhereTheNamePromisesLess(name: String, colors: Int, expected: ColorDepth) {
        #expect(depth(name, colors) == expected)
    }
}
