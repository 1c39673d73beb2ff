import BellerophonBase
import Digests
import Foundation

/// A share of the installations: `2.5%`.
///
/// An installation belongs to it by a number between 0 and 9,999 that is made of a text in the rule and the id of the installation.
/// The number stays the same while the share grows, so that nobody leaves it.
package struct Share: Hashable, Sendable {
    /// Hundredths of a percent: 0 to 10,000.
    package let hundredths: Int
    /// The text of the share in the document.
    package let text: String
    /// The text that the number is made of beside the id. Rules with the same text cover the same installations first.
    package let draw: String

    /// The most bytes of ``draw``.
    package static let drawLimit = 64

    /// Reads a share with up to two decimals; nil if the text is none.
    package init?(_ text: String, draw: String) {
        guard text.utf8.last == UInt8(ascii: "%"), text.utf8.count <= 7 else { return nil }
        let number = text.utf8.dropLast().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let whole = number.first, (1...2).contains(number.count),
            number.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
            whole.count == 1 || whole.first != UInt8(ascii: "0"), number.count == 1 || number[1].count <= 2,
            let percent = Int(String(decoding: whole, as: UTF8.self))
        else { return nil }
        let decimals = number.count == 1 ? "00" : String(decoding: number[1], as: UTF8.self) + (number[1].count == 1 ? "0" : "")
        guard let rest = Int(decimals), percent * 100 + rest <= Self.everybody else { return nil }
        (hundredths, self.text, self.draw) = (percent * 100 + rest, text, draw)
    }

    /// Whether the share contains an installation; nil if that depends on its number, which is not known.
    /// - Parameter number: the number of the installation for ``draw``. It is computed only if it matters.
    func contains(_ number: @autoclosure () -> Int?) -> Bool? {
        hundredths == Self.everybody ? true : number().map { $0 < hundredths }
    }

    /// 100 %, in hundredths of a percent.
    static let everybody = 10_000

    /// The number of an installation, 0 to 9,999; nil if the id is empty or longer than 128 bytes.
    package static func number(of installID: String, draw: String) -> Int? {
        guard (1...128).contains(installID.utf8.count), let bytes = Digest.sha256(of: "\(draw):\(installID)") else { return nil }
        let start = bytes.prefix(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int((start * UInt64(everybody)) >> 32)
    }

    /// A number of hundredths of a percent in words: `2.5%`.
    package static func percent(_ hundredths: Int) -> String {
        let rest = hundredths % 100
        let decimals = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
        return "\(hundredths / 100)\(decimals)%"
    }
}
