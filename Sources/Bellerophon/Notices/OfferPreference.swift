/// Whether a person wants to be told of newer versions.
package enum OfferPreference {
    /// Whether these variables allow offers: `NO_UPDATE_NOTIFIER` is not set, or empty.
    package static func isAllowed(in environment: [String: String]) -> Bool {
        environment["NO_UPDATE_NOTIFIER"]?.isEmpty ?? true
    }
}
