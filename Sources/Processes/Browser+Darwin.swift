#if canImport(Darwin)
extension Browser {
    static func opener(hasDisplay: Bool) -> String? { "open" }
}
#endif
