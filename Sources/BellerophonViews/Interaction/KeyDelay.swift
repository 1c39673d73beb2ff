import Bellerophon

/// The time in which keys do not count yet, because they may have been meant for what was on the screen before.
///
/// It lasts a second, and then until no key has come for half a second: a key that is held down or a sentence that is typed
/// on keeps it.
struct KeyDelay: Equatable, Sendable {
    /// The shortest hold.
    static let least = Duration.seconds(1)
    /// How long no key may come before keys count. Longer than the delay of a keyboard before it repeats a key.
    static let quiet = Duration.milliseconds(500)

    /// When keys count, unless another one comes before.
    private(set) var end: MonotonicInstant

    /// Creates the hold of something that has come up now.
    init(from now: MonotonicInstant) {
        end = now.advanced(by: Self.least)
    }

    func isOver(at now: MonotonicInstant) -> Bool { now >= end }

    /// A key has come that does not count.
    mutating func keyCame(at now: MonotonicInstant) {
        end = max(end, now.advanced(by: Self.quiet))
    }
}
