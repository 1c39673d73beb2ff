import Foundation
import GRDB

extension Store {
    /// The time for dates in the journal, in whole milliseconds, the journal's precision. In a shared store it is that of the
    /// database; within a change it was read in that change.
    package var now: Date { time.now }

    /// The time by which timed statuses end: all clocks have reached it.
    package var endTime: Date { time.reached }

    /// What is wrong with the clocks; nil if they agree.
    package var clockProblem: ClockProblem? { time.problem }

    /// The name of the property with the anchor of the machine's clock: the run of the machine, and both clocks at one moment.
    private static let property = "clock"

    /// Begins to compare the clocks, from what the store has kept.
    func beginTime() throws(StoreError) {
        guard !isShared else { return }
        let newest = try database.read { try JournalTable(database: $0).newestDate() }
        time.begin(kept: try keptClock(), newest: newest?.milliseconds ?? .min)
    }

    private func keptClock() throws(StoreError) -> AgreedTime.Reading? {
        let text = try database.read { try $0.property(Self.property) }
        guard let boot = time.clock.boot, let parts = text?.split(separator: " "), parts.count == 3, parts[0] == boot,
            let wall = Int64(parts[1]), let steady = Int64(parts[2]), steady <= time.clock.steady()
        else { return nil }
        return AgreedTime.Reading(wall: wall, steady: steady)
    }

    /// Takes over what another process has kept, such as a clock that a person has taken as right.
    package func lookAtKeptClock() throws(StoreError) {
        guard !isShared, let kept = try keptClock() else { return }
        time.adopt(kept)
    }

    /// Whether a process that starts while this machine's clock is wrong notices it, and whether what one process accepts reaches the
    /// others. It needs to know which run of the machine a kept clock is of.
    package var keepsClock: Bool { isShared || time.clock.boot != nil }

    /// Keeps how this machine's clocks go together until its next start, so that a process that starts while the clock is wrong
    /// notices it. A store that can't be written keeps nothing.
    package func keepClock() async {
        guard !isShared, keepsClock, let anchor = time.unkept else { return }
        try? await save(anchor)
    }

    /// Takes this machine's clock as right, for all processes that use the store.
    /// - Throws: ``StoreError`` of kind `invalid` for a shared store, whose time is that of the database.
    package func acceptClock() async throws(StoreError) {
        guard !isShared else {
            throw .invalid(
                "the time of a shared store is that of its database",
                hint: "set the clocks of the machines right; nothing was changed")
        }
        try await save(time.accept())
    }

    private func save(_ anchor: AgreedTime.Reading) async throws(StoreError) {
        guard let boot = time.clock.boot else { return }
        try await database.writeHere { try $0.setProperty(Self.property, "\(boot) \(anchor.wall) \(anchor.steady)") }
        time.wasKept(anchor)
    }
}
