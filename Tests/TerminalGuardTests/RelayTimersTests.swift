import Testing

@testable import TerminalGuard

@Suite("Timers of a relay")
struct RelayTimersTests {
    private var timers: RelayTimers = [:]
    private let start = ContinuousClock.now

    private mutating func fired(dueAt instant: ContinuousClock.Instant) -> [GuardTimer] {
        var fired: [GuardTimer] = []
        while let timer = timers.removeNext(dueAt: instant) { fired.append(timer) }
        return fired
    }

    @Test mutating func timersFireOnceInTheOrderOfTheirDeadlines() {
        timers[.kill] = start + .seconds(3)
        timers[.drain] = start + .seconds(1)
        timers[.escapeKey] = start + .seconds(2)
        #expect(timers.values.min() == start + .seconds(1))
        #expect(fired(dueAt: start + .seconds(2)) == [.drain, .escapeKey])
        #expect(fired(dueAt: start + .seconds(2)) == [])
        #expect(timers.values.min() == start + .seconds(3))
    }

    /// The guard was not run between the look for input and this point, so the rest of the output was not read yet.
    @Test("A timer that becomes due after the last poll fires after the next poll")
    mutating func timerWaitsForNextPoll() {
        timers[.drain] = start + .milliseconds(200)
        #expect(fired(dueAt: start) == [], "however late it is by now")
        #expect(fired(dueAt: start + .seconds(9)) == [.drain])
        #expect(timers.values.min() == nil)
    }

    @Test("A cancelled or restarted timer does not fire at its former deadline")
    mutating func cancelledTimerDoesNotFire() {
        timers[.drain] = start
        timers[.kill] = start
        timers[.drain] = nil
        timers[.kill] = start + .seconds(1)
        #expect(fired(dueAt: start) == [])
        #expect(timers.values.min() == start + .seconds(1))
    }
}
