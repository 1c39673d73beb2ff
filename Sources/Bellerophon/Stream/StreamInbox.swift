import Synchronization

/// Passes a connection's signals to the manager's core, in order, with bounded memory.
///
/// The core takes a bounded number of signals at a time. A slow core exerts no back pressure on the server; signals beyond the
/// limits end the connection.
final class StreamInbox: Sendable {
    private struct Waiting {
        var signals: [StreamSignal] = []
        var bytes = 0
        var isAnnounced = false
        var isClosed = false
    }

    /// The most bytes of events, and the most signals, that may wait for the core.
    static let byteLimit = 4 << 20
    static let countLimit = 4096
    /// The most bytes of events, and the most signals, in one turn of the core. A larger event is taken alone.
    static let turnByteLimit = 256 << 10
    static let turnCountLimit = 32

    private let waiting = Mutex(Waiting())
    private let onArrival: @Sendable (StreamInbox) -> Void

    /// - Parameter onArrival: called on any thread when signals arrive, and again only after ``dequeue()`` has emptied
    ///   the inbox.
    init(_ onArrival: @escaping @Sendable (StreamInbox) -> Void) {
        self.onArrival = onArrival
    }

    /// Adds a signal. May be called from any thread, but not concurrently.
    func put(_ signal: StreamSignal) {
        let mustAnnounce = waiting.withLock { waiting in
            guard !waiting.isClosed else { return false }
            Self.add(signal, to: &waiting)
            defer { waiting.isAnnounced = true }
            return !waiting.isAnnounced
        }
        if mustAnnounce { onArrival(self) }
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

    /// Removes and returns the oldest signals, up to the limits of one turn.
    /// - Returns: the signals, and whether more are waiting; the caller must then call again.
    func dequeue() -> (signals: [StreamSignal], hasMore: Bool) {
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
    /// The bytes of an event; zero for all other signals.
    fileprivate var size: Int {
        guard case .event(let event) = self else { return 0 }
        return event.data.count + event.name.utf8.count + (event.id?.utf8.count ?? 0)
    }
}
