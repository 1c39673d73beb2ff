import Synchronization

/// Carries a connection's signals to the main actor, in order, and never holds more than a bounded number of bytes.
///
/// A main actor that is busy does not slow a server down: what can't be kept ends the connection.
final class StreamInbox: Sendable {
    private struct Waiting {
        var signals: [StreamSignal] = []
        var bytes = 0
        var willDrain = false
        var isClosed = false
    }

    /// Bytes of events, and signals, that may wait for the main actor.
    static let byteLimit = 4 << 20
    static let countLimit = 4096

    private let waiting = Mutex(Waiting())
    private let take: @MainActor @Sendable (StreamSignal) -> Void

    init(_ take: @escaping @MainActor @Sendable (StreamSignal) -> Void) {
        self.take = take
    }

    /// Call it from any thread, one signal after the other.
    func put(_ signal: StreamSignal) {
        let mustDrain = waiting.withLock { waiting in
            guard !waiting.isClosed else { return false }
            Self.add(signal, to: &waiting)
            defer { waiting.willDrain = true }
            return !waiting.willDrain
        }
        if mustDrain { MainQueue.run { self.drain() } }
    }

    private static func add(_ signal: StreamSignal, to waiting: inout Waiting) {
        if case .heartbeat = signal, waiting.signals.last == .heartbeat { return }
        if case .event(let event) = signal { waiting.bytes += event.size }
        if case .closed = signal { waiting.isClosed = true }
        if waiting.bytes > byteLimit || waiting.signals.count >= countLimit {
            waiting.signals.append(.closed(StatusError(.stream(.flood))))
            waiting.isClosed = true
        } else {
            waiting.signals.append(signal)
        }
    }

    @MainActor
    private func drain() {
        let signals = waiting.withLock { waiting in
            defer {
                waiting.signals = []
                waiting.bytes = 0
                waiting.willDrain = false
            }
            return waiting.signals
        }
        for signal in signals { take(signal) }
    }
}

extension StreamEvent {
    /// What it takes to keep, in bytes.
    fileprivate var size: Int { data.count + name.utf8.count + (id?.utf8.count ?? 0) }
}
