import Synchronization

/// The data that a ``HostileServer`` writes to one open response while the test runs.
public final class ServerFeed: Sendable {
    enum Step: Sendable {
        case bytes([UInt8])
        case end
        case reset
    }

    let head: [UInt8]
    private let steps: Mutex<[Step]>

    /// - Parameters:
    ///   - headers: added to those of an event stream; they replace fields of the same name.
    ///   - text: sent immediately.
    public init(status: Int = 200, headers: [String: String] = [:], _ text: String = "") {
        let usual = [
            "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store", "Bellerophon-Heartbeat": "300",
        ]
        head = Answer(status: status, headers: usual.merging(headers) { $1 }).head(length: nil)
        steps = Mutex(text.isEmpty ? [] : [.bytes(Array(text.utf8))])
    }

    /// Queues text that is written with one call, after all earlier text.
    public func send(_ text: String) { add(.bytes(Array(text.utf8))) }

    public func send(_ bytes: [UInt8]) { add(.bytes(bytes)) }

    /// Closes the connection.
    public func end() { add(.end) }

    /// Resets the connection.
    public func reset() { add(.reset) }

    private func add(_ step: Step) { steps.withLock { $0.append(step) } }

    func next() -> Step? {
        steps.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
