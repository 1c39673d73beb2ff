/// An error of a store, and what a person can do about it.
package struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        /// The request itself is invalid; nothing was changed.
        case invalid
        case notFound
        /// Such as a version that is not higher, or a name that is in use.
        case conflict
        /// Another status of the scope was published since the author looked.
        case overtaken
        /// A kill or an update stands that the publish would weaken, and the publish does not name it.
        case standing
        /// Nobody waits for the change any more; nothing was changed.
        case withdrawn
        case digestMismatch
        /// Another process held the store for longer than ``Store/busyLimit``.
        case busy
        case full
        case notPermitted
        /// One person can't do this alone: see ``ApprovalRule``.
        case needsApproval
        /// The token with which a change was to be made is not known, or was revoked.
        case unknownToken
        case expiredToken
        /// The token does not permit the change: see ``StoreError/neededScope``.
        case forbidden
        /// The request's token does not have what it was to give to another one.
        case notGranted
        case notAStore
        case newerStore
        case damaged
        /// The store was brought back from a backup, and nobody has said so yet: see ``LastRow``.
        case broughtBack
        /// The shared journal can't be reached; nothing was changed.
        case unavailable
        /// The connection to the shared journal was lost while a change was committed.
        case unknown
        /// It is not certain that the standbys which must have the newest rows of the shared journal have them.
        case unconfirmed
        case failed
    }

    package let kind: Kind
    package let message: String
    package internal(set) var hint: String?
    /// The scope that the token of a change does not have; nil for other errors.
    package var neededScope: TokenScope?

    init(_ kind: Kind, _ message: String, hint: String? = nil) {
        self.kind = kind
        self.message = message
        self.hint = hint
    }

    /// The request itself is invalid.
    package static func invalid(_ message: String, hint: String? = nil) -> StoreError {
        StoreError(.invalid, message, hint: hint)
    }

    package var description: String { hint.map { "\(message) (\($0))" } ?? message }
}
