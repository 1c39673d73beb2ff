import BellerophonBase
import Digests
import Foundation
import StatusModel

/// The status of a scope's clients, as the bytes on the wire.
///
/// It is an object, so that a copy of thousands of them costs little.
package final class PublishedStatus: Sendable {
    /// The requested scope.
    package let scope: Scope
    /// The journal row that made this status effective; 0 before the first publish.
    package let serial: Int64
    /// The date by which clients order statuses, in whole milliseconds: when the status became effective, or later
    /// after a clock was set back; nil before the first publish.
    package let publishedAt: Date?
    package let body: Data
    /// When the status ends by itself, its rules aside.
    package let endsAt: Date?
    /// When time alone changes it next: it ends, or a phase of a rule begins.
    package let nextChange: Date?
    /// The row with the document, which may be the app's if the scope is a channel.
    package let entry: JournalEntry?
    /// The newest row of the scope itself; nil if there is none.
    package let newest: JournalEntry?
    /// The entity tag with its quotes. Publishing the same document again changes it: a cache that revalidates with 304
    /// could otherwise keep the previous date.
    package let etag: String
    /// The ID of the event that announces the status.
    package let eventID: String

    init(
        scope: Scope, serial: Int64, publishedAt: Date?, body: Data, endsAt: Date?, nextChange: Date? = nil, entry: JournalEntry?,
        newest: JournalEntry? = nil
    ) {
        let hex = Digest(.sha256, of: body)?.hex ?? ""
        self.scope = scope
        self.serial = serial
        self.publishedAt = publishedAt
        self.body = body
        (self.endsAt, self.nextChange) = (endsAt, nextChange)
        (self.entry, self.newest) = (entry, newest)
        etag = "\"\(serial)-\(hex.prefix(32))\""
        eventID = "\(serial)-\(hex.prefix(8))"
    }

    /// The status before the first publish.
    convenience init(initial scope: Scope) {
        let body = Publication(scope: scope, action: .restore).baseDocument()
        self.init(scope: scope, serial: 0, publishedAt: nil, body: Data(body.utf8), endsAt: nil, entry: nil)
    }

    /// Whether the status stops the program.
    package var isBlocking: Bool { entry?.isBlocking ?? false }
}

extension Publication {
    /// The status document without rules: the original's four fields, then those that only this project's clients read.
    /// - Parameter backAt: when the service is expected back, in whole seconds.
    func baseDocument(backAt: Date? = nil) -> String {
        let texts: [(String, JSONNode?)] = StatusField.allCases.map { field in
            // The original's clients expect every one of the four fields.
            (field.documentName, published(field).map(JSONNode.text) ?? (field == .message ? .null : nil))
        }
        return JSONNode.object(
            [
                ("apiInactive", .bool(action == .kill)), ("forceUpdate", .bool(action == .update)),
                ("retryInterval", .number(retryInterval ?? action.usualRetryInterval)),
            ] + texts + [("userMessages", Translations.node(messages)), ("backAt", backAt.map { .text(PlanTime.text($0)) })]
        ).compactText()
    }

    private func published(_ field: StatusField) -> String? {
        switch field.form {
        case .paragraphs: StoreText.message(facts[field])
        case .line: StoreText.singleLine(facts[field])
        case .webAddress: facts[field]
        }
    }
}
