import TestSupport

@testable import TerminalShadow

/// Makes random sessions for a terminal of this size, the same for the same seed. They stay near the right margin.
///
/// They leave out what the terminals do by mistake, or by what they do not tell:
/// - xterm 379: a mark that follows a movement joins the character that was written last, wherever that is. After DECRC, an SGR that ends an
///   attribute brings back the colours from before DECRC. DECSTR and CBT keep a pending wrap, also in another column. RIS keeps the cells of
///   the alternate screen. SU by all rows of the region erases the whole screen. Slanted and struck-out characters are drawn over the cells beside them, and parts of them stay. Overlong UTF-8 at the margin. A character set of ISO 646 is drawn as Latin-1.
///   DECALN ends bold, and keeps the bright colour that it gave.
/// - tmux 3.3a: insertions that reach the margin have no effect or leave cells of their own. RIS keeps the origin mode that DECSC has saved.
///   The switch back by 1049 from the main screen, or from a screen that another mode has switched to, moves to the place that the
///   last switch has saved, also the cover's.
struct LiveStream {
    private var random: SplitMix64
    private let isTmux: Bool
    private let columns = LiveTerminal.columns, rows = LiveTerminal.rows

    static func steps(seed: UInt64, family: TerminalDialect.Family, phrases: Int = 40) -> [LiveStep] {
        var stream = LiveStream(random: SplitMix64(seed: seed), isTmux: family == .tmux)
        let hasNotices = stream.chance(2), hasCovers = !hasNotices || stream.chance(2)
        var steps: [LiveStep] = [], isCovered = false, hasNotice = false
        for _ in 0..<phrases {
            steps.append(.output(Array(stream.phrase().utf8)))
            if stream.chance(40) {
                steps.append(.output(stream.one(of: [[0xE4], [0xFF], [0xC3], [0xE2, 0x94], [0xF0, 0x9F, 0x92]]) + [0x78]))
            }
            if hasCovers, stream.chance(6) {
                isCovered.toggle()
                steps.append(isCovered ? .cover : .uncover)
            }
            if hasNotices, stream.chance(6) {
                hasNotice.toggle()
                steps.append(.notice(hasNotice))
            }
        }
        return steps
    }

    private mutating func phrase() -> String {
        switch number(0...36) {
        case 0...3: letters(number(1...columns / 2))
        case 4: letters(number(columns - 2...columns + 3))
        case 5, 6: place(column: columns - 2) + letters(3)
        case 7: (0..<number(1...3)).map { _ in one(of: ["漢", "字", "한", "e\u{301}", "o\u{302}\u{323}", "é", "─"]) }.joined()
        case 8: place(column: columns) + one(of: ["漢", "a", "e\u{301}", "字x", "ab"])
        case 9: "a" + one(of: ["\u{301}", "\u{323}"])
        case 10, 11: rendition()
        case 12, 13: place(column: chance(3) ? columns - number(0...1) : number(1...columns + 1))
        case 14: control(count() + one(of: ["A", "B", "C", "D", "E", "F", "G", "d", "`", "a", "e", "I"]))
        case 15, 16: control(one(of: ["", "0", "1", "2"]) + one(of: ["J", "K", "K"]))
        case 17: cellShift()
        case 18: chance(4) ? control((isTmux ? count() : "") + "S") : control(count() + one(of: ["L", "M", "T"]))
        case 19: region()
        case 20: control("?6" + one(of: ["h", "l"]))
        case 21: control("?7" + one(of: ["h", "l", "h"]))
        case 22:
            isTmux
                ? place(column: number(1...columns / 2)) + control("4h") + letters(4) + control("4l")
                : control("4" + one(of: ["h", "l", "l"]))
        case 23:
            one(of: ["\u{1B}H", control("g"), control("3g"), place(column: number(1...columns / 2)) + letters(1) + control("2Z")])
        case 24: savedCursor()
        case 25:
            control("?" + one(of: ["47", "1047", "1049", "1049"]) + one(of: ["h", "l"])) + (isTmux ? "" : control("39;49m"))
        case 26: one(of: ["\u{1B}D", "\u{1B}M", "\u{1B}E", "\n", "\n", "\r", "\u{08}", "\r\n", "\t", "\u{0B}"])
        case 27: "x" + control("\(number(1...columns + 4))b")
        case 28: one(of: ["\u{1B}(0", "\u{1B}(B", "\u{0E}", "\u{0F}", "\u{1B})0", "\u{1B})B"]) + one(of: ["", "lqx"])
        case 29: mode()
        case 30:
            one(of: ["\u{1B}=", "\u{1B}>", control("\(number(0...6)) q"), control("20h"), control("20l"), control("?2026h")])
        case 31: chance(3) ? reset() : letters(2)
        case 32: control("?" + one(of: ["1", "25", "1000", "7", "6"]) + one(of: ["s", "r"]))
        case 33: control(one(of: ["#{", "#}", "#p", "#q", "2^", "?1K", "?J", "?2K", "22;0t", "23;0t"]))
        case 34: control(one(of: ["6n", "?6n", "c", "?25$p", "?7$p"]))
        case 35: one(of: ["\u{80}", "\u{85}", "\u{7F}", "\u{0}", "\u{07}"])
        default: "\r\n" + letters(number(0...4))
        }
    }

    private mutating func rendition() -> String {
        let drawnOver = isTmux ? ["3", "9"] : []
        let codes =
            drawnOver + [
                "0", "1", "2", "4", "7", "22", "24", "27", "39", "49", "3\(number(0...7))", "4\(number(0...7))",
                "9\(number(0...7))",
                "38;5;\(number(16...255))", "48;5;\(number(16...255))",
            ]
        return control((0..<number(1...2)).map { _ in one(of: codes) }.joined(separator: ";") + "m")
    }

    private mutating func cellShift() -> String {
        guard isTmux, chance(3) else { return control(count() + one(of: isTmux ? ["X", "P"] : ["X", "@", "P"])) }
        return place(column: number(1...columns - 4)) + control(one(of: ["", "1", "2", "3"]) + "@")
    }

    private mutating func region() -> String {
        let top = number(1...rows - 1)
        return control(chance(2) ? "r" : "\(top);\(number(top + 1...rows))r")
    }

    private mutating func savedCursor() -> String {
        guard !isTmux else { return one(of: ["\u{1B}7", "\u{1B}8", control("s"), control("u")]) }
        return chance(2)
            ? one(of: ["\u{1B}8", control("u"), control("?1048l")]) + control("39;49m")
            : one(of: ["\u{1B}7", control("s"), control("?1048h")])
    }

    private mutating func mode() -> String {
        let modes = ["1", "5", "12", "25", "1000", "1002", "1003", "1004", "1006", "2004", "9", "45", "66", "1005", "1015"]
        return control("?" + one(of: modes) + one(of: ["h", "l"]))
    }

    private mutating func reset() -> String {
        one(of: [
            control("22m") + "\u{1B}#8", isTmux ? "\u{1B}c\u{1B}7" : control("?1049h") + control("?1049l") + "\u{1B}c",
            control("2;3H") + control("!p"),
            control("3J"),
        ])
    }

    // MARK: Parts

    private mutating func place(column: Int) -> String {
        control("\(chance(4) ? one(of: [1, rows]) : number(1...rows + 1));\(column)H")
    }

    private func control(_ text: String) -> String { "\u{1B}[" + text }
    private mutating func count() -> String { one(of: ["", "", "1", "2", "3", "0", "99"]) }
    private mutating func letters(_ count: Int) -> String {
        String((0..<count).map { _ in one(of: Array("abcdefgh xyzABCDXYZ01289")) })
    }
    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func one<Element>(of elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }
    private mutating func chance(_ one: Int) -> Bool { number(1...one) == 1 }
}
