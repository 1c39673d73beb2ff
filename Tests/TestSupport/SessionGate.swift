import Foundation

/// Keeps the number of things at work small, such as terminals: tests run in parallel, and many at once would
/// make each of them too slow to be judged.
public final class SessionGate: Sendable {
    static let shared = SessionGate(limit: 2 * max(1, ProcessInfo.processInfo.activeProcessorCount))

    private let free: Watched<Int>

    public init(limit: Int) {
        free = Watched(limit)
    }

    /// Waits for a place; it is free again when the pass is gone.
    public func enter() async throws -> Pass {
        while true {
            try await free.wait(for: "free place", within: .seconds(600)) { $0 > 0 ? () : nil }
            let isOurs = free.update { free in
                guard free > 0 else { return false }
                free -= 1
                return true
            }
            if isOurs { return Pass(free: free) }
        }
    }

    public final class Pass: Sendable {
        private let free: Watched<Int>

        fileprivate init(free: Watched<Int>) {
            self.free = free
        }

        deinit {
            free.update { $0 += 1 }
        }
    }
}
