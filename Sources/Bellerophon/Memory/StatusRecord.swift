import BellerophonBase
import Foundation
import StatusModel

/// A status as it is stored.
public struct StatusRecord: Codable, Equatable, Sendable {
    /// Whether the service is stopped.
    package var isInactive: Bool
    /// Whether a newer version of the app is required.
    package var requiresUpdate: Bool
    /// The requested seconds between checks; finite.
    package var interval: Double
    /// The values of the optional fields.
    var facts: StatusFacts
    /// When the stage began, by the wall clock.
    package var since: Date
    /// The installed version when the record was made. An update for which the status names no version ends
    /// when it changes.
    package var appVersion: String?
    /// When the server last confirmed the status, by the wall clock; nil means ``since``.
    package var confirmedAt: Date?
    /// When the server published the status, by the server's clock; nil if unknown.
    package var publishedAt: Date?
    /// The latest earlier publication date that was accepted.
    package var previousDate: Date?
    /// Whether the status has no date itself; ``publishedAt`` is then the date of the status that it replaced.
    package var isUndated: Bool?
    /// The latest wall-clock time that any run has observed, so that a clock that is set back between two runs is noticed; nil
    /// means ``confirmedAt``.
    package var localDate: Date?
    /// The text of the document if it has rules. The other members then say what it says for a program without rules.
    var plan: String?
    /// The time by which the phases of rules were decided last.
    package var planDate: Date?
    /// Whether a server's `Date` has confirmed ``planDate``; nil for no.
    package var isPlanDateConfirmed: Bool?
    /// The rule that covers the app although the document made it unreadable, and the text of the earlier document that has it.
    var heldRule: String?
    var heldPlan: String?
    /// The rule that covered the app when the record was made, and the text of a document that has it without its conditions: a program
    /// that does not understand the rule of ``plan``, because it is older, keeps the cover.
    var coverRule: String?
    var coverPlan: String?
    /// The notices of the document's rules that the person has seen or dismissed; nil for none.
    package var seenNotices: [SeenNotice]?
    /// The highest serial of the accepted signed statuses.
    package var serial: Int64?
    /// The signed document with that serial as received, to be verified again. It is the status itself unless
    /// ``isGiven``.
    package var signed: String?
    /// Whether the app supplied the unsigned status itself although it requires signatures.
    package var isGiven: Bool?
    /// Whether to replace any stored record, because it was rejected. Not stored.
    var replacesAnything = false
    /// A later place in the order that this status has overruled; a stored record with that place is replaced. Not stored.
    var overruled: PublicationRank?
    /// Whether the status covers the app; nil if it was not decided. Not stored.
    var coversApp: Bool?
    /// A problem with the file that the record was read from. Not stored.
    var remark: String?

    private enum CodingKeys: String, CodingKey {
        case isInactive, requiresUpdate, interval, facts, since
        case appVersion, confirmedAt, publishedAt, previousDate, isUndated, localDate
        case plan, planDate, isPlanDateConfirmed, heldRule, heldPlan, coverRule, coverPlan, seenNotices
        case serial, signed, isGiven
    }

    /// The message of the status; nil if there is none.
    package var message: String? { facts[.message] }

    /// Creates a record of a status. An interval that is not finite is stored as 0.
    package init(
        _ document: StatusDocument, since: Date, appVersion: String?, confirmedAt: Date? = nil, publishedAt: Date? = nil,
        proof: StatusProof? = nil
    ) {
        isInactive = document.isInactive
        requiresUpdate = document.requiresUpdate
        interval = document.interval.isFinite ? document.interval : 0
        facts = document.facts
        plan = document.plan?.text
        heldRule = document.plan?.held?.rule.id
        heldPlan = document.plan?.held?.text
        self.since = since
        self.appVersion = appVersion
        self.confirmedAt = confirmedAt
        self.publishedAt = publishedAt
        serial = proof?.serial
        signed = proof.map { String(decoding: $0.signed, as: UTF8.self) }
    }

    /// The document for an installed version, with its text sanitised again, because a file can be edited.
    ///
    /// A new version ends an update for which the status names no version, but not a kill that the update took precedence over.
    package func document(for version: String?) -> StatusDocument {
        let document = StatusDocument(
            isInactive: isInactive, requiresUpdate: requiresUpdate, interval: interval, facts: facts,
            plan: plan.flatMap(Self.document)?.plan)
        return counting(document, for: version)
    }

    private static func document(of text: String) -> StatusDocument? { try? StatusDocument(json: Data(text.utf8)) }

    /// The document as it applied when it was kept.
    private func applied(_ document: StatusDocument) -> StatusDocument {
        let held = document.holding(heldRule, of: heldPlan.flatMap(Self.document))
        return held.plan?.held == nil ? held.holding(coverRule, of: coverPlan.flatMap(Self.document)) : held
    }

    /// Takes note of the time, by which rules begin and end. Whether it was confirmed decides with every document whether a wall clock
    /// that was fast once still counts.
    package mutating func note(timeOf machine: StageMachine, at now: MonotonicInstant) {
        planDate = machine.planDate(at: now)
        isPlanDateConfirmed = machine.isPlanDateConfirmed ? true : nil
    }

    /// Sets the rule that covers the app now; nil if none does.
    mutating func setCover(_ rule: Rule?) {
        coverRule = rule?.id
        coverPlan = rule.map { rule in
            let messages = rule.messages.sorted { $0.key < $1.key }.map { ($0.key, Optional(JSONNode.text($0.value))) }
            let plain = JSONNode.object([
                ("id", .text(rule.id)), ("effect", .text(rule.effect.rawValue)), ("to", rule.version.map(JSONNode.text)),
                ("link", rule.link.map(JSONNode.text)), ("until", rule.until.map { .text(PlanTime.text($0)) }),
                ("message", rule.message.map(JSONNode.text)), ("messages", messages.isEmpty ? nil : .object(messages)),
            ])
            return #"{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"rules":[\#(plain.compactText())]}"#
        }
    }

    /// The status to restore.
    /// - Parameters:
    ///   - version: the installed version.
    ///   - reader: verifies a signed document again, because its key may no longer be trusted.
    ///   - date: the current wall-clock time. A record from the future has the age zero.
    package func kept(for version: String?, reader: StatusReader, at date: Date) throws(StatusError) -> RestoredStatus {
        let age = Duration.seconds(min(max(date.timeIntervalSince(confirmedAt ?? since), 0), 1e10))
        var kept: RestoredStatus
        if reader.verifier == nil || isGiven == true {
            kept = RestoredStatus(
                document: applied(document(for: version)), age: age, publishedAt: publishedAt, previousDate: previousDate,
                isUndated: isUndated == true)
        } else {
            guard let signed else { throw StatusError(.untrusted(.unsigned)) }
            let reply = try Self.verified(signed, reader).get()
            kept = RestoredStatus(
                document: applied(counting(reply.document, for: version)), age: age, proof: reply.metadata?.proof)
        }
        kept.localDate = max(date, localDate ?? confirmedAt ?? since)
        (kept.planDate, kept.isPlanDateConfirmed) = (planDate, isPlanDateConfirmed == true)
        return kept
    }

    /// The signed document, independent of ``isGiven`` and of the installed version; nil if there is none or
    /// verification fails.
    package func signedReply(_ reader: StatusReader) -> StatusReply? {
        signed.flatMap { try? Self.verified($0, reader).get() }
    }

    private static func verified(_ signed: String, _ reader: StatusReader) -> Result<StatusReply, StatusError> {
        reader.decode(Data(signed.utf8), ExchangeMetadata(), at: nil)
    }

    private func counting(_ document: StatusDocument, for version: String?) -> StatusDocument {
        guard document.requiresUpdate, document.requiredVersion == nil, version != appVersion else { return document }
        return StatusDocument(
            isInactive: document.isInactive, requiresUpdate: false, interval: document.interval, facts: document.facts,
            plan: document.plan)
    }

    /// The record to write where another one is kept; nil if the other one stays.
    func merged(over present: StatusRecord?) -> StatusRecord? {
        guard let present else { return self }
        return replaces(present) ? succeeding(present) : nil
    }

    /// The record to write in place of another. The highest serial of both is kept, and what their runs know of time.
    private func succeeding(_ other: StatusRecord) -> StatusRecord {
        guard !replacesAnything else { return self }
        var record = self
        if let known = other.serial, known > serial ?? .min {
            record.serial = known
            if isGiven == true { record.signed = other.signed }
        }
        record.takeTimes(of: other)
        record.seenNotices = noticesSeen(with: other)
        if let publishedAt {
            let dates = [previousDate, other.publishedAt, other.previousDate].compactMap(\.self)
            record.previousDate = dates.filter { $0 < publishedAt }.max()
        }
        return record
    }

    /// Takes the later times of both records. Of two times of rules only the one that a server has confirmed counts, if only one was.
    private mutating func takeTimes(of other: StatusRecord) {
        if planDate != nil, other.planDate != nil, isPlanDateConfirmed != other.isPlanDateConfirmed {
            guard isPlanDateConfirmed != true else { return }
            (localDate, planDate, isPlanDateConfirmed) = (other.localDate, other.planDate, other.isPlanDateConfirmed)
        } else {
            if planDate == nil { isPlanDateConfirmed = other.isPlanDateConfirmed }
            localDate = [localDate, other.localDate].compactMap(\.self).max()
            planDate = [planDate, other.planDate].compactMap(\.self).max()
        }
    }

    /// What the runs of both records have shown of the rules of this one.
    private func noticesSeen(with other: StatusRecord) -> [SeenNotice]? {
        guard let earlier = other.seenNotices, let plan = plan.flatMap(Self.document) else { return seenNotices }
        var all = earlier
        for seen in seenNotices ?? [] { all.add(seen) }
        let kept = all.kept(for: applied(plan).ruleIDs)
        return kept.isEmpty ? nil : kept
    }

    /// Whether this record replaces another that another process has written: not if the server published it earlier, by
    /// serial or otherwise by date, nor if both have the same serial with different statuses. An undated status was published
    /// earlier than a dated one that its process never knew. The local clock is not used, because it can be changed.
    func replaces(_ other: StatusRecord) -> Bool {
        if replacesAnything { return true }
        if isSigned, other.isSigned, let serial, let known = other.serial {
            return serial == known ? document(for: appVersion) == other.document(for: other.appVersion) : serial > known
        }
        if serial == nil, other.serial == nil { return rank >= other.rank || other.rank == overruled }
        return true
    }

    /// The place of an unsigned status in the order of publication.
    private var rank: PublicationRank {
        PublicationRank(date: publishedAt, isUndated: isUndated == true || publishedAt == nil)
    }

    /// Whether both records contain the same status with the same place in the order, apart from times of this machine and from
    /// notices that were seen.
    func hasStatus(of other: StatusRecord) -> Bool {
        var one = self
        (one.confirmedAt, one.localDate) = (other.confirmedAt, other.localDate)
        (one.planDate, one.isPlanDateConfirmed) = (other.planDate, other.isPlanDateConfirmed)
        (one.remark, one.overruled, one.replacesAnything) = (other.remark, other.overruled, other.replacesAnything)
        (one.coversApp, one.seenNotices) = (other.coversApp, other.seenNotices)
        (one.coverRule, one.coverPlan) = (other.coverRule, other.coverPlan)
        return one == other
    }

    /// Whether both records contain the same status with the same place in the order, and times of this machine that differ by
    /// less than a second. A record that replaces others, or has seen another notice, counts as different.
    func isAlmost(_ other: StatusRecord) -> Bool {
        guard !other.replacesAnything, isPlanDateConfirmed == other.isPlanDateConfirmed,
            (other.seenNotices ?? []).allSatisfy((seenNotices ?? []).contains)
        else { return false }
        let times: [(StatusRecord) -> Date] = [
            \.since, { $0.confirmedAt ?? $0.since }, { $0.localDate ?? $0.confirmedAt ?? $0.since },
            { $0.planDate ?? $0.since },
        ]
        guard times.allSatisfy({ abs($0(self).timeIntervalSince($0(other))) < 1 }) else { return false }
        var other = other
        other.since = since
        return hasStatus(of: other)
    }

    /// Whether the status covers the app.
    var blocks: Bool {
        coversApp ?? document(for: appVersion).verdict(for: AppFacts(version: appVersion), at: planDate).stage.isBlocked
    }

    /// Whether the status itself is signed.
    private var isSigned: Bool { signed != nil && isGiven != true }
}

// MARK: In the file

extension StatusFacts: Codable {
    /// Writes the values under the names of the fields.
    package func encode(to encoder: any Encoder) throws { try encode(to: encoder, always: []) }
}

extension KeyedDecodingContainer {
    /// The notices of a record, which its decoder reads with this overload; nil if they can't be read. A later program may know other
    /// steps of a notice. The status itself counts nevertheless.
    func decodeIfPresent(_ type: [SeenNotice].Type, forKey key: Key) throws -> [SeenNotice]? { try? decode(type, forKey: key) }
}
