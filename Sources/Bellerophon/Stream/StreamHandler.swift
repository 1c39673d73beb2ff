import BellerophonBase
import Foundation
import HTTPTransport
import SafeText

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Receives the response of one stream connection, and passes on its signals.
struct StreamHandler: HTTPHandler {
    private let onSignal: @Sendable (StreamSignal) -> Void
    private var parser: EventStreamParser
    private(set) var metadata = ExchangeMetadata()
    private var openedAt = ContinuousClock.now
    private var allowance = IdleAllowance()

    init(_ parser: EventStreamParser = EventStreamParser(), onSignal: @escaping @Sendable (StreamSignal) -> Void) {
        (self.parser, self.onSignal) = (parser, onSignal)
    }

    mutating func take(_ head: HTTPURLResponse) -> HTTPVerdict<StatusError.Reason> {
        take(redirect: head)
        if let reason = Self.refusal(head) { return .cut(reason) }
        let heartbeat = head.value(forHTTPHeaderField: "Bellerophon-Heartbeat").flatMap(PushHeaders.heartbeat)
        onSignal(.opened(heartbeat: heartbeat, date: metadata.serverDate))
        return .proceed
    }

    mutating func take(redirect head: HTTPURLResponse) {
        var exchange = StatusExchange()
        exchange.adopt(head)
        metadata = exchange.metadata
        openedAt = .now
    }

    /// Why a response is not a stream; nil for a stream.
    private static func refusal(_ head: HTTPURLResponse) -> StatusError.Reason? {
        guard head.statusCode != 204 else { return .stream(.refused) }
        guard head.statusCode == 200 else { return .httpStatus(head.statusCode) }
        let type = head.value(forHTTPHeaderField: "Content-Type") ?? "none"
        let essence = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        guard essence != "text/event-stream" else { return nil }
        return .stream(.otherMediaType(TextSanitizer.sanitize(String(essence), keepingNewlines: false, limit: 80)))
    }

    mutating func take(_ bytes: Data) -> HTTPVerdict<StatusError.Reason> {
        let (signals, end) = read(bytes)
        signals.forEach(onSignal)
        return end.map { .cut($0) } ?? .proceed
    }

    /// Reads the next bytes.
    /// - Returns: the signals that they complete, and why the stream can't be read further; nil if it can.
    mutating func read(_ bytes: Data) -> (signals: [StreamSignal], end: StatusError.Reason?) {
        let now = ContinuousClock.now
        do throws(EventStreamParser.ParseError) {
            let signals = try parser.consume(Array(bytes)).reduce(into: [StreamSignal]()) { signals, item in
                let signal = signal(item, at: now)
                // Of many heartbeats in a row one says as much.
                if signal != .heartbeat || signals.last != .heartbeat { signals.append(signal) }
            }
            return (signals, allowance.permits(parser.idleBytes, at: now) ? nil : .stream(.flood))
        } catch {
            return ([], .stream(.tooLarge(limit: error.limit)))
        }
    }

    private func signal(_ item: EventStreamParser.Item, at now: ContinuousClock.Instant) -> StreamSignal {
        switch item {
        case .comment: return .heartbeat
        case .retry(let wait): return .retry(wait)
        case .event(let parsed):
            let id = parsed.lastEventID.isEmpty ? nil : parsed.lastEventID
            var event = StreamEvent(name: parsed.name, data: parsed.data, id: id, receivedAt: now)
            event.published = parsed.published.map(PushHeaders.date) ?? .absent
            event.serverDate = metadata.serverDate?.addingTimeInterval(openedAt.duration(to: now).inSeconds)
            return .event(event)
        }
    }

    /// Why the connection ended. A complete response is reported as ``StreamError/ended``.
    func error(endedBy end: HTTPEnd<StatusError.Reason>) -> StatusError {
        StatusError(StatusError.Reason(end) ?? .stream(.ended), metadata: metadata)
    }
}
