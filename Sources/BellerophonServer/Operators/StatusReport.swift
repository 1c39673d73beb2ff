#if Server
import BellerophonStore
import Foundation
import SafeText
import StatusModel

/// The status that a scope's clients get, with its time, author and reason.
package struct StatusReport: Encodable, Sendable {
    package let app: String
    package let channel: String
    /// `unknown` if clients would reject the document.
    package let state: Stage
    package let message: String?
    /// In seconds.
    package let retryInterval: Double?
    package let requiredVersion: String?
    package let updateURL: String?
    /// When the status became effective.
    package let since: Date?
    package let by: String?
    /// Who proposed it; nil unless two persons have published it.
    package let proposedBy: String?
    /// Whether one person published a kill that takes two.
    package let breakGlass: Bool?
    package let reason: String?
    package let endsAt: Date?
    /// The ID of the journal's row.
    package let entry: Int64?
    /// The scope that the status comes from, if a channel shows its app's.
    package let inheritedFrom: String?
    /// The exact document.
    package let document: String

    /// - Parameters:
    ///   - entry: the journal's row, if known.
    ///   - date: the time for which ``state`` is determined. Nothing is known of the clients.
    package init(_ scope: Scope, document data: Data, since: Date?, entry: JournalEntry?, at date: Date) {
        let document = try? StatusDocument(json: data)
        app = scope.app
        channel = scope.channel
        state = document?.verdict(for: AppFacts(), at: date).stage ?? .unknown
        message = document?.message
        retryInterval = document?.interval
        requiredVersion = document?.requiredVersion
        updateURL = document?.link
        self.since = since
        by = entry?.who
        proposedBy = entry?.proposedBy
        breakGlass = entry?.breakGlass
        reason = entry?.reason
        endsAt = entry?.endsAt
        self.entry = entry?.id
        inheritedFrom = entry?.scope.flatMap { $0 == scope ? nil : $0.description }
        self.document = String(decoding: data, as: UTF8.self)
    }

    package init(_ status: PublishedStatus, at date: Date) {
        self.init(status.scope, document: status.body, since: status.publishedAt, entry: status.entry, at: date)
    }

    /// Who published it, and who proposed it.
    package var authors: String? { by.map { $0 + (proposedBy.map { ", proposed by \($0)" } ?? "") } }

    /// The report as text for a person.
    /// - Parameter now: the current time, for relative times.
    package func text(at now: Date) -> String {
        var facts = FactList()
        facts.append("message", message)
        facts.append("version", requiredVersion.map { "\($0) or later" })
        facts.append("get it", updateURL)
        facts.append("since", since.map { "\(TimeText.text($0)) (\(TimeText.distance(from: $0, to: now)) ago)" })
        facts.append("by", authors)
        if breakGlass == true { facts.append("alone", "one person published it (break glass); lifting it takes two") }
        facts.append("why", reason)
        facts.append("ends", endsAt.map { "\(TimeText.text($0)) (in \(TimeText.distance(from: now, to: $0)))" })
        facts.append("checks", retryInterval.map { "every \(DurationText.text(.seconds($0)))" })
        facts.append("as", inheritedFrom.map { "\($0), whose status the channel shows" })
        facts.append("row", entry.map { "#\($0)" } ?? "nothing was published yet")
        let name = TextSanitizer.sanitize("\(app)/\(channel)", keepingNewlines: false, limit: 8192)
        return "\(name)  \(state.badge)\n\(facts.text)"
    }
}

extension Stage {
    /// Glyph and words, as in the dashboard.
    package var badge: String { self == .unknown ? "\(glyph) NO STATUS DOCUMENT" : "\(glyph) \(title.uppercased())" }
}

/// Times as text for a person, always in UTC, so that people in different time zones can compare them.
package enum TimeText {
    /// `2026-11-21 14:02:11Z`.
    package static func text(_ date: Date) -> String {
        date.formatted(.iso8601.dateTimeSeparator(.space))
    }

    /// `3m 31s`; zero if the end is before the start.
    package static func distance(from start: Date, to end: Date) -> String {
        DurationText.text(.seconds(max(0, end.timeIntervalSince(start))))
    }
}
#endif
