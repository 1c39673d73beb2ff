import Foundation
import Synchronization

/// Limits the number of concurrent sessions, such as terminals. Tests run in parallel; too many sessions at once would
/// exceed the time bounds of each test.
///
/// The limit is soft. A test may hold one place and wait for another, so a hard limit could deadlock. A place is given
/// above the limit when none became free for a minute.
public final class SessionGate: Sendable {
    static let shared = SessionGate(limit: 2 * max(1, ProcessInfo.processInfo.activeProcessorCount))

    private let free: Watched<Int>
    private let bound: Duration

    /// - Parameter bound: the longest wait for a free place.
    public init(limit: Int, bound: Duration = patience) {
        free = Watched(limit)
        self.bound = bound
    }

    /// Waits for a place. It is free again after ``Pass/giveBack()`` or when the pass is released.
    public func enter() async throws -> Pass {
        while (try? await free.wait(for: "free place", within: bound) { $0 > 0 ? () : nil }) != nil {
            let isOurs = free.update { free in
                guard free > 0 else { return false }
                free -= 1
                return true
            }
            if isOurs { return Pass(free: free) }
        }
        free.update { $0 -= 1 }
        return Pass(free: free)
    }

    public final class Pass: Sendable {
        private let free: Watched<Int>
        private let isHeld = Mutex(true)

        fileprivate init(free: Watched<Int>) {
            self.free = free
        }

        deinit { giveBack() }

        /// Frees the place. Further calls have no effect.
        public func giveBack() {
            let wasHeld = isHeld.withLock { held in
                defer { held = false }
                return held
            }
            if wasHeld { free.update { $0 += 1 } }
        }
    }
}
