#if Server
/// What went wrong in a store, and what a person can do about it.
package struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        /// The request itself is wrong; nothing was changed.
        case invalid
        case notFound
        /// A version that does not grow, a name that is taken.
        case conflict
        case digestMismatch
        /// Another process held the store for longer than ``Store/busyLimit``.
        case busy
        case full
        case notPermitted
        case notAStore
        case newerStore
        case damaged
        case failed
    }

    package let kind: Kind
    package let message: String
    package let hint: String?

    init(_ kind: Kind, _ message: String, hint: String? = nil) {
        self.kind = kind
        self.message = message
        self.hint = hint
    }

    /// A request that can't be carried out as it stands.
    static func invalid(_ message: String, hint: String? = nil) -> StoreError {
        StoreError(.invalid, message, hint: hint)
    }

    package var description: String { hint.map { "\(message) (\($0))" } ?? message }
}
#endif
