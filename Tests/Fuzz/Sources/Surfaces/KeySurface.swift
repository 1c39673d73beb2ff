import TerminalUI

@testable import TerminalIO

/// Pasted text never presses a key, the input may come in any pieces, and no input keeps later keys from arriving.
enum KeySurface {
    static func verify(_ input: [UInt8]) throws(Violation) {
        let bytes = Array(input.prefix(4096))
        var stream = KeyStream()
        let whole = stream.take(bytes)
        try require(whole.count <= bytes.count, "\(bytes.count) bytes became \(whole.count) items")
        try requireSameInPieces(bytes, whole)
        try requireNoKeys(inPaste: bytes)
        _ = stream.abandon()
        try require(!stream.isOpen, "something is open after the end")
        try require(stream.take([0x71]) == [.key(.character("q"))], "a key after the end is lost")
    }

    private static func requireSameInPieces(_ bytes: [UInt8], _ whole: [KeyStream.Item]) throws(Violation) {
        for size in [1, 2, 7] {
            var stream = KeyStream()
            var items: [KeyStream.Item] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                items += stream.take(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            try require(items == whole, "in pieces of \(size) it is something else")
        }
    }

    /// A paste that contains the bytes and is closed is one item, unless they close it themselves.
    private static func requireNoKeys(inPaste bytes: [UInt8]) throws(Violation) {
        let end = Array("\u{1B}[201~".utf8)
        guard !(bytes + end.dropLast()).contains(end) else { return }
        var stream = KeyStream()
        let items = stream.take(Array("\u{1B}[200~".utf8) + bytes + end)
        try require(items == [.paste(String(decoding: bytes, as: UTF8.self))], "a paste became \(items.count) items")
    }
}
