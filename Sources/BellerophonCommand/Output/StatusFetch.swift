import Bellerophon
import Dispatch
import Synchronization

/// Single checks without a manager.
enum StatusFetch {
    /// How much longer than its limit a check may take.
    private static let grace = Duration.seconds(2)

    /// Checks every source once, all at the same time, and waits for the last one.
    ///
    /// It must not be called on the queue of a source. Each check ends by the time limit of its source. Where the system has no thread left
    /// for one, which then never begins, it counts as late soon after that.
    static func results(of sources: [URLSessionStatusSource]) -> [Result<StatusReply, StatusError>] {
        let done = DispatchGroup()
        let results = Mutex(
            sources.map { Result<StatusReply, StatusError>.failure(StatusError(.timedOut(after: $0.limits.deadline))) })
        for (index, source) in sources.enumerated() {
            done.enter()
            _ = source.fetchStatus { result in
                results.withLock { $0[index] = result }
                done.leave()
            }
        }
        let longest = sources.map(\.limits.deadline).max() ?? .zero
        _ = done.wait(timeout: .now() + (longest + grace) / .seconds(1))
        return results.withLock { $0 }
    }
}
