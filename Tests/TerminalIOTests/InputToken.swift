import TerminalUI
import TestSupport
import Testing

@testable import TerminalIO

/// Text with control characters. A log shows them escaped, because they would act on the terminal that shows the log.
struct TypedText: ExpressibleByStringLiteral, CustomTestStringConvertible, Sendable {
    let text: String

    init(stringLiteral text: String) {
        self.text = text
    }

    var bytes: [UInt8] { Array(text.utf8) }
    var testDescription: String { text.debugDescription }
}

extension InputSorter {
    /// The same for a program that waits for these replies, with a cover over it.
    func covered(expecting shapes: ReplyShape?...) -> InputSorter {
        var sorter = self
        for shape in shapes { shape.map { sorter.expect($0) } }
        sorter.beginCover()
        return sorter
    }
}

/// One whole unit of input.
struct InputToken {
    let bytes: [UInt8]
    let key: Key?
    let isReply: Bool
    /// What the program must have asked for, so that a string is a reply.
    var awaited: ReplyShape? { isReply ? ReplyShape(begin: bytes, last: bytes.last ?? 0) : nil }

    init(_ text: String, key: Key? = nil, isReply: Bool = false) {
        bytes = Array(text.utf8)
        self.key = key
        self.isReply = isReply
    }

    static let replies: [TypedText] = [
        "\u{1B}[24;80R", "\u{1B}[?24;80R", "\u{1B}[?24;80;1R", "\u{1B}[0n", "\u{1B}[?13n", "\u{1B}[?997;1n", "\u{1B}[?62;1;4;22c",
        "\u{1B}[>41;370;0c", "\u{1B}[=1;2c", "\u{1B}[?2026;2$y", "\u{1B}[4;2$y", "\u{1B}[8;24;80t", "\u{1B}[48;24;80;480;800t",
        "\u{1B}[?1u", "\u{1B}[>4;2m", "\u{1B}[0;1;31m", "\u{1B}[2;1;1;120;120;1;0x", "\u{1B}[?2;0;1024S", "\u{1B}[I", "\u{1B}[O",
        "\u{1B}[24;80;1;1;1\"w", "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{7}", "\u{1B}]52;c;aGFsbG8=\u{1B}\\", "\u{1B}]l名前\u{1B}\\",
        "\u{1B}P>|XTerm(370)\u{1B}\\", "\u{1B}P1+r544e=787465726d\u{1B}\\", "\u{1B}_Gi=1;OK\u{1B}\\",
    ]

    static let all: [InputToken] =
        replies.map { InputToken($0.text, isReply: true) } + [
            InputToken("q", key: .character("q")), InputToken("é", key: .character("é")), InputToken("界", key: .character("界")),
            InputToken("😀", key: .character("😀")), InputToken("\r", key: .enter), InputToken("\u{3}", key: .control("c")),
            InputToken("\u{7F}", key: .backspace), InputToken("\u{1B}[A", key: .up), InputToken("\u{1B}OB", key: .down),
            InputToken("\u{1B}[5~", key: .pageUp), InputToken("\u{1B}[15~", key: .function(5)),
            InputToken("\u{1B}[Z", key: .backTab),
            InputToken("\u{1B}[99;5u", key: .control("c")), InputToken("\u{1B}[27;2;65~", key: .character("A")),
            InputToken("\u{1B}[81;16;113;1;0;1_", key: .character("q")), InputToken("\u{1B}[[A", key: .function(1)),
            InputToken("\u{1B}[<64;3;4M", key: .mouse(MouseEvent(.wheelUp, at: Point(column: 2, row: 3)))),
            InputToken("\u{1B}[<0;3;4M"), InputToken("\u{1B}[M !!"), InputToken("\u{1B}[1;5D"), InputToken("\u{1B}x"),
            InputToken("\u{1B}é"), InputToken("\u{1B}[200~ a paste\r\u{1B}[B q\u{1B}[201~"), InputToken("\u{1B}[99;1:3u"),
        ]

    /// A sorter of a program that waits for all replies.
    static func sorter(longestReply: Int = InputSorter.longestReply) -> InputSorter {
        var sorter = InputSorter(longestReply: longestReply)
        for token in all { token.awaited.map { sorter.expect($0) } }
        return sorter
    }

    /// Whole and broken units.
    static func noise(using random: inout SplitMix64) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let token = all.randomElement(using: &random)?.bytes ?? []
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes += token.prefix(Int.random(in: 0...token.count, using: &random))
            case 1: bytes += token.dropFirst(Int.random(in: 0...token.count, using: &random))
            case 2: bytes.append(UInt8.random(in: 0...255, using: &random))
            case 3: bytes.append([0x1B, 0x9B, 0x90, 0x18, 0x07].randomElement(using: &random) ?? 0)
            default: bytes += token
            }
        }
        return bytes
    }
}

extension [UInt8] {
    /// The bytes in random pieces of at most that length.
    func chunks(upTo length: Int, using random: inout SplitMix64) -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        var rest = self[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(Int.random(in: 1...length, using: &random))
            chunks.append(Array(chunk))
            rest = rest.dropFirst(chunk.count)
        }
        return chunks
    }

    /// Whether these bytes are found in this order in others.
    func isSubsequence(of others: [UInt8]) -> Bool {
        var rest = self[...]
        for byte in others where rest.first == byte { rest = rest.dropFirst() }
        return rest.isEmpty
    }
}
