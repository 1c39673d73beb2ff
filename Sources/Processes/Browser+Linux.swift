#if os(Linux)
extension Browser {
    /// The system's opener. Without a display xdg-open would start a text browser, which has no terminal.
    static func opener(hasDisplay: Bool) -> String? { hasDisplay ? "xdg-open" : nil }
}
#endif
