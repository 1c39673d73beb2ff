import BellerophonBase
import Foundation
import HTTPTransport
import SafeText

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Receives the response of one stream connection, and passes on its signals.
struct StreamHandler: HTTPHandler {
    /// The most bytes of one event.
    static let defaultLimit = 256 << 10

    private let tell: @Sendable (StreamSignal) -> Void
    private var parser: EventStreamParser
    private var metadata = ExchangeMetadata()
    private var openedAt = ContinuousClock.now
    private var allowance = IdleAllowance()

    /// - Parameter eventLimit: the most bytes of one event.
    init(eventLimit: Int, tell: @escaping @Sendable (StreamSignal) -> Void) {
        self.tell = tell
        parser = EventStreamParser(keeping: ["published"], limit: eventLimit)
    }

    mutating func take(_ head: HTTPURLResponse) -> HTTPVerdict<StatusError.Reason> {
        take(redirect: head)
        if let reason = Self.refusal(head) { return .cut(reason) }
        let heartbeat = head.value(forHTTPHeaderField: "Bellerophon-Heartbeat").flatMap(PushHeaders.heartbeat)
        tell(.opened(heartbeat: heartbeat, date: metadata.serverDate))
        return .proceed
    }

    mutating func take(redirect head: HTTPURLResponse) {
        var exchange = StatusExchange()
        exchange.take(head)
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
        let now = ContinuousClock.now
        do throws(EventStreamParser.ParseError) {
            var last: StreamSignal?
            for item in try parser.consume(Array(bytes)) {
                let signal = signal(item, at: now)
                // Of many heartbeats in a row one says as much.
                if signal != .heartbeat || last != .heartbeat { tell(signal) }
                last = signal
            }
            return allowance.permits(parser.idleBytes, at: now) ? .proceed : .cut(.stream(.flood))
        } catch {
            return .cut(.stream(.tooLarge(limit: error.limit)))
        }
    }

    private func signal(_ item: EventStreamParser.Item, at now: ContinuousClock.Instant) -> StreamSignal {
        switch item {
        case .comment: return .heartbeat
        case .retry(let wait): return .retry(wait)
        case .event(let parsed):
            let id = parsed.lastEventID.isEmpty ? nil : parsed.lastEventID
            var event = StreamEvent(name: parsed.name, data: parsed.data, id: id, receivedAt: now)
            event.published = parsed.fields["published"].map(PushHeaders.date) ?? .absent
            event.serverDate = metadata.serverDate?.addingTimeInterval(openedAt.duration(to: now).inSeconds)
            return .event(event)
        }
    }

    /// Why the connection ended. A complete response is reported as ``StreamError/ended``.
    func error(endedBy end: HTTPEnd<StatusError.Reason>) -> StatusError {
        StatusError(StatusError.Reason(end) ?? .stream(.ended), metadata: metadata)
    }
}
