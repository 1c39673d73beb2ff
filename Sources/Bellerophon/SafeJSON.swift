package import Foundation
import TerminalUI

/// JSON whose texts are safe to print, and still are when a program has read them.
///
/// An escape such as `\u001b` is harmless on a terminal, but whoever prints what it stands for would let it act there.
package enum SafeJSON {
    /// The same JSON with every text in it, names too, held to the rule of ``TerminalUI/SafeText``, at any length.
    /// - Parameter json: sound JSON in UTF-8; other bytes are mended.
    package static func text(_ json: Data) -> String {
        let bytes = Array(json)
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == quote else {
                out.append(bytes[index])
                index += 1
                continue
            }
            let end = stringEnd(bytes, from: index + 1)
            let string = JSONText.unescaped(Array(bytes[(index + 1)..<end]))
            out += quoted(SafeText.printable(string)).utf8
            index = end + 1
        }
        return SafeText.printable(String(decoding: out, as: UTF8.self))
    }

    private static let quote = UInt8(ascii: "\""), backslash = UInt8(ascii: "\\")

    private static func stringEnd(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != quote { index += bytes[index] == backslash ? 2 : 1 }
        return min(index, bytes.count)
    }

    /// - Parameter text: safe text: of what JSON has to escape, only the newline is left in it.
    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}
