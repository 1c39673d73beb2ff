import Bellerophon
import Dispatch
import Synchronization

/// Single checks without a manager.
enum StatusFetch {
    /// Checks every source once, all at the same time, and waits for the last one.
    ///
    /// It must not be called on the queue of a source. Each check ends by the time limit of its source.
    static func results(of sources: [any StatusSource]) -> [Result<StatusReply, StatusError>] {
        let done = DispatchGroup()
        let results = Mutex(sources.map { _ in Result<StatusReply, StatusError>.failure(StatusError(.noStatus)) })
        for (index, source) in sources.enumerated() {
            done.enter()
            _ = source.fetchStatus { result in
                results.withLock { $0[index] = result }
                done.leave()
            }
        }
        done.wait()
        return results.withLock { $0 }
    }
}
