import Foundation

/// Keeps the number of terminals at work small: tests run in parallel, and many programs at once would
/// make each of them too slow to be judged.
final class SessionGate: Sendable {
    static let shared = SessionGate(limit: 2 * max(1, ProcessInfo.processInfo.activeProcessorCount))

    private let free: Watched<Int>

    init(limit: Int) {
        free = Watched(limit)
    }

    /// Waits for a place; it is free again when the pass is gone.
    func enter() async throws -> Pass {
        while true {
            try await free.wait(for: "free terminal", within: .seconds(600)) { $0 > 0 ? () : nil }
            let isOurs = free.update { free in
                guard free > 0 else { return false }
                free -= 1
                return true
            }
            if isOurs { return Pass(free: free) }
        }
    }

    final class Pass: Sendable {
        private let free: Watched<Int>

        fileprivate init(free: Watched<Int>) {
            self.free = free
        }

        deinit {
            free.update { $0 += 1 }
        }
    }
}
