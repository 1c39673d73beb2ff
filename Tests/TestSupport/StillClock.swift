public import Foundation
import Synchronization

/// A wall clock that the test sets.
public final class StillClock: Sendable {
    private let time: Mutex<Date>

    public init(_ start: Date = Date(timeIntervalSince1970: 1_764_050_400.123)) { time = Mutex(start) }

    public var now: Date { time.withLock { $0 } }

    public func advance(by seconds: TimeInterval) { time.withLock { $0.addTimeInterval(seconds) } }
}
