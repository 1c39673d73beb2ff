/// Words of shell commands.
package enum ShellWord {
    /// The bytes that need no quotes.
    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=+,@%".utf8)

    /// A word that a POSIX shell takes as it is. The text must not contain a byte 0.
    package static func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy(plain.contains)
        return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    /// A name or version that matches the whole grammar of its source, and has at most 128 bytes; nil for any other text.
    static func matching(_ grammar: some RegexComponent, _ text: String?) -> String? {
        guard let text, text.utf8.count <= 128, text.wholeMatch(of: grammar) != nil else { return nil }
        return text
    }

    /// Words with spaces between them.
    static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    /// A path that can stand in a command and on a screen: absolute, at most 4096 bytes, and without control characters.
    static func path(_ text: String) -> String? {
        let isClean = !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return text.hasPrefix("/") && text.utf8.count <= 4096 && isClean ? text : nil
    }
}
