import BellerophonBase
import Foundation

/// The wall clock as far as it can be relied on: it never goes back, although a person or a time server may set it back.
struct MonotonicDate: Equatable, Sendable {
    private var date: Date
    private var at: MonotonicInstant

    init(_ date: Date, at now: MonotonicInstant) {
        (self.date, at) = (date, now)
    }

    /// The present time: the wall clock, but not before the time that the earlier observations lead to.
    func date(at now: MonotonicInstant) -> Date { date.addingTimeInterval(at.duration(to: now).inSeconds) }

    /// Takes the wall clock into account.
    mutating func observe(_ date: Date, at now: MonotonicInstant) {
        self = MonotonicDate(max(date, self.date(at: now)), at: now)
    }

    /// Adds time that the machine slept, which the monotonic clock does not count.
    mutating func sleep(for span: Duration) { at.offset -= span }
}
