import BellerophonBase
public import Foundation
import Synchronization

/// A clock for tests and simulations. Its time passes only in ``advance(by:)``.
public final class ManualClock: ManagerClock {
    private struct Call: Sendable {
        let id: Int
        let due: MonotonicInstant
        let handler: @MainActor () -> Void
    }

    private struct State: Sendable {
        var now = MonotonicInstant()
        var date: Date
        var slept: Duration = .zero
        var calls: [Call] = []
        var lastID = 0

        mutating func move(to instant: MonotonicInstant) {
            guard instant > now else { return }
            date += now.duration(to: instant).inSeconds
            now = instant
        }

        /// Removes and returns the next call that is due at an instant, and moves to its time.
        mutating func removeNext(dueBy end: MonotonicInstant) -> Call? {
            guard let call = calls.min(by: { ($0.due, $0.id) < ($1.due, $1.id) }), call.due <= end else { return nil }
            calls.removeAll { $0.id == call.id }
            move(to: call.due)
            return call
        }
    }

    private let state: Mutex<State>

    /// Creates a clock.
    /// - Parameter date: the initial wall-clock time. Default: 2026-01-15 14:02:11 UTC.
    public init(date: Date = Date(timeIntervalSince1970: 1_768_485_731)) {
        state = Mutex(State(date: date))
    }

    /// The current instant.
    public var now: MonotonicInstant { state.withLock { $0.now } }
    /// The current wall-clock time.
    public var date: Date { state.withLock { $0.date } }
    /// The total of all ``sleepMachine(for:)`` calls.
    public var slept: Duration { state.withLock { $0.slept } }

    /// Schedules a call, which ``advance(by:)`` makes.
    @MainActor
    public func schedule(after wait: Duration, _ handler: @escaping @MainActor () -> Void) -> ScheduledCall {
        add(after: wait, handler)
    }

    /// Schedules a call, which ``advance(by:)`` makes on the main actor.
    public func call(after wait: Duration, _ handler: @escaping @Sendable () -> Void) -> ScheduledCall {
        add(after: wait) { handler() }
    }

    private func add(after wait: Duration, _ handler: @escaping @MainActor () -> Void) -> ScheduledCall {
        let id = state.withLock { state in
            state.lastID += 1
            let due = state.now.advanced(by: max(wait, .zero))
            state.calls.append(Call(id: state.lastID, due: due, handler: handler))
            return state.lastID
        }
        return ScheduledCall { [weak self] in self?.state.withLock { $0.calls.removeAll { $0.id == id } } }
    }

    /// The waits of all scheduled calls, shortest first.
    public var pendingWaits: [Duration] {
        state.withLock { state in state.calls.map { state.now.duration(to: $0.due) }.sorted() }
    }

    /// Advances monotonic and wall-clock time, and makes each scheduled call at its own instant. Calls that are due at
    /// the same instant are made in the order of their scheduling. Calls that a handler schedules within the span are
    /// made too.
    /// - Parameter span: zero makes the calls that are already due; a negative span counts as zero.
    @MainActor
    public func advance(by span: Duration) {
        let end = now.advanced(by: max(span, .zero))
        while let call = state.withLock({ $0.removeNext(dueBy: end) }) { call.handler() }
        state.withLock { $0.move(to: end) }
    }

    /// Advances to the next scheduled call, and makes every call of that instant.
    /// - Returns: the time advanced; nil without a scheduled call.
    @MainActor
    @discardableResult
    public func advanceToNextCall() -> Duration? {
        guard let span = pendingWaits.first else { return nil }
        advance(by: span)
        return span
    }

    /// Moves the wall clock forward or back, as a person or a time server does.
    public func jumpWallClock(by span: Duration) {
        state.withLock { $0.date += span.inSeconds }
    }

    /// Simulates a sleep of the machine: the wall clock advances; the monotonic clock and all waits do not.
    public func sleepMachine(for span: Duration) {
        state.withLock { state in
            state.slept += span
            state.date += span.inSeconds
        }
    }
}
