/// A resource's name, which is also a folder's name and the last component of a URL's path.
///
/// 1 to 128 of `A–Z a–z 0–9 . _ -`, the first a letter or a digit. This excludes `..`, slashes and hidden files.
public struct ResourceName: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The name as text.
    public let text: String

    /// Nil if the text is not a valid name.
    public init?(_ text: String) {
        guard let first = text.utf8.first, text.utf8.count <= Self.longest else { return nil }
        guard Self.isLetterOrDigit(first), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = text
    }

    /// The maximum length in bytes.
    package static let longest = 128

    /// The name as text.
    public var description: String { text }

    /// Compares the names as text.
    public static func < (left: ResourceName, right: ResourceName) -> Bool { left.text < right.text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }
}
