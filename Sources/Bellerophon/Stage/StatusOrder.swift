import BellerophonBase
import Foundation
import StatusModel

/// The order of statuses: the one that was published last counts, whichever came last.
///
/// Caches between the app and the server may answer with a status that a newer one has replaced, for as long as a day
/// (`stale-if-error`), and two caches may hold different ones. The date of publication orders unsigned statuses. It is
/// the server's date: two dates are compared with each other, whatever the local clock says.
///
/// - A status without a readable date counts as older than the dated one at hand. Where it repeats that, it confirms it.
///   Where it has replaced it, after the limit, it is ordered by its arrival: the next one without a date counts, and the
///   dated one that it replaced must be heard again two minutes later.
/// - An older status is left out until the newest one has not been heard of for a day: a server may have been set back.
///   The limit is two minutes where the older status would cover an app that runs, so that a wrong clock delays no
///   kill for long.
/// - The limit is also two minutes where the local clock supports the older status, so that a wrong date delays no
///   restore for long: see ``isSupportedByClock(_:over:at:)``.
/// - A signed status is ordered by its serial alone, which nobody on the way can change.
struct StatusOrder: Equatable, Sendable {
    /// What a status that has come is, beside those that counted before.
    enum Verdict: Equatable, Sendable {
        case current
        /// A newer status was heard of recently: this one changes nothing.
        case outdated
        /// A signed status that must not count, and why.
        case replay(StatusError)
    }

    /// The status at hand, and whether it covers the app.
    struct Present: Equatable, Sendable {
        let document: StatusDocument?
        let stage: Stage
    }

    /// The status with the latest date of those that counted, requested or pushed.
    struct Newest: Equatable, Sendable {
        /// By the server's clock.
        let publishedAt: Date
        /// The latest date before it that counted.
        let previous: Date?
        /// When it came first. Time that the machine slept counts.
        var firstHeardAt: MonotonicInstant
        /// When it came last, or the undated status that has replaced it.
        var heardAt: MonotonicInstant
        /// Whether an undated status has replaced it.
        var isReplaced = false
    }

    /// The signed status with the highest serial of those that counted, in this run or an earlier one.
    struct NewestSigned: Equatable, Sendable {
        let serial: Int64
        /// What it says; nil where only the serial was kept.
        var document: StatusDocument?
        /// The signed document as it came.
        var signed: Data?
    }

    private(set) var newest: Newest?
    private(set) var newestSigned: NewestSigned?
    /// The date of the status in spite of which an older one counted last: what was kept with that date is replaced.
    private(set) var overruledDate: Date?
    /// The last date that was reported to lie ahead of the local clock.
    private var remarkedDate: Date?

    /// An older status counts once the newest one was not heard of for that long.
    static let outdatedLimit = Duration.seconds(86_400)
    /// The same for an older status that would cover an app that runs, and for one that the local clock supports.
    static let outdatedShortLimit = Duration.seconds(120)

    // MARK: Judging

    func verdict(on reply: StatusReply, beside present: Present, at now: MonotonicInstant) -> Verdict {
        if let error = replay(in: reply) { return .replay(error) }
        guard present.document != nil, let newest, isOlder(reply, than: present.document) else { return .current }
        let wouldCover = reply.document.stage.isBlocked && !present.stage.isBlocked
        let isReturning = reply.receipt?.publishedAt == newest.publishedAt
        let isShort = wouldCover || isReturning || isSupportedByClock(reply, over: newest, at: now)
        let limit = isShort ? Self.outdatedShortLimit : Self.outdatedLimit
        return newest.heardAt.duration(to: now) < limit ? .outdated : .current
    }

    /// Whether a newer status has counted, however long ago. What the app's own code fetched and handed on without
    /// metadata is never older: the app vouches for it.
    func isOlder(_ reply: StatusReply, than document: StatusDocument?) -> Bool {
        guard let newest, let receipt = reply.receipt, receipt.proof == nil else { return false }
        let isOther = reply.document != document
        guard let published = receipt.publishedAt else { return isOther && !newest.isReplaced }
        return published < newest.publishedAt || (published == newest.publishedAt && isOther && newest.isReplaced)
    }

    /// Why a signed status does not count: its serial is lower than one that counted before, or stands for another
    /// status. A document that was signed anew for the same status has the same serial, and says the same.
    private func replay(in reply: StatusReply) -> StatusError? {
        guard let serial = reply.receipt?.proof?.serial, let newestSigned else { return nil }
        if serial < newestSigned.serial {
            return StatusError(.untrusted(.replayed(serial: serial, known: newestSigned.serial)), receipt: reply.receipt)
        }
        guard serial == newestSigned.serial, let known = newestSigned.document, known != reply.document else { return nil }
        return StatusError(.untrusted(.serialReused(serial)), receipt: reply.receipt)
    }

    /// Whether the local clock contradicts the date of the newest status and agrees with that of an older one. Then one
    /// of the two clocks is wrong, and nobody can say which.
    ///
    /// The older status must not be dated ahead of the local clock itself, and one of two must hold:
    /// - The newest status is dated more than a day ahead of the local clock.
    /// - The older one is dated after the newest one had come by the local clock, and after all that had counted until
    ///   then: a server's clock was fast when it published the newest status, and has been corrected.
    ///
    /// A local clock that is slow by less than a day thus supports no status that was known, or was published longer
    /// before the newest one than the clock is slow. One that is slower supports none that is younger than that.
    private func isSupportedByClock(_ reply: StatusReply, over newest: Newest, at now: MonotonicInstant) -> Bool {
        guard let receipt = reply.receipt, let published = receipt.publishedAt, let date = receipt.receivedOn,
            Self.lead(of: published, over: date) == nil
        else { return false }
        if let lead = Self.lead(of: newest.publishedAt, over: date), lead > Self.outdatedLimit { return true }
        let firstHeardOn = date.addingTimeInterval(-newest.firstHeardAt.duration(to: now).inSeconds)
        return published >= firstHeardOn && published > newest.previous ?? .distantPast
    }

    /// By how much a date lies ahead of the local clock; nil within the minute that sound clocks may differ by.
    private static func lead(of published: Date, over date: Date) -> Duration? {
        let lead = published.timeIntervalSince(date)
        return lead > 60 ? .seconds(lead) : nil
    }

    // MARK: Counting

    /// Takes a status that counts, before it is the one at hand.
    mutating func count(_ reply: StatusReply, beside present: Present, at now: MonotonicInstant) {
        if let proof = reply.receipt?.proof {
            know(proof.serial, reply.document, signed: proof.signed)
        } else if let receipt = reply.receipt {
            if let published = receipt.publishedAt {
                know(published, at: now)
            } else {
                knowUndated(reply.document, before: present.document, at: now)
            }
        }
    }

    /// One that counts in spite of its date sets the mark back: from there on the server's clock of now orders.
    private mutating func know(_ publishedAt: Date, at now: MonotonicInstant) {
        let known = newest?.publishedAt
        if let known, publishedAt < known { overruledDate = known }
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

    /// What counted first with a serial stays what the serial stands for.
    private mutating func know(_ serial: Int64, _ document: StatusDocument?, signed: Data?) {
        guard serial >= newestSigned?.serial ?? .min else { return }
        if serial == newestSigned?.serial, newestSigned?.document != nil { return }
        newestSigned = NewestSigned(serial: serial, document: document, signed: signed)
    }

    // MARK: Earlier runs

    /// Takes the serial of a signed status that counted in an earlier run, with what it said where that was kept.
    mutating func know(serial: Int64, _ reply: StatusReply?) {
        let proof = reply?.receipt?.proof
        let isSame = proof?.serial == serial
        know(serial, isSame ? reply?.document : nil, signed: isSame ? proof?.signed : nil)
    }

    /// Takes the serial of a kept status.
    mutating func knowSerial(of kept: RestoredStatus) {
        if let proof = kept.proof { know(proof.serial, kept.document, signed: proof.signed) }
    }

    /// Takes the dates of a kept status that has no signature.
    mutating func restoreDates(of kept: RestoredStatus, confirmedAt: MonotonicInstant) {
        guard kept.proof == nil else { return }
        newest = kept.publishedAt.map {
            Newest(
                publishedAt: $0, previous: kept.previousDate, firstHeardAt: confirmedAt, heardAt: confirmedAt,
                isReplaced: kept.isUndated
            )
        }
    }

    /// Takes time that the machine slept.
    mutating func sleep(for span: Duration) {
        newest?.firstHeardAt.offset -= span
    }

    // MARK: Remarks

    /// Says once for each date that it lies ahead of the local clock.
    mutating func remark(on reply: StatusReply) -> String? {
        guard let receipt = reply.receipt, receipt.proof == nil, let published = receipt.publishedAt,
            published != remarkedDate, let lead = receipt.receivedOn.flatMap({ Self.lead(of: published, over: $0) })
        else { return nil }
        remarkedDate = published
        return "the status is dated \(lead.briefText) ahead of this machine's clock; one of the two clocks is wrong"
    }
}
