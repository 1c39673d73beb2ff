import TerminalUI

extension TerminalBackground {
    /// The longest reply to the query for the background, in bytes.
    private static let longestReply = 64

    /// The reply to the query for the terminal's background (OSC 11) in a control string, without its beginning and its end; nil
    /// if the string is another one.
    static func reply(in string: [UInt8]) -> String? {
        let text = String(decoding: string, as: UTF8.self)
        guard string.count <= longestReply, text.hasPrefix("\u{1B}]11;") else { return nil }
        let body = text.dropFirst(5)
        return String(body.hasSuffix("\u{1B}\\") ? body.dropLast(2) : body.dropLast())
    }
}
