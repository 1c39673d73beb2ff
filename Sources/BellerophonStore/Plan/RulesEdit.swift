#if Server
/// A change of the rules of a scope.
package struct RulesEdit: Equatable, Sendable {
    /// The rules to publish, each the text of a JSON object: the form that `rules` of a status document has. A rule replaces the one
    /// with its id in its place; a new one is the last.
    package var put: [String]
    /// The ids of the rules to remove. Each must be one of the scope's rules.
    package var remove: [String]
    /// Whether the rules may cover every app that asks.
    package var everyone: Bool

    package init(put: [String] = [], remove: [String] = [], everyone: Bool = false) {
        (self.put, self.remove, self.everyone) = (put, remove, everyone)
    }
}
#endif
