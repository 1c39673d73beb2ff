import Foundation

/// Requests to a terminal's clipboard (OSC 52; XTerm Control Sequences, "Operating System Commands").
package enum Clipboard {
    /// The longest text that is copied, in bytes. xterm takes about this much.
    private static let limit = 74_994

    /// The bytes that ask a terminal to copy a text. The text is sanitised, because it may be pasted into a shell.
    package static func request(_ text: String) -> String {
        let data = Data(TextSanitizer.printable(text).utf8.prefix(limit))
        return "\u{1B}]52;c;\(data.base64EncodedString())\u{7}"
    }
}
