/// The name of a profile: the name of its file in `guard.d` without `.json`.
///
/// Letters of ASCII, digits, `.`, `_` and `-` are allowed, so that the name is safe in a path, in a shell script and on a
/// command line. The first character is a letter, a digit or `_`.
package struct GuardProfileName: Hashable, Comparable, Sendable, CustomStringConvertible {
    package static let lengthLimit = 64
    /// The rule in the words of an error message.
    package static let rule =
        "1 to \(lengthLimit) letters (a-z, A-Z), digits, \".\", \"_\" and \"-\", and does not start with \".\" or \"-\""

    package let text: String

    /// - Returns: nil if the text breaks the rule.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...Self.lengthLimit).contains(bytes.count), bytes.allSatisfy(Self.allowed.contains), let first = bytes.first,
            first != UInt8(ascii: "."), first != UInt8(ascii: "-")
        else { return nil }
        self.text = text
    }

    /// - Throws: ``GuardInstallError`` with the rule if the text breaks it.
    package init(validating text: String) throws(GuardInstallError) {
        guard let name = Self(text) else {
            throw GuardInstallError(.configuration, "\"\(text)\": expected a name that has \(Self.rule)")
        }
        self = name
    }

    private static let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-".utf8)

    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }

    package var description: String { text }
}
