import CNcurses
import TerminalUI

@testable import BellerophonCurses

/// Pasted text never presses a key, no known key is lost, and the decoder stays synchronised.
enum KeySurface {
    static func check(_ input: [UInt8]) throws(Violation) {
        let raws = rawKeys(input)
        var decoder = KeyDecoder()
        let whole = decoder.decode(raws)
        try require(whole.count <= raws.count, "\(raws.count) raw keys became \(whole.count)")
        try requireSameInPieces(raws, whole)
        try requireAsModel(raws, whole, decoder)
        // After the end of a paste a key is a key, whatever came before.
        _ = decoder.decode([.code(KeyDecoder.pasteEnd)])
        try require(decoder.decode([.character(0x71)]) == [.key(.character("q"))], "a key after the end is lost")
    }

    /// No sequence is open after an ncurses key code, so the input may be split there.
    private static func requireSameInPieces(_ raws: [RawKey], _ whole: [KeyDecoder.Input]) throws(Violation) {
        var decoder = KeyDecoder()
        var inputs: [KeyDecoder.Input] = []
        var piece: [RawKey] = []
        for raw in raws {
            piece.append(raw)
            guard case .code = raw else { continue }
            inputs += decoder.decode(piece)
            piece = []
        }
        inputs += decoder.decode(piece)
        try require(inputs == whole, "in pieces it is something else")
    }

    /// Compares pastes and mouse reports with a simpler decoder.
    private static func requireAsModel(_ raws: [RawKey], _ whole: [KeyDecoder.Input], _ decoder: KeyDecoder) throws(Violation) {
        var pasted: String.UnicodeScalarView?
        var expected: [KeyDecoder.Input] = []
        for raw in raws {
            switch raw {
            case .code(KeyDecoder.pasteBegin): pasted = String.UnicodeScalarView()
            case .code(KeyDecoder.pasteEnd):
                if let text = pasted { expected.append(.paste(String(text))) }
                pasted = nil
            case .code(KEY_MOUSE) where pasted == nil: expected.append(.mouse)
            case .code(KEY_UP) where pasted == nil: expected.append(.key(.up))
            case .character(let value): if let scalar = Unicode.Scalar(value) { pasted?.append(scalar) }
            default: break
            }
        }
        let found = whole.filter { input in
            switch input {
            case .mouse, .paste, .key(.up): true
            case .key, .reply: false
            }
        }
        try require(found == expected, "found \(found.count) pastes, mouse reports and arrows, not \(expected.count)")
        try require(decoder.isPasting == (pasted != nil), "it has lost its place in a paste")
    }

    /// Bytes up to 0xBF are characters; the others are key codes or characters with high values.
    private static func rawKeys(_ input: [UInt8]) -> [RawKey] {
        let codes = [
            KeyDecoder.pasteBegin, KeyDecoder.pasteEnd, KEY_MOUSE, KEY_UP, KEY_RESIZE, KEY_BTAB, KEY_F0 + 1, KEY_F0 + 63,
            KEY_F0 + 64, -1,
            0x1FFF, .max, KeyDecoder.replyBegin,
        ]
        return input.prefix(4096).map { byte in
            switch byte {
            case 0..<0xC0: .character(UInt32(byte))
            case 0xC0..<0xE0: .code(codes[Int(byte - 0xC0) % codes.count])
            default: .character([0x1F600, 0x4E2D, 0xD800, 0x11_0000, .max, 0x301][Int(byte) % 6])
            }
        }
    }
}
