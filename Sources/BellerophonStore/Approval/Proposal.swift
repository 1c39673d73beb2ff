#if Server
import Foundation

/// A status that one person has proposed, and that another one can publish.
package struct Proposal: Codable, Equatable, Sendable {
    package enum State: String, Codable, Sendable {
        /// It can be approved.
        case open
        case approved
        /// Somebody rejected it, or its author withdrew it.
        case rejected
        /// Nobody decided in time.
        case expired
    }

    /// The ID of its row in the journal.
    package let id: Int64
    package let app: String
    package let channel: String
    package let action: StatusAction
    /// The status document that would be published.
    package let document: String
    /// After how many seconds the status would end by itself; nil if it would not.
    package let endsAfter: Double?
    package let reason: String?
    package let proposedAt: Date
    package let proposedBy: String
    package let expiresAt: Date
    package let state: State
    package let decidedAt: Date?
    package let decidedBy: String?
    /// The ID of the row that published it.
    package let entry: Int64?

    package var scope: Scope { Scope(checkedApp: app, channel: channel) }
}
#endif
