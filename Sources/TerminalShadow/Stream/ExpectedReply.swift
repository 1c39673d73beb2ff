/// A reply that the terminal owes a program for a question, as far as it differs from other input.
package struct ExpectedReply: Equatable, Sendable {
    /// The byte after ESC: `[` for a control sequence; `]`, `P` or `_` for a string.
    package let introducer: UInt8
    /// The private marker of a control sequence; 0 for none.
    package let marker: UInt8
    /// The final byte of a control sequence; 0 for a string.
    package let final: UInt8

    private init(_ introducer: Unicode.Scalar, marker: UInt8 = 0, final: Unicode.Scalar = "\0") {
        self.introducer = UInt8(ascii: introducer)
        self.marker = marker
        self.final = UInt8(ascii: final)
    }

    /// The most replies that a single question is taken for.
    private static let most = 16

    /// The replies to a part of a program's output.
    /// - Parameter sequence: the parts of the bytes, if they are a control sequence.
    static func replies(
        to token: SequenceTokenizer.Token, _ bytes: UnsafeBufferPointer<UInt8>, _ sequence: ControlSequence
    ) -> [ExpectedReply] {
        switch token {
        case .control: reply(to: sequence).map { [$0] } ?? []
        // DECID.
        case .escape: bytes.last == UInt8(ascii: "Z") ? [attributes] : []
        case .string, .unterminatedString: replies(toString: bytes)
        default: []
        }
    }

    private static let question = UInt8(ascii: "?")
    private static let attributes = ExpectedReply("[", marker: question, final: "c")

    private static func reply(to sequence: ControlSequence) -> ExpectedReply? {
        switch (Unicode.Scalar(sequence.marker), Unicode.Scalar(sequence.intermediate), Unicode.Scalar(sequence.final)) {
        case ("\0", "\0", "c"): attributes
        case (">", "\0", "c"): ExpectedReply("[", marker: sequence.marker, final: "c")
        case ("=", "\0", "c"), (">", "\0", "q"), ("\0", "*", "y"): ExpectedReply("P")
        case ("\0", "\0", "n"), ("?", "\0", "n"):
            ExpectedReply("[", marker: sequence.marker, final: sequence.value(0) == 6 ? "R" : "n")
        case ("\0", "\0", "x"): ExpectedReply("[", final: "x")
        case ("\0", "\0", "t"): [20, 21].contains(sequence.value(0)) ? ExpectedReply("]") : ExpectedReply("[", final: "t")
        case ("\0", "$", "p"), ("?", "$", "p"): ExpectedReply("[", marker: sequence.marker, final: "y")
        case ("?", "\0", "u"): ExpectedReply("[", marker: question, final: "u")
        case ("?", "\0", "S"): ExpectedReply("[", marker: question, final: "S")
        case ("?", "\0", "m"): ExpectedReply("[", marker: UInt8(ascii: ">"), final: "m")
        default: nil
        }
    }

    private static func replies(toString bytes: UnsafeBufferPointer<UInt8>) -> [ExpectedReply] {
        guard let start = bytes.dropFirst().firstIndex(where: { (0x20..<0x7F).contains($0) }) else { return [] }
        let body = bytes[(start + 1)...].prefix { $0 != 0x07 && $0 != 0x1B }
        switch bytes[start] {
        case UInt8(ascii: "]"):
            // A question mark stands for each value that is asked for.
            let count = body.split(separator: UInt8(ascii: ";")).count { $0.elementsEqual([question]) }
            return Array(repeating: ExpectedReply("]"), count: min(count, most))
        case UInt8(ascii: "P"):
            let function = body.drop { (0x30...0x3F).contains($0) }.prefix(2)
            guard function.elementsEqual("$q".utf8) || function.elementsEqual("+q".utf8) else { return [] }
            let count = 1 + body.count { $0 == UInt8(ascii: ";") }
            return Array(repeating: ExpectedReply("P"), count: min(count, most))
        // Graphics of kitty.
        case UInt8(ascii: "_"): return body.first == UInt8(ascii: "G") ? [ExpectedReply("_")] : []
        default: return []
        }
    }
}
