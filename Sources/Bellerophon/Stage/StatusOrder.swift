import BellerophonBase
import Foundation
import StatusModel

/// Orders statuses: the most recently published status wins, regardless of arrival order.
///
/// Caches between the app and the server may reply with a replaced status for up to a day (`stale-if-error`), and two
/// caches may contain different ones. Unsigned statuses are ordered by their publication dates. Both dates are the
/// server's, so the local clock does not affect the comparison.
///
/// - A status without a readable date is older than a dated current one, unless it repeats it; then it confirms it. If it
///   has replaced the dated status after the limit, arrival order applies: the next undated status is accepted, and the
///   replaced one only when it is received again two minutes later.
/// - An older status is ignored until the newest one has been unseen for a day, because a server may have been rolled
///   back. The limit is two minutes if the older status would cover a running app, so that a wrong clock does not delay a
///   kill for long.
/// - The limit is also two minutes if the local clock supports the older status, so that a wrong date does not delay a
///   restore for long: see ``isSupportedByClock(_:over:at:)``.
/// - Time between two runs does not count, because only the wall clock tells it: after a restart, the newest status counts as
///   heard at the start.
/// - A signed status is ordered by its serial alone, which an attacker on the network path cannot change.
struct StatusOrder: Equatable, Sendable {
    /// How a status compares with those that were accepted before.
    enum Comparison: Equatable, Sendable {
        case current
        /// A newer status was seen recently; this one is ignored.
        case outdated
        /// A signed status that is rejected, and why.
        case replay(StatusError)
    }

    /// The current status and stage.
    struct Present: Equatable, Sendable {
        let document: StatusDocument?
        let stage: Stage
    }

    /// The accepted status with the latest date, polled or pushed.
    struct Newest: Equatable, Sendable {
        /// The publication date, by the server's clock.
        let publishedAt: Date
        /// The latest earlier date that was accepted.
        let previous: Date?
        /// When the status was first received in this run; the start for a kept one. Time that the machine slept counts.
        var firstHeardAt: MonotonicInstant
        /// When the status, or the undated status that has replaced it, was last received; the start for a kept one.
        var heardAt: MonotonicInstant
        /// Whether an undated status has replaced it.
        var isReplaced = false

        var rank: PublicationRank { PublicationRank(date: publishedAt, isUndated: isReplaced) }
    }

    /// The accepted signed status with the highest serial, in this run or an earlier one.
    struct NewestSigned: Equatable, Sendable {
        let serial: Int64
        /// The status; nil if only the serial was kept.
        var document: StatusDocument?
        /// The signed document as received.
        var signed: Data?
    }

    private(set) var newest: Newest?
    private(set) var newestSigned: NewestSigned?
    /// The place that an older status has overruled last. A stored record with this place may be replaced.
    private(set) var overruled: PublicationRank?
    /// The wall clock, which never goes back here.
    private var clock: MonotonicDate?
    /// The last date that was reported as ahead of the local clock.
    private var remarkedDate: Date?

    /// An older status is accepted once the newest one has been unseen for this long.
    static let outdatedLimit = Duration.seconds(86_400)
    /// The limit for an older status that would cover a running app, and for one that the local clock supports.
    static let outdatedShortLimit = Duration.seconds(120)

    // MARK: Comparison

    /// - Parameter verdict: what the status means for the app.
    func compare(
        _ reply: StatusReply, _ verdict: Verdict, with present: Present, at now: MonotonicInstant
    ) -> Comparison {
        if let error = replay(in: reply) { return .replay(error) }
        guard present.document != nil, let newest, isOlder(reply, than: present.document) else { return .current }
        let wouldCover = verdict.stage.isBlocked && !present.stage.isBlocked
        let isReturning = reply.metadata?.publishedAt == newest.publishedAt
        let isShort = wouldCover || isReturning || isSupportedByClock(reply, over: newest, at: now)
        let limit = isShort ? Self.outdatedShortLimit : Self.outdatedLimit
        return newest.heardAt.duration(to: now) < limit ? .outdated : .current
    }

    /// Whether a newer status was accepted, however long ago. A status that the app's own code supplies without metadata
    /// is never older.
    func isOlder(_ reply: StatusReply, than document: StatusDocument?) -> Bool {
        guard let newest, let metadata = reply.metadata, metadata.proof == nil else { return false }
        let isOther = reply.document != document
        guard let published = metadata.publishedAt else { return isOther && !newest.isReplaced }
        return published < newest.publishedAt || (published == newest.publishedAt && isOther && newest.isReplaced)
    }

    /// Why a signed status is rejected: its serial is lower than an accepted one, or belongs to another status. A status
    /// that was signed again has the same serial and the same content.
    private func replay(in reply: StatusReply) -> StatusError? {
        guard let serial = reply.metadata?.proof?.serial, let newestSigned else { return nil }
        if serial < newestSigned.serial {
            return StatusError(.untrusted(.replayed(serial: serial, known: newestSigned.serial)), metadata: reply.metadata)
        }
        guard serial == newestSigned.serial, let known = newestSigned.document, known != reply.document else { return nil }
        return StatusError(.untrusted(.serialReused(serial)), metadata: reply.metadata)
    }

    /// The wall-clock time, never earlier than after what was observed before; nil before any observation.
    func localDate(at now: MonotonicInstant) -> Date? { clock?.date(at: now) }

    /// Takes the wall clock into account. Call it with every reply, before ``compare(_:_:with:at:)``.
    mutating func observe(_ date: Date?, at now: MonotonicInstant) {
        guard let date else { return }
        if clock?.observe(date, at: now) == nil { clock = MonotonicDate(date, at: now) }
    }

    /// Whether the local clock contradicts the date of the newest status and agrees with the date of an older one. One of
    /// the two clocks is then wrong, and it is unknown which.
    ///
    /// The older status must not be dated ahead of the local clock, and one of these conditions must apply:
    /// - The newest status is dated more than a day ahead of the local clock.
    /// - The older status is dated after the arrival of the newest one by the local clock, and after all dates accepted
    ///   until then: the server's clock was fast when it published the newest status, and has been corrected.
    ///
    /// A clock that is behind a time that it has shown before, in this run or an earlier one, supports nothing. A clock that
    /// was slow all the time supports no status that was known if it is slow by less than a day, and none that was published
    /// before the newest one by more than its error. A clock that is slower supports none that is younger than its error.
    private func isSupportedByClock(_ reply: StatusReply, over newest: Newest, at now: MonotonicInstant) -> Bool {
        guard let metadata = reply.metadata, let published = metadata.publishedAt, let wall = reply.receivedOn,
            let date = localDate(at: now), Self.lead(of: date, over: wall) == nil, Self.lead(of: published, over: date) == nil
        else { return false }
        if let lead = Self.lead(of: newest.publishedAt, over: date), lead > Self.outdatedLimit { return true }
        let firstHeardOn = date.addingTimeInterval(-newest.firstHeardAt.duration(to: now).inSeconds)
        return published >= firstHeardOn && published > newest.previous ?? .distantPast
    }

    /// How far a date is ahead of the local clock; nil within one minute, the tolerance between correct clocks.
    private static func lead(of published: Date, over date: Date) -> Duration? {
        let lead = published.timeIntervalSince(date)
        return lead > 60 ? .seconds(lead) : nil
    }

    // MARK: Accepted statuses

    /// Records an accepted status, before it becomes the current one.
    mutating func count(_ reply: StatusReply, beside present: Present, at now: MonotonicInstant) {
        if let proof = reply.metadata?.proof {
            know(proof.serial, reply.document, signed: proof.signed)
        } else if let metadata = reply.metadata {
            if let published = metadata.publishedAt {
                know(published, at: now)
            } else {
                knowUndated(reply.document, before: present.document, at: now)
            }
        }
    }

    /// Records a date. An accepted older date becomes the newest one, so that the server's present clock orders.
    private mutating func know(_ publishedAt: Date, at now: MonotonicInstant) {
        let known = newest?.publishedAt
        if let rank = newest?.rank, PublicationRank(date: publishedAt, isUndated: false) < rank { overruled = rank }
        newest = Newest(
            publishedAt: publishedAt, previous: [known, newest?.previous].compactMap(\.self).first { $0 < publishedAt },
            firstHeardAt: newest.flatMap { known == publishedAt ? $0.firstHeardAt : nil } ?? now, heardAt: now
        )
    }

    private mutating func knowUndated(_ document: StatusDocument, before present: StatusDocument?, at now: MonotonicInstant) {
        guard let newest, newest.isReplaced || document != present else { return }
        self.newest?.isReplaced = true
        self.newest?.heardAt = now
    }

    /// Records a serial. The first status with a serial stays the one that the serial belongs to.
    private mutating func know(_ serial: Int64, _ document: StatusDocument?, signed: Data?) {
        guard serial >= newestSigned?.serial ?? .min else { return }
        if serial == newestSigned?.serial, newestSigned?.document != nil { return }
        newestSigned = NewestSigned(serial: serial, document: document, signed: signed)
    }

    // MARK: Earlier runs

    /// Records the serial of a signed status that was accepted in an earlier run, with the status if it was kept.
    mutating func know(serial: Int64, _ reply: StatusReply?) {
        let proof = reply?.metadata?.proof
        let isSame = proof?.serial == serial
        know(serial, isSame ? reply?.document : nil, signed: isSame ? proof?.signed : nil)
    }

    /// Records the serial of a kept status.
    mutating func knowSerial(of kept: RestoredStatus) {
        if let proof = kept.proof { know(proof.serial, kept.document, signed: proof.signed) }
    }

    /// Records the dates of an unsigned kept status. The time since it was heard is unknown and counts as zero.
    mutating func restoreDates(of kept: RestoredStatus, at now: MonotonicInstant) {
        observe(kept.localDate, at: now)
        guard kept.proof == nil else { return }
        newest = kept.publishedAt.map {
            Newest(
                publishedAt: $0, previous: kept.previousDate, firstHeardAt: now, heardAt: now, isReplaced: kept.isUndated
            )
        }
    }

    /// Forgets the wall clock, which was replaced by another one.
    mutating func forgetClock() { clock = nil }

    /// Adds time that the machine slept.
    mutating func sleep(for span: Duration) {
        newest?.firstHeardAt.offset -= span
        clock?.sleep(for: span)
    }

    // MARK: Remarks

    /// A warning if the date is ahead of the local clock; each date is reported once.
    mutating func remark(on reply: StatusReply) -> String? {
        guard let metadata = reply.metadata, metadata.proof == nil, let published = metadata.publishedAt,
            published != remarkedDate, let lead = reply.receivedOn.flatMap({ Self.lead(of: published, over: $0) })
        else { return nil }
        remarkedDate = published
        return "the status is dated \(lead.briefText) ahead of this machine's clock; one of the two clocks is wrong"
    }
}

/// The place of an unsigned status in the order of publication.
///
/// A dated status has the place of its date. An undated status that has replaced a dated one stands right behind it. An undated
/// status without a dated one before it comes first.
struct PublicationRank: Comparable, Sendable {
    /// The publication date of the status, or of the dated status that it has replaced; nil if there is neither.
    let date: Date?
    /// Whether the status has no date itself.
    let isUndated: Bool

    static func < (one: PublicationRank, other: PublicationRank) -> Bool {
        let (date, otherDate) = (one.date ?? .distantPast, other.date ?? .distantPast)
        return date == otherDate ? !one.isUndated && other.isUndated : date < otherDate
    }
}
