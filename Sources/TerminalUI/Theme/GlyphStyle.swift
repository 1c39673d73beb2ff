/// The characters that lines, marks and drawings consist of.
public enum GlyphStyle: String, Sendable, CaseIterable {
    /// Box drawing, blocks, Braille patterns and arrows.
    case unicode
    /// ASCII only. Other text, such as a message of the server, is unchanged where the locale allows it.
    case ascii

    /// The style for a terminal: ASCII for the console of Linux, whose fonts have few of these characters, and for a locale
    /// without them.
    /// - Parameters:
    ///   - environment: the program's environment; `TERM` is read.
    ///   - isUTF8: whether the character set of the locale is UTF-8.
    package init(environment: [String: String], isUTF8: Bool) {
        let name = environment["TERM"] ?? ""
        self = !isUTF8 || name == "linux" || name.hasPrefix("linux-") ? .ascii : .unicode
    }
}
