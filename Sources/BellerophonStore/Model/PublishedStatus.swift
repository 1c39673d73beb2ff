#if Server
import BellerophonBase
import Digests
import Foundation

/// What a scope's clients are told, as the bytes that go over the wire.
package struct PublishedStatus: Equatable, Sendable {
    /// The scope that was asked for.
    package let scope: Scope
    /// The journal row that made this effective; 0 before anything was published.
    package let serial: Int64
    /// The date by which clients order it, whole milliseconds: when it became effective, or later after a clock was set
    /// back; nil before anything was published.
    package let publishedAt: Date?
    package let body: Data
    /// When it ends by itself.
    package let endsAt: Date?
    /// The row whose document this is. A channel may show its app's.
    package let entry: JournalEntry?
    /// With its quotes. The same document published anew has another: a cache that is told "not modified" may go on
    /// answering with the former date.
    package let etag: String
    /// The id of the event that tells of it.
    package let eventID: String

    init(scope: Scope, serial: Int64, publishedAt: Date?, body: Data, endsAt: Date?, entry: JournalEntry?) {
        let hex = Digest(.sha256, of: body)?.hex ?? ""
        self.scope = scope
        self.serial = serial
        self.publishedAt = publishedAt
        self.body = body
        self.endsAt = endsAt
        self.entry = entry
        etag = "\"\(serial)-\(hex.prefix(32))\""
        eventID = "\(serial)-\(hex.prefix(8))"
    }

    /// What is shown before anything was published.
    init(initial scope: Scope) {
        let body = Publication(scope: scope, action: .restore).document
        self.init(scope: scope, serial: 0, publishedAt: nil, body: Data(body.utf8), endsAt: nil, entry: nil)
    }

    /// Whether it stops a program.
    package var isBlocking: Bool { entry?.isBlocking ?? false }
}

extension JournalEntry {
    var isBlocking: Bool { statusAction == .kill || statusAction == .update }
}

extension Publication {
    /// The status document: the original's four fields, then what only this project's clients read.
    var document: String {
        JSONNode.object([
            ("apiInactive", .bool(action == .kill)), ("forceUpdate", .bool(action == .update)),
            ("retryInterval", .number(retryInterval ?? action.usualRetryInterval)),
            ("userMessage", StoreText.message(message).map(JSONNode.text) ?? .null),
            ("requiredVersion", StoreText.note(requiredVersion).map(JSONNode.text)), ("updateURL", updateURL.map(JSONNode.text)),
        ]).compactText()
    }
}
#endif
