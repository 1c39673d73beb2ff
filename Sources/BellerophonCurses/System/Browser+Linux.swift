#if os(Linux)
extension Browser {
    /// Without a display xdg-open would start a text browser that has no terminal.
    static func opener(hasDisplay: Bool) -> String? { hasDisplay ? "xdg-open" : nil }
}
#endif
