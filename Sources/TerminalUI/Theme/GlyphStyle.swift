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

    /// A text of this package, with the symbols replaced whose ASCII form takes several columns: `⇅` becomes `<>`.
    ///
    /// To be called before the text is measured. Every other symbol is replaced in its cell when the frame is drawn.
    package func text(_ text: String) -> String { replacing(Self.words, in: text) }

    /// The label of one or several keys: `↑↓` becomes `Up/Dn`, `⏎` becomes `Enter`.
    package func keys(_ label: String) -> String { replacing(Self.keys, in: label) }

    private func replacing(_ words: [(String, String)], in text: String) -> String {
        self == .unicode ? text : words.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// A symbol before several spaces, which align what follows, takes one of them.
    private static let words = [("⇅  ", "<> "), ("⇅", "<>"), ("∞", "inf"), (" → ", " -> ")]

    private static let keys = [
        ("↑↓", "Up/Dn"), ("←→", "Left/Right"), ("↑", "Up"), ("↓", "Dn"), ("←", "Left"), ("→", "Right"), ("⏎", "Enter"),
    ]
}
