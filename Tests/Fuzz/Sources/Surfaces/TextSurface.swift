import Foundation
import TerminalUI

/// Every text becomes safe, stays within its limits, and is unchanged by a second pass.
enum TextSurface {
    static func verify(_ input: [UInt8]) throws(Violation) {
        var choices = Choices(input)
        let keepsNewlines = choices.next(of: [true, false])
        let limit = choices.next(of: [4096, 0, 1, 2, 3, 4, 7, 16, 33, 80, 300, .max])
        let lines = choices.next(of: [40, 0, 1, 2, 3, .max])
        let text = String(decoding: choices.payload, as: UTF8.self)
        let once = TextSanitizer.sanitize(text, keepingNewlines: keepsNewlines, limit: limit, lines: lines)
        let twice = TextSanitizer.sanitize(once, keepingNewlines: keepsNewlines, limit: limit, lines: lines)
        try require(twice.utf8.elementsEqual(once.utf8), "the second time changes \(scalars(once)) to \(scalars(twice))")
        try require(once.utf8.count <= limit, "\(once.utf8.count) bytes, of \(limit)")
        try require(once.utf8.count { $0 == 0x0A } < max(lines, 1), "more than \(lines) lines")
        try require(keepsNewlines || !once.utf8.contains(0x0A), "a newline in a line")
        try requireSafe(once)
        if limit == .max, lines == .max { try requireNothingReadableIsLost(text, once) }
    }

    /// The invariants of every text that the product shows or prints.
    static func requireSafe(_ text: String) throws(Violation) {
        let all = Array(text.unicodeScalars)
        for (index, scalar) in all.enumerated() {
            let before = index > 0 ? all[index - 1] : nil, after = index + 1 < all.count ? all[index + 1] : nil
            try require(
                isAllowed(scalar, before, after), "\(scalars(text)) holds U+\(String(scalar.value, radix: 16)) at \(index)")
        }
        try requireNormalForm(text)
        for character in text { try require(marks(in: character) <= 4, "\(scalars(text)) has too many marks") }
    }

    /// The text is in form C, compared with the system's result. The system changes some scalars above U+FFFF to
    /// another text; then the comparison is skipped.
    private static func requireNormalForm(_ text: String) throws(Violation) {
        let normal = text.precomposedStringWithCanonicalMapping
        let isRight = normal.decomposedStringWithCanonicalMapping.utf8.elementsEqual(
            text.decomposedStringWithCanonicalMapping.utf8)
        try require(!isRight || normal.utf8.elementsEqual(text.utf8), "\(scalars(text)) is not in normal form C")
    }

    private static func isAllowed(_ scalar: Unicode.Scalar, _ before: Unicode.Scalar?, _ after: Unicode.Scalar?) -> Bool {
        switch scalar.value {
        case 0x0A: return true
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x2029, 0xE0000...0xE0FFF, 0xFDD0...0xFDEF: return false
        case 0xFE0E, 0xFE0F: return before?.properties.isEmoji == true
        case 0x200D: return before?.isPartOfEmoji == true && after?.properties.isEmoji == true
        default:
            return !scalar.properties.isBidiControl && !scalar.properties.isDefaultIgnorableCodePoint
                && scalar.value & 0xFFFE != 0xFFFE
        }
    }

    /// The largest number of consecutive marks in a grapheme. A letter joined by a virama restarts the count. So does a
    /// spacing mark that would be its own grapheme except for a preceding sign that belongs to the next character.
    private static func marks(in character: Character) -> Int {
        var most = 0, count = 0
        // A mark at the start of a grapheme has no base.
        for scalar in character.unicodeScalars.dropFirst() where !(0xFE0E...0xFE0F).contains(scalar.value) {
            switch scalar.properties.generalCategory {
            case .spacingMark where ("a" + String(scalar)).count == 2: count = 0
            case .nonspacingMark, .spacingMark, .enclosingMark: count += 1
            default: count = 0
            }
            most = max(most, count)
        }
        return most
    }

    private static func requireNothingReadableIsLost(_ text: String, _ safe: String) throws(Violation) {
        try require(letters(of: text) == letters(of: safe), "letters are lost of \(scalars(text))")
    }

    /// The letters a to z in order, after decomposition of letters with marks.
    private static func letters(of text: String) -> [UInt8] {
        text.decomposedStringWithCanonicalMapping.utf8.filter { (0x61...0x7A).contains($0) }
    }

    static func scalars(_ text: String) -> String {
        text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
    }
}

extension Unicode.Scalar {
    fileprivate var isPartOfEmoji: Bool { properties.isEmoji || value == 0xFE0E || value == 0xFE0F }
}
