#if Server
import BellerophonBase
import BellerophonStore

/// Characters that nobody sees: nothing that a line of the log, an error or a setting may hold.
enum UnseenText {
    /// Controls, and the marks that reorder text or end a line.
    static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Text as a JSON string in which they are escaped.
    static func quoted(_ text: String) -> String { JSONText.quoted(text, escaping: isUnseen) }
}
#endif
