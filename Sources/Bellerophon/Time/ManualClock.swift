import BellerophonBase
public import Foundation

/// A clock for tests and simulations. Its time passes only in ``advance(by:)``.
@MainActor
public final class ManualClock: ManagerClock {
    private struct Call {
        let id: Int
        let due: MonotonicInstant
        let handler: @MainActor () -> Void
    }

    /// The current instant.
    public private(set) var now = MonotonicInstant()
    /// The current wall-clock time.
    public private(set) var date: Date
    /// The total of all ``sleepMachine(for:)`` calls.
    public private(set) var slept: Duration = .zero
    private var calls: [Call] = []
    private var lastID = 0

    /// Creates a clock.
    /// - Parameter date: the initial wall-clock time. Default: 2026-01-15 14:02:11 UTC.
    public init(date: Date = Date(timeIntervalSince1970: 1_768_485_731)) {
        self.date = date
    }

    /// Schedules a call, which ``advance(by:)`` makes.
    public func schedule(after wait: Duration, _ handler: @escaping @MainActor () -> Void) -> ScheduledCall {
        lastID += 1
        let id = lastID
        calls.append(Call(id: id, due: now.advanced(by: max(wait, .zero)), handler: handler))
        return ScheduledCall { [weak self] in self?.calls.removeAll { $0.id == id } }
    }

    /// The waits of all scheduled calls, shortest first.
    public var pendingWaits: [Duration] {
        calls.map { now.duration(to: $0.due) }.sorted()
    }

    /// Advances monotonic and wall-clock time, and makes each scheduled call at its own instant. Calls that are due at
    /// the same instant are made in the order of their scheduling. Calls that a handler schedules within the span are
    /// made too.
    /// - Parameter span: zero makes the calls that are already due; a negative span counts as zero.
    public func advance(by span: Duration) {
        let end = now.advanced(by: max(span, .zero))
        while let call = nextCall, call.due <= end {
            calls.removeAll { $0.id == call.id }
            move(to: call.due)
            call.handler()
        }
        move(to: end)
    }

    /// Advances to the next scheduled call, and makes every call of that instant.
    /// - Returns: the time advanced; nil without a scheduled call.
    @discardableResult
    public func advanceToNextCall() -> Duration? {
        guard let call = nextCall else { return nil }
        let span = now.duration(to: call.due)
        advance(by: span)
        return span
    }

    /// Moves the wall clock forward or back, as a person or a time server does.
    public func jumpWallClock(by span: Duration) {
        date += span.inSeconds
    }

    /// Simulates a sleep of the machine: the wall clock advances; the monotonic clock and all waits do not.
    public func sleepMachine(for span: Duration) {
        slept += span
        date += span.inSeconds
    }

    private var nextCall: Call? {
        calls.min { ($0.due, $0.id) < ($1.due, $1.id) }
    }

    private func move(to instant: MonotonicInstant) {
        guard instant > now else { return }
        date += now.duration(to: instant).inSeconds
        now = instant
    }
}
