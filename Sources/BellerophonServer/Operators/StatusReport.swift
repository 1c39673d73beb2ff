import BellerophonStore
import Foundation
import SafeText
import StatusModel

/// The status that a scope's clients get, as the reply of `GET /v1/statuses` has it.
package struct ServedStatus: Codable, Sendable {
    let app: String
    let channel: String
    /// The exact document.
    let document: String
    /// When the status became effective; nil before the first publish.
    let published: Date?
    /// The row that made it effective; 0 before the first publish.
    let serial: Int64
    /// The row with the document, which may be the app's if the scope is a channel.
    let entry: JournalEntry?
    /// The newest row of the scope itself; nil if there is none.
    package let newest: JournalEntry?

    init(_ status: PublishedStatus) {
        (app, channel) = (status.scope.app, status.scope.channel)
        document = String(decoding: status.body, as: UTF8.self)
        (published, serial, entry, newest) = (status.publishedAt, status.serial, status.entry, status.newest)
    }

    /// - Parameter date: the time for which the state is determined.
    package func report(at date: Date) throws(StoreError) -> StatusReport {
        StatusReport(
            try Scope(app: app, channel: channel), document: Data(document.utf8), since: published, entry: entry, at: date)
    }
}

/// The status that a scope's clients get, with its time, author and reason.
package struct StatusReport: Encodable, Sendable {
    package let app: String
    package let channel: String
    /// `unknown` if clients would reject the document.
    package let state: Stage
    /// The values of the optional fields.
    package let facts: StatusFacts
    /// The message by language tag.
    package let messages: [String: String]
    /// The languages of all messages of the document.
    let languages: Set<String>
    /// In seconds.
    package let retryInterval: Double?
    /// When the status became effective.
    package let since: Date?
    package let by: String?
    /// Who proposed it; nil unless two persons have published it.
    package let proposedBy: String?
    /// Whether one person published a kill that takes two.
    package let breakGlass: Bool?
    package let reason: String?
    package let endsAt: Date?
    /// When people are told that the service is back; nil if they are not.
    package let backAt: Date?
    /// The update that is shown once the kill has ended, in words; nil for none.
    package let under: String?
    /// The ID of the journal's row.
    package let entry: Int64?
    /// The scope that the status comes from, if a channel shows its app's.
    package let inheritedFrom: String?
    /// The rules of the document, those of the app before those of the channel.
    package let rules: [RuleLine]
    /// The exact document.
    package let document: String

    /// A rule in a line.
    package struct RuleLine: Encodable, Sendable {
        package let id: String
        package let effect: String
        /// The apps that it is for, in words.
        package let audience: String
        /// `announced`, `holds`, or `waits` before it is announced.
        package let state: String
        package let from: String?
        package let until: String?
        /// Whether it restricts the apps that it is for now.
        package let restricts: Bool

        init(_ rule: Rule, at date: Date) {
            let hasBegun = rule.from.map { $0 <= date } ?? true
            (id, effect, audience) = (rule.id, rule.effect.rawValue, rule.audience)
            state = hasBegun ? "holds" : (rule.announce.map { $0 <= date } ?? false) ? "announced" : "waits"
            (from, until) = (rule.from.map(PlanTime.text), rule.until.map(PlanTime.text))
            restricts = hasBegun && rule.effect.stage != nil
        }

        /// `update for version below 1.5.2, holds`.
        var text: String {
            let times = [from.map { "from \($0)" }, until.map { "until \($0)" }].compactMap(\.self)
            return (["\(id): \(effect) for \(audience)", state] + times).joined(separator: ", ")
        }
    }

    /// - Parameters:
    ///   - entry: the journal's row, if known.
    ///   - date: the time for which ``state`` is determined. Nothing is known of the clients.
    package init(_ scope: Scope, document data: Data, since: Date?, entry: JournalEntry?, at date: Date) {
        let document = try? StatusDocument(json: data)
        app = scope.app
        channel = scope.channel
        state = document?.verdict(for: AppFacts(), at: date).stage ?? .unknown
        facts = document?.facts ?? StatusFacts()
        messages = document?.plan?.messages ?? [:]
        languages = document.map(PlanLint.languages) ?? []
        retryInterval = document?.interval
        // A later row, such as one of rules, is not what stops programs.
        let standing = entry?.kept.standing ?? []
        if let shown = standing.first {
            (self.since, by, proposedBy) = (shown.at, shown.who, shown.proposedBy)
            (breakGlass, reason) = (shown.breakGlass, shown.reason)
        } else {
            (self.since, by, proposedBy) = (since, entry?.who, entry?.proposedBy)
            (breakGlass, reason) = (entry?.breakGlass, entry?.reason)
        }
        under = standing.dropFirst().first?.summary
        rules = (document?.plan?.entries ?? []).compactMap(\.rule).map { RuleLine($0, at: date) }
        (endsAt, backAt) = (entry?.endsAt, document?.plan?.backAt)
        self.entry = entry?.id
        inheritedFrom = entry?.scope.flatMap { $0 == scope ? nil : $0.description }
        self.document = String(decoding: data, as: UTF8.self)
    }

    package init(_ status: PublishedStatus, at date: Date) {
        self.init(status.scope, document: status.body, since: status.publishedAt, entry: status.entry, at: date)
    }

    private enum CodingKeys: CodingKey {
        case app, channel, state, messages, retryInterval, since, by, proposedBy, breakGlass, reason, endsAt, backAt, under,
            entry, inheritedFrom, rules, document
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(app, forKey: .app)
        try members.encode(channel, forKey: .channel)
        try members.encode(state, forKey: .state)
        try facts.encode(to: encoder, as: \.publishedName)
        if !messages.isEmpty { try members.encode(messages, forKey: .messages) }
        try members.encodeIfPresent(retryInterval, forKey: .retryInterval)
        try members.encodeIfPresent(since, forKey: .since)
        try members.encodeIfPresent(by, forKey: .by)
        try members.encodeIfPresent(proposedBy, forKey: .proposedBy)
        try members.encodeIfPresent(breakGlass, forKey: .breakGlass)
        try members.encodeIfPresent(reason, forKey: .reason)
        try members.encodeIfPresent(endsAt, forKey: .endsAt)
        try members.encodeIfPresent(backAt, forKey: .backAt)
        try members.encodeIfPresent(under, forKey: .under)
        try members.encodeIfPresent(entry, forKey: .entry)
        try members.encodeIfPresent(inheritedFrom, forKey: .inheritedFrom)
        if !rules.isEmpty { try members.encode(rules, forKey: .rules) }
        try members.encode(document, forKey: .document)
    }

    /// Whether the status itself stops programs, whatever its rules do.
    package var isStopped: Bool {
        guard let document = try? StatusDocument(json: Data(document.utf8)) else { return false }
        return document.isInactive || document.requiresUpdate
    }

    /// Who published it, and who proposed it.
    package var authors: String? { by.map { $0 + (proposedBy.map { ", proposed by \($0)" } ?? "") } }

    /// The report as text for a person.
    /// - Parameter now: the current time, for relative times.
    package func text(at now: Date) -> String {
        var list = FactList()
        for fact in facts.all {
            list.append(fact.field.label(in: .server), fact.text)
            if fact.field == .message { list.append(messages) }
        }
        list.append("since", since.map { "\(TimeText.text($0)) (\(TimeText.distance(from: $0, to: now)) ago)" })
        list.append("by", authors)
        if breakGlass == true { list.append("alone", "one person published it (break glass); lifting it takes two") }
        list.append("why", reason)
        list.append("ends", endsAt.map { "\(TimeText.text($0)) (in \(TimeText.distance(from: now, to: $0)))" })
        list.append("back", backAt.map { "people are told \(TimeText.text($0))" })
        list.append("then", under)
        list.append("checks", retryInterval.map { "every \(DurationText.text(.seconds($0)))" })
        for rule in rules { list.append("rule", rule.text) }
        list.append("as", inheritedFrom.map { "\($0), whose status the channel shows" })
        list.append("row", entry.map { "#\($0)" } ?? "nothing was published yet")
        let name = TextSanitizer.sanitize("\(app)/\(channel)", keepingNewlines: false, limit: 8192)
        return "\(name)  \(state.badge)\n\(list.text)"
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
