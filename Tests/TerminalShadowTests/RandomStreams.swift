import TestSupport

/// Makes random but plausible output of a terminal program, the same for the same seed.
struct RandomStream {
    enum Dialect: Sendable {
        /// Everything that xterm documents and the shadow claims to understand.
        case xterm
        /// Only what libvterm and xterm interpret alike.
        case refereed
    }

    private let columns: Int
    private let rows: Int
    private let dialect: Dialect
    private var random: SplitMix64
    private var output = ""
    /// The rows between the margins, counted from 1.
    private var region: ClosedRange<Int>
    private var isAlternate = false
    /// A stream uses either mode 1049 or mode 1047: what is left on an alternate screen differs between them.
    private let alternateMode: Int
    /// Whether the stream has no wide characters. xterm and libvterm differ in what is left of one whose half is shifted away, so what
    /// both must show alike has either wide characters or shifts within rows.
    private let isNarrow: Bool

    private init(seed: UInt64, columns: Int, rows: Int, dialect: Dialect) {
        (self.columns, self.rows, self.dialect) = (columns, rows, dialect)
        random = SplitMix64(seed: seed)
        region = 1...rows
        alternateMode = Bool.random(using: &random) ? 1049 : 1047
        isNarrow = dialect == .refereed && Bool.random(using: &random)
    }

    /// - Parameter phrases: how many units the stream has: a text with its rendition, a scroll, a change of modes.
    static func bytes(
        seed: UInt64, phrases: Int = 300, columns: Int = 40, rows: Int = 12, dialect: Dialect = .refereed
    ) -> [UInt8] {
        var stream = RandomStream(seed: seed, columns: columns, rows: rows, dialect: dialect)
        for _ in 0..<phrases { stream.addPhrase() }
        return Array(stream.output.utf8)
    }

    // MARK: Phrases

    private mutating func addPhrase() {
        switch number(0...24) {
        case 0...4: addText()
        case 5: addWrappingText()
        case 6: addWideText()
        case 7...8: addRendition()
        case 9...10: addMove()
        case 11...12: addErasure()
        case 13: addShift()
        case 14: addLineShift()
        case 15: addRegion()
        case 16: addInsertion()
        case 17: addCharacterSets()
        case 18: addTabs()
        case 19: addSavedCursor()
        case 20: addScreenSwitch()
        case 21...22: addModes()
        case 23: addStrings()
        default: dialect == .xterm ? addRarity() : addQuery()
        }
    }

    private mutating func addText() {
        if chance(2) { addRendition() }
        goTo(column: number(1...columns / 2))
        output += letters(number(1...columns / 3))
        if chance(3) { output += one(of: ["\r\n", "\r", "\u{08}\u{08}", "\n", "\u{1B}E", "\u{07}"]) }
    }

    /// Text over the right margin. The erasures that follow never meet a pending wrap, of which terminals think differently.
    private mutating func addWrappingText() {
        goTo(column: number(1...columns))
        output += letters(number(columns...columns * 3)) + "\r\n"
    }

    private mutating func addWideText() {
        // libvterm ignores the character set for text that begins with a character outside ASCII.
        if dialect == .refereed { output += "\u{0F}\u{1B}(B" }
        goTo(column: number(1...columns / 3))
        let wide = isNarrow ? [] : ["漢", "字", "한", "Ｗ", "🚀"]
        for _ in 0..<number(1...6) {
            output += one(of: wide + ["e\u{301}", "o\u{302}\u{323}", "n\u{303}", "─", "█", "é", "ß"])
        }
    }

    private mutating func addRendition() {
        var codes = [
            "0", "1", "2", "3", "4", "5", "7", "8", "9", "21", "22", "23", "24", "25", "27", "28", "29", "39", "49", "4:3", "4:2",
            "3\(number(0...7))", "4\(number(0...7))", "9\(number(0...7))", "10\(number(0...7))", "38;5;\(number(0...255))",
            "48;5;\(number(0...255))", "38;2;\(color);\(color);\(color)", "48:2::\(color):\(color):\(color)",
        ]
        if dialect == .xterm {
            codes += [
                "53", "55", "59", "4:4", "4:5", "58;5;\(color)", "58:2::\(color):\(color):\(color)", "38:5:\(color)", "", "6",
            ]
        }
        control((0..<number(1...3)).map { _ in one(of: codes) }.joined(separator: ";") + "m")
    }

    private mutating func addMove() {
        let relative = ["C", "D", "a"], vertical = ["A", "B", "E", "F", "e"]
        switch number(0...4) {
        case 0: goTo(column: number(1...columns), with: "f")
        case 1: control("\(number(1...columns))" + one(of: ["G", "`"]))
        case 2: control("\(one(in: region))d")
        case 3: control("\(number(1...5))" + one(of: relative))
        default:
            // Inside margins xterm stops there, and libvterm does not.
            guard region == 1...rows || dialect == .xterm else { return goTo(column: 1) }
            control(one(of: ["", "\(number(1...3))"]) + one(of: vertical))
        }
    }

    private mutating func addErasure() {
        goTo(column: number(1...columns))
        control(one(of: ["", "0", "1", "2"]) + one(of: ["J", "K", "K", "K"]))
        if chance(3) { control("\(number(1...columns))X") }
    }

    private mutating func addShift() {
        goTo(column: number(1...columns))
        clearOfWideCharacters()
        control("\(number(1...8))" + one(of: ["@", "P"]))
    }

    private mutating func clearOfWideCharacters() {
        if dialect == .refereed, !isNarrow { control("2K") }
    }

    private mutating func addLineShift() {
        // xterm takes the cursor to the first column with L and M, libvterm leaves it.
        goTo(column: dialect == .refereed ? 1 : number(1...columns))
        switch number(0...2) {
        case 0: control("\(number(1...4))" + one(of: ["L", "M"]))
        case 1: control("\(number(1...3))" + one(of: ["S", "T"]))
        default: output += String(repeating: one(of: ["\u{1B}D", "\u{1B}M", "\n"]), count: number(1...4))
        }
    }

    private mutating func addRegion() {
        let top = number(1...rows - 1)
        region = chance(2) ? 1...rows : top...number(top + 1...rows)
        control(region == 1...rows ? "r" : "\(region.lowerBound);\(region.upperBound)r")
        guard chance(3) else { return }
        control("?6h")
        control("1;\(number(1...columns))H")
        output += letters(4)
        if chance(2) { output += "\u{1B}7" }
        control("?6l")
    }

    private mutating func addInsertion() {
        if chance(2) {
            goTo(column: number(1...columns / 2))
            clearOfWideCharacters()
            control("4h")
            output += letters(number(1...6))
            control("4l")
        } else {
            goTo(column: columns - 3)
            control("?7l")
            output += letters(number(1...8))
            control("?7h")
            goTo(column: 1)
        }
    }

    private mutating func addCharacterSets() {
        goTo(column: 1)
        output += one(of: [
            "\u{1B}(0lqqk\u{1B}(B", "\u{1B})0\u{0E}xqx\u{0F}", "\u{1B}*0\u{1B}nq\u{0F}", "\u{1B}+0\u{1B}oq\u{0F}",
            "\u{0E}q\u{0F}",
        ])
        if chance(4) { output += one(of: ["\u{1B}(0", "\u{1B}(B", "\u{0E}", "\u{0F}", "\u{1B}(A", "\u{1B})B"]) }
    }

    private mutating func addTabs() {
        goTo(column: number(1...columns))
        switch number(0...3) {
        case 0: output += "\u{1B}H"
        case 1: control(one(of: ["g", "0g", "3g"]))
        case 2: control("\(number(1...3))" + one(of: ["I", "Z"]))
        default: output += "\r\ta\tb"
        }
    }

    private mutating func addSavedCursor() {
        // A cursor that was never saved goes elsewhere on each terminal. Whether a pending wrap is saved differs too; live terminals
        // judge that.
        if dialect == .refereed { goTo(column: number(1...columns / 2)) }
        output += "\u{1B}7" + letters(2)
        addRendition()
        goTo(column: 1)
        output += letters(3) + "\u{1B}8" + one(of: ["", letters(1)])
    }

    private mutating func addScreenSwitch() {
        isAlternate.toggle()
        // libvterm clears the alternate screen whenever it is entered, xterm also when it is left.
        control("m")
        if alternateMode == 1047, isAlternate { control("?1048h") }
        control("?\(alternateMode)" + (isAlternate ? "h" : "l"))
        if alternateMode == 1047, !isAlternate { control("?1048l") }
    }

    private mutating func addModes() {
        var modes = [1, 5, 12, 25, 1000, 1002, 1003, 1004, 1006, 2004]
        if dialect == .xterm { modes += [9, 45, 66, 67, 1005, 1007, 1015, 1016, 1034, 1036, 2026, 2031, 9999] }
        switch number(0...4) {
        case 0: output += one(of: ["\u{1B}=", "\u{1B}>"])
        case 1: control("\(number(0...6)) q")
        case 2: control("?\(one(of: modes));\(one(of: modes))" + one(of: ["h", "l"]))
        case 3: control(one(of: [">4;1m", ">4m", ">1u", "<u", "=1;1u", "!p"]))
        default: control("?\(one(of: modes))" + one(of: ["h", "l"]))
        }
        // The soft reset has taken the margins back.
        if output.hasSuffix("!p") { region = 1...rows }
    }

    private mutating func addStrings() {
        let end = one(of: ["\u{07}", "\u{1B}\\"])
        let links = ["]8;;https://example.com/\(number(1...9))", "]8;id=\(number(1...9));https://example.com/", "]8;;"]
        output +=
            "\u{1B}"
            + one(
                of: ["]0;title \(number(1...99))", "]2;wide 漢字 \(number(1...99))", "]7;file:///tmp", "]4;1;rgb:10/20/30"] + links)
            + end
        if chance(4) { output += "\u{1B}" + one(of: ["P+q544e", "_ignored", "^ignored", "Xignored"]) + "\u{1B}\\" }
    }

    private mutating func addQuery() {
        control(one(of: ["6n", "5n", "c", ">c", "?6n", "?25$p", "?1000$p", "?2004$p"]))
    }

    /// What libvterm does not know, or interprets in a way of its own.
    private mutating func addRarity() {
        addQuery()
        output += one(of: [
            "x\u{1B}[\(number(1...30))b", "\u{1B}#8", "\u{1B}#6", "\u{1B}#5", "\u{1B}[?5W", "\u{1B}[?69h", "\u{1B}[3;20s",
            "\u{1B}[?69l",
            "\u{1B}[1\"q", "\u{1B}[0\"q", "\u{1B}[?1J", "\u{1B}[?2K", "\u{1B}c", "\u{1B}[s", "\u{1B}[u", "\u{1B}[?47h",
            "\u{1B}[?47l",
            "\u{1B}[3J", "\u{1B}[20h", "\u{1B}[20l", "\u{1B}P1;2qABC\u{1B}\\", "\u{1B}_Ga=T;AAAA\u{1B}\\",
            "\u{1B}]52;c;YQ==\u{07}",
            "\u{1B}[22;0;0t", "\u{1B}[23;0;0t", "\u{1B}[8;12;40t", "\u{1B}[1\u{0A}m", "\u{1B}[12\u{18}", "\u{1B}[5\u{1A}A",
            "\u{1B}\u{1B}[m",
            "\u{1B}[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19m", "\u{1B}[99999999999999999999A", "\u{1B}[<1u", "\u{1B}[>0q",
            "\u{1B}N", "\u{1B}O", "\u{1B}~", "\u{1B}%G", "\u{1B} F", "\u{1B}[?1;2x", "\u{85}", "\u{9B}", "\u{0}", "\u{7F}",
            "\u{0B}", "\u{0C}", "\u{05}",
        ])
    }

    // MARK: Parts

    private var color: Int { mutating get { number(0...255) } }

    /// Moves the cursor absolutely, to a row between the margins.
    private mutating func goTo(column: Int, with final: String = "H") { control("\(one(in: region));\(column)\(final)") }

    private mutating func control(_ text: String) { output += "\u{1B}[" + text }

    private mutating func letters(_ count: Int) -> String {
        String((0..<count).map { _ in one(of: Array("abcdefghijklmnopqrstuvwxyz ABCDEFGHIJ0123456789.,-+#")) })
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func one(in range: ClosedRange<Int>) -> Int { number(range) }
    private mutating func one<Element>(of elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }
    private mutating func chance(_ one: Int) -> Bool { number(1...one) == 1 }
}
