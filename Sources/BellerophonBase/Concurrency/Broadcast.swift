import Synchronization

/// Sends elements to any number of `AsyncStream` sequences.
package final class Broadcast<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var lastID = 0
        var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
    }

    private let state = Mutex(State())
    private let bufferSize: Int

    /// - Parameter bufferSize: the elements that a sequence buffers for a slow consumer; the oldest are dropped first.
    package init(bufferSize: Int) {
        self.bufferSize = bufferSize
    }

    deinit {
        for continuation in state.withLock({ $0.continuations.values }) { continuation.finish() }
    }

    /// A sequence of the elements that are sent after this call. It ends when its consumer is cancelled or the broadcast is
    /// released.
    package func stream() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(bufferSize))
        let id = state.withLock { state in
            state.lastID += 1
            state.continuations[state.lastID] = continuation
            return state.lastID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.continuations.removeValue(forKey: id) }
        }
        return stream
    }

    package func send(_ element: Element) {
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(element) }
    }
}
