/// The wish of a person who does not see the screen, for text that is only added.
package enum PlainPreference {
    /// Whether the environment expresses it: the variable `ACCESSIBLE` is neither empty nor `0`.
    package static func isExpressed(in environment: [String: String]) -> Bool {
        environment["ACCESSIBLE"].map { !$0.isEmpty && $0 != "0" } ?? false
    }
}
