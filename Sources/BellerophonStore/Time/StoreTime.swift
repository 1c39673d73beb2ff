import Foundation
import Synchronization

/// The time of a store: its clocks, what they agree on, and what is wrong with them.
///
/// A store in a folder compares the machine's wall clock with its monotonic clock. In a shared store the time is that of the
/// database. It is read at each change and every few seconds, and the monotonic clock says what it is in between; a status ends
/// once this machine's wall clock has reached its end too.
final class StoreTime: Sendable {
    let clock: StoreClock
    /// Whether the database has the time.
    private let isShared: Bool
    private let state = Mutex(State())

    private struct State {
        /// Nil before the first look, and before the database's clock was read.
        var agreed: AgreedTime?
        /// What the clock of the database showed at a moment of the monotonic clock.
        var database: AgreedTime.Reading?
        /// By how much the wall clock is ahead of the database's; nil while they agree.
        var lead: Int64?
        /// The anchor that the store has.
        var kept: AgreedTime.Reading?
    }

    /// A reading of the database's clock that took longer says too little.
    private static let slowest: Int64 = 1000

    init(_ clock: StoreClock, isShared: Bool) { (self.clock, self.isShared) = (clock, isShared) }

    /// The time for dates in the journal: the database's in a shared store, otherwise that of the wall clock.
    var now: Date {
        let database = state.withLock { $0.database }
        return database.map { Date(milliseconds: $0.wall + clock.steady() - $0.steady) }
            ?? Date(milliseconds: clock.wall().milliseconds)
    }

    /// Reads the clock of the database.
    func read<Failure: Error>(_ ask: () throws(Failure) -> Date) throws(Failure) {
        let asked = clock.steady()
        record(try ask(), askedAt: asked)
    }

    /// Records what the clock of the database has shown in a reply that came just now.
    /// - Parameter asked: when it was asked, by the monotonic clock.
    /// - Returns: false if the reply took so long that an earlier reading says more.
    @discardableResult
    func record(_ time: Date, askedAt asked: Int64) -> Bool {
        // The earlier of the possible times: nothing ends early.
        let reading = AgreedTime.Reading(wall: clock.database(time).milliseconds, steady: clock.steady())
        return state.withLock { state in
            let isSlow = reading.steady - asked > Self.slowest
            let isOfUse = !isSlow || state.database.map { reading.steady - $0.steady > 60_000 } ?? true
            if isOfUse { state.database = reading }
            refresh(&state)
            return isOfUse
        }
    }

    /// The time that all clocks have reached, by which timed statuses end.
    var reached: Date {
        let reached = state.withLock { state in
            refresh(&state)
            return state.agreed?.reached ?? .min
        }
        guard reached != .min else { return .distantPast }
        return Date(milliseconds: isShared ? min(reached, clock.wall().milliseconds) : reached)
    }

    /// What is wrong with the clocks; nil if they agree.
    var problem: ClockProblem? {
        state.withLock { state in
            refresh(&state)
            if let lead = state.lead { return ClockProblem(kind: .differs, lead: lead) }
            return state.agreed?.jump.map { ClockProblem(kind: isShared ? .databaseWasSet : .wasSet, lead: $0.lead) }
        }
    }

    private func refresh(_ state: inout State) {
        let own = clock.reading
        guard isShared else { return compare(own, &state) }
        guard let database = state.database else { return }
        let now = AgreedTime.Reading(wall: database.wall + own.steady - database.steady, steady: own.steady)
        let lead = own.wall - now.wall
        state.lead = AgreedTime.differ(lead, before: state.lead != nil) ? lead : nil
        compare(now, &state)
    }

    private func compare(_ reading: AgreedTime.Reading, _ state: inout State) {
        if state.agreed == nil { state.agreed = AgreedTime(reading) }
        state.agreed?.compare(reading, hasWitness: state.database != nil && state.lead == nil)
    }

    // MARK: What a store in a folder keeps

    /// Begins when the store is opened.
    /// - Parameters:
    ///   - kept: the anchor of the same run of the machine; nil if there is none.
    ///   - newest: the date of the journal's newest row.
    func begin(kept: AgreedTime.Reading?, newest: Int64 = .min) {
        let reading = clock.reading
        state.withLock { state in
            state.kept = kept
            state.agreed = AgreedTime(reading, kept: kept, newest: newest)
        }
    }

    /// Takes an anchor that another process has kept, if it is another one than before.
    func adopt(_ kept: AgreedTime.Reading) {
        if state.withLock({ $0.kept }) != kept { begin(kept: kept) }
    }

    /// The anchor, if the store does not have it yet or the clocks have drifted since.
    var unkept: AgreedTime.Reading? {
        state.withLock { state in
            refresh(&state)
            guard let agreed = state.agreed, agreed.jump == nil, agreed.isSettled(at: clock.steady()) else { return nil }
            if let kept = state.kept, abs(agreed.expected(at: kept.steady) - kept.wall) < 500 { return nil }
            return agreed.anchor
        }
    }

    /// Takes the wall clock as right.
    func accept() -> AgreedTime.Reading {
        let reading = clock.reading
        state.withLock { $0.agreed?.accept(reading) }
        return reading
    }

    func wasKept(_ anchor: AgreedTime.Reading) { state.withLock { $0.kept = anchor } }
}

/// Why timed statuses may end later than they should.
package struct ClockProblem: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// This machine's clock was set while it ran.
        case wasSet
        /// The database's clock was set, or another database with another clock has taken over.
        case databaseWasSet
        /// This machine's clock is not that of the database.
        case differs
    }

    package let kind: Kind
    /// By how many milliseconds the clock is ahead; negative if it is behind.
    package let lead: Int64

    /// One line for a person, with what to do. It is the same while the problem is.
    package var text: String {
        let amount = "\((abs(lead) + 500) / 1000) s \(lead > 0 ? "ahead" : "behind")"
        let effect = "timed statuses end when the later of both clocks says so, and none can be published"
        switch kind {
        case .wasSet:
            return "this machine's clock was set \(amount) while it ran; \(effect), until it is set right, "
                + "or `bellerophon-server store clock --accept` takes it as right"
        case .databaseWasSet:
            return "the database's clock was set \(amount); \(effect), until it is set right, or the clocks of the servers have "
                + "agreed with it for \(AgreedTime.hold / 60_000) minutes"
        case .differs:
            return "this machine's clock is \(amount) of the database's; here \(effect), until they are set right"
        }
    }

    /// Whether another problem than before is to be told of: one of another kind, or of another size.
    package func isNews(after other: ClockProblem?) -> Bool {
        guard let other, other.kind == kind else { return true }
        return abs(lead - other.lead) > AgreedTime.tolerance
    }
}
