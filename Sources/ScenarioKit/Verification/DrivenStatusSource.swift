import Barricade
import Bellerophon
import Foundation
import HTTPTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A status source that a barricade serves at the time of a driven clock, without a session or a network.
///
/// It applies the limits of a session to each response: deadline, size and redirects. The reader of the real source
/// interprets the result.
final class DrivenStatusSource: StatusSource {
    let name: String
    let host: String
    fileprivate let request: URLRequest
    fileprivate let barricade: BarricadeServer
    fileprivate let clock: ManualClock
    fileprivate let limits: URLSessionStatusSource.Limits
    private let reader = Mutex(StatusReader())
    /// The name of the kind of request.
    fileprivate let requestName: String
    /// The player of the timeline before the last match.
    @MainActor fileprivate(set) var matched: TimelinePlayer?

    init(
        url: URL, requestName: String, barricade: BarricadeServer, clock: ManualClock, limits: URLSessionStatusSource.Limits
    ) {
        (name, host) = (url.absoluteString, url.host ?? "")
        request = URLRequest(url: url)
        self.barricade = barricade
        self.clock = clock
        self.limits = limits
        self.requestName = requestName
    }

    /// Call it on the main actor, which the clock requires.
    func fetchStatus(_ completion: @escaping @Sendable (Result<StatusReply, StatusError>) -> Void) -> StatusCheck {
        MainActor.assumeIsolated {
            let earlier = reader.withLock { $0.known }
            let exchange = DrivenExchange(self)
            exchange.start { [self] ended in completion(reader.withLock { $0.read(ended, earlier: earlier) }) }
            return StatusCheck { MainActor.assumeIsolated { exchange.cancel() } }
        }
    }
}

/// One exchange on a driven clock. It ends once.
@MainActor
private final class DrivenExchange {
    private let source: DrivenStatusSource
    private var clock: ManualClock { source.clock }
    private var limits: URLSessionStatusSource.Limits { source.limits }
    private let startedAt: MonotonicInstant
    private var exchange = StatusExchange()
    private var redirects = 0
    private var next: ScheduledCall?
    private var end: ((StatusExchange) -> Void)?

    init(_ source: DrivenStatusSource) {
        (self.source, startedAt) = (source, source.clock.now)
    }

    func start(_ end: @escaping (StatusExchange) -> Void) {
        self.end = end
        ask(source.request)
    }

    func cancel() {
        finish(.cancelled)
    }

    private func ask(_ request: URLRequest) {
        source.matched = source.barricade.state.request(source.requestName)?.player
        let answer = source.barricade.answer(to: request)
        after(answer.wait) { $0.receive(answer.outcome, to: request) }
    }

    /// Continues after a wait, or ends at the deadline if that is earlier; nil waits for the deadline.
    private func after(_ wait: Duration?, _ step: @escaping @MainActor (DrivenExchange) -> Void) {
        let left = limits.deadline - startedAt.duration(to: clock.now)
        if let wait, wait <= .zero, left > .zero { return step(self) }
        let isInTime = wait.map { $0 < left } ?? false
        next = clock.schedule(after: isInTime ? wait ?? left : left) { [self] in
            isInTime ? step(self) : finish(.timedOut(after: limits.deadline))
        }
    }

    private func receive(_ outcome: Response.Outcome, to request: URLRequest) {
        switch outcome {
        case .silence: after(nil) { _ in }
        case .failure(let error): finish(StatusError.Reason(error, deadline: limits.deadline))
        case .reply(let reply): receive(source.barricade.dated(reply), to: request)
        }
    }

    private func receive(_ reply: Response.Reply, to request: URLRequest) {
        guard let url = request.url,
            let head = HTTPURLResponse(
                url: url, statusCode: reply.statusCode, httpVersion: "HTTP/1.1", headerFields: reply.headers
            )
        else { return finish(StatusError.Reason(URLError(.badServerResponse), deadline: limits.deadline)) }
        exchange.adopt(head, at: clock.date)
        if let target = RedirectRule.target(of: head, count: redirects + 1, limit: limits.redirects) { return follow(target) }
        let body = reply.sentBody(atMost: limits.bodyBytes + 1)
        guard max(body.announced, body.count) <= limits.bodyBytes else { return finish(.tooLarge(limit: limits.bodyBytes)) }
        let transfer = reply.bytesPerSecond.map { Duration.seconds(Double(body.count) / Double(max($0, 1))) }
        after(transfer ?? .zero) { $0.receive(body, reply.ending) }
    }

    private func follow(_ target: Result<URL, TransportError>) {
        redirects += 1
        switch target {
        case .failure(let refusal): finish(StatusError.Reason(.failed(refusal)))
        case .success(let url):
            var request = source.request
            request.url = url
            ask(request)
        }
    }

    private func receive(_ body: Response.Reply.SentBody, _ ending: ReplyEnding) {
        exchange.body = body.bytes
        exchange.metadata.bytes = body.count
        switch ending {
        case .complete, .truncatedBody: finish(nil)
        case .resetMidBody: finish(StatusError.Reason(URLError(.networkConnectionLost), deadline: limits.deadline))
        case .stallMidBody: after(nil) { _ in }
        }
    }

    private func finish(_ failure: StatusError.Reason?) {
        guard let end else { return }
        self.end = nil
        next?.cancel()
        exchange.failure = failure
        exchange.metadata.latency = startedAt.duration(to: clock.now)
        end(exchange)
    }
}
