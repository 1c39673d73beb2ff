/// The one gate between text from outside and the terminal.
public enum SafeText {
    /// Text that is safe to draw. SKELETON: replaced by the whole rule.
    /// - Parameters:
    ///   - limit: longest result in Unicode scalars.
    public static func sanitize(_ text: String, keepingNewlines: Bool = true, limit: Int = 4096) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 || (keepingNewlines && $0 == "\n") }.prefix(limit)))
    }
}
