import BellerophonBase

/// Invisible characters, which must not appear in log lines, errors or settings.
enum UnseenText {
    /// Control and format characters, and line and paragraph separators.
    static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// The text as a JSON string with these characters escaped.
    static func quoted(_ text: String) -> String { JSONText.quoted(text, escaping: isUnseen) }
}
