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
    private let scope: Scope
    /// The exact document.
    package let document: String
    /// Nil if clients would reject the document.
    private let read: StatusDocument?
    /// When the document became effective.
    private let published: Date?
    /// The journal's row with the document, if known.
    private let row: JournalEntry?
    /// The time for which ``state`` is determined. Nothing is known of the clients.
    private let date: Date

    package init(_ scope: Scope, document data: Data, since: Date?, entry: JournalEntry?, at date: Date) {
        (document, read) = (String(decoding: data, as: UTF8.self), try? StatusDocument(json: data))
        (self.scope, published, row, self.date) = (scope, since, entry, date)
    }

    package var app: String { scope.app }
    package var channel: String { scope.channel }
    /// `unknown` if clients would reject the document.
    package var state: Stage { read?.verdict(for: AppFacts(), at: date).stage ?? .unknown }
    /// The values of the optional fields.
    var facts: StatusFacts { read?.facts ?? StatusFacts() }
    /// The message by language tag.
    var messages: [String: String] { read?.plan?.messages ?? [:] }
    /// The languages of all messages of the document.
    var languages: Set<String> { read.map(PlanLint.languages) ?? [] }
    /// In seconds.
    var retryInterval: Double? { read?.interval }
    /// Whether the status itself stops programs, whatever its rules do.
    package var isStopped: Bool { read.map { $0.isInactive || $0.requiresUpdate } ?? false }
    /// The rules of the document, those of the app before those of the channel.
    package var rules: [RuleLine] { (read?.plan?.entries ?? []).compactMap(\.rule).map { RuleLine($0, at: date) } }
    /// When people are told that the service is back; nil if they are not.
    private var backAt: Date? { read?.plan?.backAt }

    /// What stops programs: a kill, and the update that is shown once it has ended. A later row, such as one of rules, does not.
    private var standing: [RowPlan.Base] { row?.kept.standing ?? [] }
    /// When the status became effective.
    var since: Date? { standing.first.map(\.at) ?? published }
    private var by: String? { standing.first.map(\.who) ?? row?.who }
    /// Who proposed it; nil unless two persons have published it.
    private var proposedBy: String? { standing.first.map(\.proposedBy) ?? row?.proposedBy }
    /// Whether one person published a kill that takes two.
    private var breakGlass: Bool? { standing.first.map(\.breakGlass) ?? row?.breakGlass }
    private var reason: String? { standing.first.map(\.reason) ?? row?.reason }
    /// The update that is shown once the kill has ended, in words; nil for none.
    private var under: String? { standing.dropFirst().first?.summary }
    /// The scope that the status comes from, if a channel shows its app's.
    package var inheritedFrom: String? { row?.scope.flatMap { $0 == scope ? nil : $0.description } }

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

    private enum CodingKeys: CodingKey {
        case app, channel, state, messages, retryInterval, since, by, proposedBy, breakGlass, reason, endsAt, backAt, under,
            entry, inheritedFrom, rules, document
    }

    package func encode(to encoder: any Encoder) throws {
        try facts.encode(to: encoder, as: \.publishedName)
        var container = encoder.container(keyedBy: CodingKeys.self)
        let members: KeyValuePairs<CodingKeys, (any Encodable)?> = [
            .app: app, .channel: channel, .state: state, .messages: messages.isEmpty ? nil : messages,
            .retryInterval: retryInterval, .since: since, .by: by, .proposedBy: proposedBy, .breakGlass: breakGlass,
            .reason: reason, .endsAt: row?.endsAt, .backAt: backAt, .under: under, .entry: row?.id, .inheritedFrom: inheritedFrom,
            .rules: rules.isEmpty ? nil : rules, .document: document,
        ]
        for case (let key, let value?) in members { try container.encode(value, forKey: key) }
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
        list.append("ends", row?.endsAt.map { "\(TimeText.text($0)) (in \(TimeText.distance(from: now, to: $0)))" })
        list.append("back", backAt.map { "people are told \(TimeText.text($0))" })
        list.append("then", under)
        list.append("checks", retryInterval.map { "every \(DurationText.text(.seconds($0)))" })
        for rule in rules { list.append("rule", rule.text) }
        list.append("as", inheritedFrom.map { "\($0), whose status the channel shows" })
        list.append("row", row.map { "#\($0.id)" } ?? "nothing was published yet")
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
