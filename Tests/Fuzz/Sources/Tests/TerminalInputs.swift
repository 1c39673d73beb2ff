import TestSupport

/// Random inputs for the surfaces of a guarded program: its output, and the input from its terminal.
struct TerminalInputs {
    private let corpus: [[UInt8]]
    private var random: SplitMix64

    init(corpus: [[UInt8]], seed: UInt64) {
        self.corpus = corpus
        random = SplitMix64(seed: seed)
    }

    private mutating func number(below limit: Int) -> Int { Int(random.next() % UInt64(max(limit, 1))) }

    private mutating func pick<Item>(_ items: [Item]) -> Item { items[number(below: items.count)] }

    // MARK: Output of a program

    /// Choices of a ``ScreenScript``, and a stream of text, sequences and parts of the corpus.
    mutating func output() -> [UInt8] {
        // In one of 512 inputs it is measured how much a long output needs.
        let flags = number(below: 512) == 0 ? 0xF8 : number(below: 0xF8)
        let steps = number(below: 8)
        var input = [UInt8(number(below: 12)), UInt8(flags), UInt8(steps)]
        for _ in 0..<steps { input += [UInt8(number(below: 8)), UInt8(number(below: number(below: 4) == 0 ? 150 : 40))] }
        if number(below: 3) == 0 { input += Array("\u{1B}[?1049h".utf8) }
        for _ in 0..<(1 + number(below: 24)) { input += token() }
        return input
    }

    private mutating func token() -> [UInt8] {
        switch number(below: 16) {
        case 0...3: text()
        case 4...9: controlSequence()
        case 10: string()
        case 11: Array("\u{1B}".utf8) + pick(Self.escapes).utf8
        case 12, 13: Array(pick(Self.usual).utf8)
        case 14: [UInt8(number(below: 256))]
        default: part(of: pick(corpus))
        }
    }

    private mutating func part(of stream: [UInt8]) -> [UInt8] {
        guard !stream.isEmpty else { return [] }
        let start = number(below: stream.count)
        return Array(stream[start...].prefix(1 + number(below: 60)))
    }

    private static let texts = [
        "a", "text", "abcdefghijklmnopqrstuvwxyz", "\r\n", "\n", "\r", "\t", "\u{08}", "\u{07}", "\u{05}", "\u{0E}", "\u{0F}",
        "漢", "字漢",
        "é", "e\u{301}", "\u{301}\u{302}\u{303}", "😀", "\u{200D}", "\u{FE0F}", "q", "lqqk", " ", "    ", "\u{85}", "\u{7F}",
        "\u{0}", "\u{18}",
    ]

    private static let invalidText: [[UInt8]] = [
        [0xC3], [0xE6, 0xBC], [0xA9], [0xF0, 0x9F], [0xFF], [0xE0, 0x80], [0xED, 0xA0, 0x80],
    ]

    private mutating func text() -> [UInt8] {
        number(below: 12) == 0 ? pick(Self.invalidText) : Array(pick(Self.texts).utf8)
    }

    private static let escapes = [
        "7", "8", "D", "E", "M", "H", "=", ">", "c", "N", "O", "n", "o", "(0", "(B", ")0", "*0", "+0", "(A", "#8", "#3", "#5",
        "\\", "Z", " F", "%G",
        "V", "(%5", "",
    ]
    private static let finals = Array("@ABCDEFGHIJKLMPSTXZ`abcdefghilmnpqrstuxyW".utf8)
    private static let numbers = [
        "", "0", "1", "2", "3", "4", "5", "6", "7", "8", "12", "20", "24", "38", "48", "58", "80", "255", "99999999999",
    ]
    private static let privateModes = [
        "1", "3", "5", "6", "7", "9", "12", "25", "40", "45", "47", "66", "69", "1000", "1002", "1003", "1004", "1006", "1047",
        "1048",
        "1049", "2004", "2026", "9001", "1234",
    ]
    private static let renditions = [
        "0", "1", "2", "4", "4:3", "7", "9", "31", "45", "53", "97", "38;5;200", "48;2;1;2;3", "58:5:9", "21", "24", "22",
    ]

    private mutating func controlSequence() -> [UInt8] {
        switch number(below: 6) {
        case 0:
            let modes = list(of: Self.privateModes, atMost: 3)
            return Array("\u{1B}[?\(modes)\(pick(["h", "l", "h", "l", "s", "r", "$p"]))".utf8)
        case 1: return Array("\u{1B}[\(list(of: Self.renditions, atMost: 5))m".utf8)
        case 2:
            let parameters = pick(Self.numbers) + pick([";", ";1", ":2", ""])
            return Array(
                "\u{1B}[\(pick(["<", ">", "=", "?"]))\(parameters)\(pick(["u", "m", "c", "q", "n", "h", "J", "K"]))".utf8)
        default:
            let parameters = number(below: 4) == 0 ? "" : list(of: Self.numbers, atMost: 4)
            let intermediate = number(below: 10) == 0 ? pick([" ", "!", "$", "\"", "'", "#", "*"]) : ""
            let control = number(below: 20) == 0 ? pick(["\r", "\n", "\u{18}", "\u{1A}", "\t"]) : ""
            return Array("\u{1B}[\(parameters)\(intermediate)\(control)".utf8) + [pick(Self.finals)]
        }
    }

    private mutating func list(of items: [String], atMost limit: Int) -> String {
        let separator = number(below: 4) == 0 ? ":" : ";"
        return (0...number(below: limit)).map { _ in pick(items) }.joined(separator: separator)
    }

    private static let strings = [
        "]0;title", "]2;t", "]8;;https://example.com", "]8;;", "]8;id=a;http://b", "]8;;x;y", "]52;c;QQ==", "]11;?", "]4;1;?",
        "]10;red",
        "]112", "]1337;File=:A", "]7;file:///tmp", "]133;A", "]9;note", "]", "P$qm", "P+q544e", "Pq#1", "_Gi=1;AA", "^pm", "Xsos",
    ]

    private mutating func string() -> [UInt8] {
        let body = pick(Self.strings)
        return Array("\u{1B}\(body)\(pick(["\u{07}", "\u{1B}\\", "\u{1B}\\", "", "\u{18}", "\u{1B}"]))".utf8)
    }

    /// What full-screen programs send.
    private static let usual = [
        "\u{1B}[?1049h", "\u{1B}[?1049l", "\u{1B}[?47h", "\u{1B}[?47l", "\u{1B}[2J", "\u{1B}[H", "\u{1B}[K", "\u{1B}[2;5r",
        "\u{1B}[r", "\u{1B}[?25l", "\u{1B}[?25h",
        "\u{1B}[?6h", "\u{1B}[?7l", "\u{1B}[4h", "\u{1B}[4l", "\u{1B}[3g", "\u{1B}H", "\u{1B}[>1u", "\u{1B}[=3u", "\u{1B}[<u",
        "\u{1B}[>4;2m", "\u{1B}[3 q", "\u{1B}[!p",
        "\u{1B}[6n", "\u{1B}[c", "\u{1B}[?2026h", "\u{1B}[?2026l", "\u{1B}[999;999H", "\u{1B}[5b", "\u{1B}7", "\u{1B}8",
        "\u{1B}[20h", "\u{1B}(0", "\u{1B}(B",
    ]

    // MARK: Input from a terminal

    /// Choices of an ``InputSurface`` and keys, replies, pastes and mouse reports.
    mutating func input() -> [UInt8] {
        let changes = number(below: 6)
        var input = [UInt8(number(below: 4)), UInt8(number(below: 2)), UInt8(changes)]
        for _ in 0..<changes { input.append(UInt8(number(below: 24))) }
        for _ in 0..<(1 + number(below: 20)) {
            switch number(below: 6) {
            case 0: input.append(UInt8(number(below: 256)))
            case 1: input += controlSequence()
            case 2: input += string()
            default: input += Array(pick(Self.units).utf8)
            }
        }
        return input
    }

    private static let units = [
        "a", "q", "é", "漢", "\r", "\t", "\u{7F}", "\u{03}", "\u{1B}", "\u{1B}", "\u{1B}[A", "\u{1B}OA", "\u{1B}[1;5C",
        "\u{1B}[5~", "\u{1B}[1;2R", "\u{1B}[24;80R",
        "\u{1B}[?24;80R", "\u{1B}[0n", "\u{1B}[?62;22c", "\u{1B}[>41;1;0c", "\u{1B}[?2004;1$y", "\u{1B}[200~", "\u{1B}[201~",
        "\u{1B}[200~text\u{1B}[201~", "\u{1B}[M !!",
        "\u{1B}[<0;1;1M", "\u{1B}[<64;1;1M", "\u{1B}[I", "\u{1B}[O", "\u{1B}[97;5u", "\u{1B}[27;5;97~",
        "\u{1B}]11;rgb:0/0/0\u{07}", "\u{1B}]11;rgb:0/0/0\u{1B}\\",
        "\u{1B}P1$r0m\u{1B}\\", "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}[[A", "\u{1B}a", "\u{1B}\u{1B}[A", "\u{9B}A", "\u{1B}[3$",
    ]
}
