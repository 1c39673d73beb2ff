import BellerophonBase
public import Foundation

/// A clock that a program drives, a test or a simulation: time passes only in ``advance(by:)``.
@MainActor
public final class ManualClock: ManagerClock {
    private struct Call {
        let id: Int
        let due: MonotonicInstant
        let handler: @MainActor () -> Void
    }

    public private(set) var now = MonotonicInstant()
    public private(set) var date: Date
    public private(set) var slept: Duration = .zero
    private var calls: [Call] = []
    private var lastID = 0

    /// - Parameter date: the wall clock at the start; 2026-01-15 14:02:11 UTC unless told.
    public init(date: Date = Date(timeIntervalSince1970: 1_768_485_731)) {
        self.date = date
    }

    public func schedule(after wait: Duration, _ handler: @escaping @MainActor () -> Void) -> ScheduledCall {
        lastID += 1
        let id = lastID
        calls.append(Call(id: id, due: now.advanced(by: max(wait, .zero)), handler: handler))
        return ScheduledCall { [weak self] in self?.calls.removeAll { $0.id == id } }
    }

    /// The waits of all calls to come, soonest first.
    public var pendingWaits: [Duration] {
        calls.map { now.duration(to: $0.due) }.sorted()
    }

    /// Lets time pass, monotonic and wall, and makes each call at its own moment, those first scheduled
    /// first where two are due at once. Calls that a handler schedules within the span are made too.
    /// - Parameter span: zero makes the calls that are due already; negative counts as zero.
    public func advance(by span: Duration) {
        let end = now.advanced(by: max(span, .zero))
        while let call = nextCall, call.due <= end {
            calls.removeAll { $0.id == call.id }
            move(to: call.due)
            call.handler()
        }
        move(to: end)
    }

    /// Lets time pass until the next call, and makes every call of that moment.
    /// - Returns: how long that was; nil where there is no call.
    @discardableResult
    public func advanceToNextCall() -> Duration? {
        guard let call = nextCall else { return nil }
        let span = now.duration(to: call.due)
        advance(by: span)
        return span
    }

    /// Sets the wall clock forward or back, as a person or a time server does.
    public func jumpWallClock(by span: Duration) {
        date += span.inSeconds
    }

    /// The machine sleeps: the wall clock goes on, the monotonic clock and every wait stand still.
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
