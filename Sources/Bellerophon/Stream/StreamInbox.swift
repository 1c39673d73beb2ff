import Synchronization

/// Carries a connection's signals to the main actor, in order, and never holds more than a bounded number of bytes.
///
/// The main actor takes a bounded number at a time. A busy main actor does not slow a server down: what can't be kept
/// ends the connection.
final class StreamInbox: Sendable {
    private struct Waiting {
        var signals: [StreamSignal] = []
        var bytes = 0
        var isAnnounced = false
        var isClosed = false
    }

    /// Bytes of events, and signals, that may wait for the main actor.
    static let byteLimit = 4 << 20
    static let countLimit = 4096
    /// Signals, and bytes of events, that one turn of the main actor takes; of larger events it takes one.
    static let turnByteLimit = 256 << 10
    static let turnCountLimit = 32

    private let waiting = Mutex(Waiting())
    private let onArrival: @MainActor @Sendable (StreamInbox) -> Void

    /// - Parameter onArrival: called on the main actor when signals wait: again only after ``take()`` has left none.
    init(_ onArrival: @escaping @MainActor @Sendable (StreamInbox) -> Void) {
        self.onArrival = onArrival
    }

    /// Call it from any thread, one signal after the other.
    func put(_ signal: StreamSignal) {
        let mustAnnounce = waiting.withLock { waiting in
            guard !waiting.isClosed else { return false }
            Self.add(signal, to: &waiting)
            defer { waiting.isAnnounced = true }
            return !waiting.isAnnounced
        }
        if mustAnnounce { MainQueue.run { self.onArrival(self) } }
    }

    private static func add(_ signal: StreamSignal, to waiting: inout Waiting) {
        if case .heartbeat = signal, waiting.signals.last == .heartbeat { return }
        waiting.bytes += signal.size
        if case .closed = signal { waiting.isClosed = true }
        if waiting.bytes > byteLimit || waiting.signals.count >= countLimit {
            waiting.signals.append(.closed(StatusError(.stream(.flood))))
            waiting.isClosed = true
        } else {
            waiting.signals.append(signal)
        }
    }

    /// The oldest signals, as many as one turn handles.
    /// - Returns: with them, whether more wait; the caller must come back for those.
    func take() -> (signals: [StreamSignal], hasMore: Bool) {
        waiting.withLock { waiting in
            var (count, bytes) = (0, 0)
            for signal in waiting.signals.prefix(Self.turnCountLimit) {
                bytes += signal.size
                if count > 0, bytes > Self.turnByteLimit { break }
                count += 1
            }
            let taken = Array(waiting.signals.prefix(count))
            waiting.signals.removeFirst(count)
            waiting.bytes -= taken.reduce(0) { $0 + $1.size }
            waiting.isAnnounced = !waiting.signals.isEmpty
            return (taken, waiting.isAnnounced)
        }
    }
}

extension StreamSignal {
    /// The bytes that it takes to keep an event; zero for every other signal.
    fileprivate var size: Int {
        guard case .event(let event) = self else { return 0 }
        return event.data.count + event.name.utf8.count + (event.id?.utf8.count ?? 0)
    }
}
