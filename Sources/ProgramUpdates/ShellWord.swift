/// Words of shell commands.
package enum ShellWord {
    /// A word that a POSIX shell takes as it is. The text must not contain a byte 0.
    package static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "_-./:=+,@%".utf8.contains(byte)
                }
            }
        return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    /// Words with spaces between them.
    static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    /// A path that can stand in a command and on a screen: absolute, at most 4096 bytes, and without control characters.
    static func path(_ text: String) -> String? {
        let isClean = !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return text.hasPrefix("/") && text.utf8.count <= 4096 && isClean ? text : nil
    }
}
