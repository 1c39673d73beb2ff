internal import TerminalUI

/// The replies that a terminal owes a program for its questions.
extension ReplyShape {
    private init(_ introducer: Unicode.Scalar, marker: UInt8 = 0, final: Unicode.Scalar = "\0") {
        self.init(introducer: UInt8(ascii: introducer), marker: marker, final: UInt8(ascii: final))
    }

    /// The most replies that a single question is taken for.
    private static let most = 16

    /// The replies to a part of a program's output.
    /// - Parameter sequence: the parts of the bytes, if they are a control sequence.
    static func replies(
        to token: SequenceTokenizer.Token, _ bytes: UnsafeBufferPointer<UInt8>, _ sequence: ControlSequence
    ) -> [ReplyShape] {
        switch token {
        case .control: reply(to: sequence).map { [$0] } ?? []
        // DECID.
        case .escape: bytes.last == UInt8(ascii: "Z") ? [attributes] : []
        case .string, .unterminatedString: replies(toString: bytes)
        default: []
        }
    }

    private static let question = UInt8(ascii: "?")
    private static let attributes = ReplyShape("[", marker: question, final: "c")

    private static func reply(to sequence: ControlSequence) -> ReplyShape? {
        switch (Unicode.Scalar(sequence.marker), Unicode.Scalar(sequence.intermediate), Unicode.Scalar(sequence.final)) {
        case ("\0", "\0", "c"): attributes
        case (">", "\0", "c"): ReplyShape("[", marker: sequence.marker, final: "c")
        case ("=", "\0", "c"), (">", "\0", "q"), ("\0", "*", "y"), ("\0", "$", "w"), ("\0", "$", "u"), ("\0", "&", "u"):
            ReplyShape("P")
        case ("\0", "\0", "n"), ("?", "\0", "n"):
            ReplyShape("[", marker: sequence.marker, final: sequence.value(0) == 6 ? "R" : "n")
        case ("\0", "\0", "x"): ReplyShape("[", final: "x")
        case ("\0", "\0", "t"): [20, 21].contains(sequence.value(0)) ? ReplyShape("]") : ReplyShape("[", final: "t")
        case ("\0", "$", "p"), ("?", "$", "p"): ReplyShape("[", marker: sequence.marker, final: "y")
        // XTREPORTSGR, DECRQDE.
        case ("\0", "#", "|"): ReplyShape("[", final: "m")
        case ("\0", "\"", "v"): ReplyShape("[", final: "w")
        case ("?", "\0", "u"): ReplyShape("[", marker: question, final: "u")
        case ("?", "\0", "S"): ReplyShape("[", marker: question, final: "S")
        case ("?", "\0", "m"): ReplyShape("[", marker: UInt8(ascii: ">"), final: "m")
        default: nil
        }
    }

    private static func replies(toString bytes: UnsafeBufferPointer<UInt8>) -> [ReplyShape] {
        guard let start = bytes.dropFirst().firstIndex(where: { (0x20..<0x7F).contains($0) }) else { return [] }
        let body = bytes[(start + 1)...].prefix { $0 != 0x07 && $0 != 0x1B }
        switch bytes[start] {
        case UInt8(ascii: "]"):
            // A question mark stands for each value that is asked for.
            let count = body.split(separator: UInt8(ascii: ";")).count { $0.elementsEqual([question]) }
            return Array(repeating: ReplyShape("]"), count: min(count, most))
        case UInt8(ascii: "P"):
            let function = body.drop { (0x30...0x3F).contains($0) }.prefix(2)
            guard function.elementsEqual("$q".utf8) || function.elementsEqual("+q".utf8) || function.elementsEqual("+Q".utf8)
            else { return [] }
            let count = 1 + body.count { $0 == UInt8(ascii: ";") }
            return Array(repeating: ReplyShape("P"), count: min(count, most))
        // Graphics of kitty.
        case UInt8(ascii: "_"): return body.first == UInt8(ascii: "G") ? [ReplyShape("_")] : []
        default: return []
        }
    }
}
