internal import TerminalUI

extension ShadowTerminal {
    /// Acts on one token of the program's output.
    @inline(__always)
    mutating func perform(
        _ token: SequenceTokenizer.Token, _ bytes: UnsafeBufferPointer<UInt8>, _ sequence: inout ControlSequence
    ) -> ShadowEffect {
        if token == .text {
            write(bytes)
            return .screen
        }
        defer { lastWritten = nil }
        switch token {
        case .text: return .screen
        case .control:
            sequence.read(bytes)
            return perform(sequence)
        case .escape: return performEscape(bytes)
        case .string, .unterminatedString: return performString(bytes)
        case .cancelled:
            if !dialect.isString(bytes) { for byte in bytes where byte < 0x20 { control(byte) } }
            return .nothing
        case .overlongPart, .overlongEnd:
            loseToOverlong(bytes)
            return .outside
        }
    }

    /// The reply to a question about the present state.
    func reply(to question: ShadowQuestion) -> [UInt8] {
        switch question {
        case .cursor(let isExtended):
            let row = isOriginRelative ? row - region.lowerBound : row
            return Array("\u{1B}[\(isExtended ? "?" : "")\(row + 1);\(column + 1)R".utf8)
        case .mode(let mode): return Array("\u{1B}[?\(mode);\(modes[mode] ? 1 : 2)$y".utf8)
        case .keyboardFlags: return Array("\u{1B}[?\(keyboard.top)u".utf8)
        }
    }
}
