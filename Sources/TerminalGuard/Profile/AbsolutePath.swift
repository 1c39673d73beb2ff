import BellerophonBase

/// An absolute path that is written in one way only: without `.`, `..`, empty parts and invisible characters.
///
/// Two paths are equal if their bytes are equal, as for the system. Equal strings may have different bytes (Unicode's
/// canonical equivalence).
package struct AbsolutePath: Hashable, Sendable, CustomStringConvertible {
    /// The longest path in bytes; Linux accepts 4096 with the terminating zero.
    private static let lengthLimit = 4095

    private let bytes: [UInt8]

    /// - Returns: nil if the text is not such a path, or names only the top folder.
    package init?(_ text: String) {
        bytes = Array(text.utf8)
        let parts = PathText.parts(of: text)
        guard !parts.isEmpty, bytes.elementsEqual(("/" + parts.joined(separator: "/")).utf8),
            bytes.count <= Self.lengthLimit, !parts.contains("."), !parts.contains(".."),
            !text.unicodeScalars.contains(where: \.isInvisible)
        else { return nil }
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The path of the folder that contains the file.
    package var folder: String { PathText.split(text).folder }
    /// The last part of the path.
    package var name: String { PathText.split(text).name }
    package var description: String { text }
}
