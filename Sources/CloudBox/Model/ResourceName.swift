/// A resource's name, which is also a folder's name and the last component of a URL's path.
///
/// 1 to 128 of `A–Z a–z 0–9 . _ -`, the first a letter or a digit. This excludes `..`, slashes and hidden files.
public struct ResourceName: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The name as text.
    public let text: String

    /// Nil if the text is not a valid name.
    public init?(_ text: String) {
        func isPlain(_ character: Character) -> Bool { character.isASCII && (character.isLetter || character.isNumber) }
        guard let first = text.first, text.utf8.count <= Self.longest, isPlain(first),
            text.allSatisfy({ isPlain($0) || "._-".contains($0) })
        else { return nil }
        self.text = text
    }

    /// The maximum length in bytes.
    package static let longest = 128

    /// The name as text.
    public var description: String { text }

    /// Compares the names as text.
    public static func < (left: ResourceName, right: ResourceName) -> Bool { left.text < right.text }
}
