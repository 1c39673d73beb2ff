import Foundation

/// When to retry a failed write: after 1 s, then with doubled waits, at most a minute.
struct WriteAttempts {
    private var next = Date.distantPast
    private var pause: TimeInterval = 0

    var isFailing: Bool { pause > 0 }

    /// A clock that was set back does not delay the retry.
    func isDue(_ now: Date) -> Bool { now >= next || next.timeIntervalSince(now) > pause }

    mutating func succeed() { self = WriteAttempts() }

    mutating func fail(_ now: Date) {
        pause = min(max(2 * pause, 1), 60)
        next = now.addingTimeInterval(pause)
    }
}
