import BellerophonBase

/// An absolute path that is written in one way only: without `.`, `..`, empty parts and invisible characters.
///
/// Two paths are equal if their bytes are equal, as for the system. Equal strings may have different bytes (Unicode's
/// canonical equivalence).
package struct AbsolutePath: Hashable, Sendable, CustomStringConvertible {
    /// The longest path in bytes; Linux accepts 4096 with the terminating zero.
    private static let lengthLimit = 4095

    package let text: String
    /// The path of the folder that contains the file.
    package let folder: String
    /// The last part of the path.
    package let name: String

    /// - Returns: nil if the text is not such a path, or names only the top folder.
    package init?(_ text: String) {
        let parts = PathText.parts(of: text)
        guard let name = parts.last, text.utf8.elementsEqual(("/" + parts.joined(separator: "/")).utf8),
            text.utf8.count <= Self.lengthLimit, !parts.contains("."), !parts.contains(".."),
            !text.unicodeScalars.contains(where: \.isInvisible)
        else { return nil }
        self.text = text
        self.name = name
        folder = "/" + parts.dropLast().joined(separator: "/")
    }

    package static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    package var description: String { text }
}
