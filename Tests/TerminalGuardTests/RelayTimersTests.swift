import Testing

@testable import TerminalGuard

@Suite("Timers of a relay")
struct RelayTimersTests {
    private var timers = RelayTimers()
    private let start = ContinuousClock.now

    private mutating func fired(dueAt instant: ContinuousClock.Instant) -> [GuardTimer] {
        var fired: [GuardTimer] = []
        while let timer = timers.takeNext(dueAt: instant) { fired.append(timer) }
        return fired
    }

    @Test mutating func timersFireOnceInTheOrderOfTheirDeadlines() {
        timers.set(.kill, to: start + .seconds(3))
        timers.set(.drain, to: start + .seconds(1))
        timers.set(.escapeKey, to: start + .seconds(2))
        #expect(timers.next == start + .seconds(1))
        #expect(fired(dueAt: start + .seconds(2)) == [.drain, .escapeKey])
        #expect(fired(dueAt: start + .seconds(2)) == [])
        #expect(timers.next == start + .seconds(3))
    }

    /// The guard was not run between the look for input and this point, so the rest of the output was not read yet.
    @Test("A timer that becomes due after the last poll fires after the next poll")
    mutating func timerWaitsForNextPoll() {
        timers.set(.drain, to: start + .milliseconds(200))
        #expect(fired(dueAt: start) == [], "however late it is by now")
        #expect(fired(dueAt: start + .seconds(9)) == [.drain])
        #expect(timers.next == nil)
    }

    @Test("A cancelled or restarted timer does not fire at its former deadline")
    mutating func cancelledTimerDoesNotFire() {
        timers.set(.drain, to: start)
        timers.set(.kill, to: start)
        timers.cancel(.drain)
        timers.set(.kill, to: start + .seconds(1))
        #expect(fired(dueAt: start) == [])
        #expect(timers.next == start + .seconds(1))
    }
}
