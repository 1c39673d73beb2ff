import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Bellerophon

@Suite("URLSession status stream", .serialized)
struct StatusStreamTests {
    private static let status = "event: status\nid: 42-9f3c02ab\npublished: 1764050400123\ndata: {\"a\":1}\n\n"

    /// Collects the signals of one connection.
    private final class Listener: Sendable {
        let signals = Watched<[StreamSignal]>([])
        private let connection = Mutex<StreamConnection?>(nil)
        /// Retained, since releasing a stream ends its connections.
        private let stream: any StatusStream
        private let server: HostileServer?

        init(_ stream: any StatusStream, lastEventID: String? = nil, of server: HostileServer? = nil) {
            self.stream = stream
            self.server = server
            let made = stream.connect(lastEventID: lastEventID) { [signals] signal in signals.update { $0.append(signal) } }
            connection.withLock { $0 = made }
        }

        func cancel() { connection.withLock { $0 }?.cancel() }

        func wait(_ count: Int) async throws -> [StreamSignal] {
            try await signals.wait(for: "\(count) signals") { $0.count >= count ? $0 : nil }
        }

        /// All signals, after the end of the connection.
        func all() async throws -> [StreamSignal] {
            try await signals.wait(for: "the end") { signals in
                if case .closed? = signals.last { signals } else { nil }
            }
        }

        func failure() async throws -> StatusError.Reason? {
            if case .closed(let error)? = try await all().last { error.reason } else { nil }
        }
    }

    private func listen(
        _ feed: ServerFeed, lastEventID: String? = nil, eventLimit: Int = 256 << 10
    ) throws -> (server: HostileServer, listener: Listener) {
        let server = try HostileServer(.stream(feed))
        let stream = URLSessionStatusStream(url: server.url("/events"), eventLimit: eventLimit)
        return (server, Listener(stream, lastEventID: lastEventID, of: server))
    }

    private func failure(_ behaviour: Behaviour) async throws -> StatusError? {
        let server = try HostileServer(behaviour)
        let listener = Listener(URLSessionStatusStream(url: server.url("/events")))
        let signals = try await listener.all()
        #expect(signals.count == 1)
        if case .closed(let error)? = signals.last { return error }
        return nil
    }

    private func event(_ signal: StreamSignal?) -> StreamEvent? {
        if case .event(let event)? = signal { event } else { nil }
    }

    // MARK: Receiving

    @Test func eventsAreHeardAsTheyCome() async throws {
        let feed = ServerFeed("retry: 3000\n")
        let (server, listener) = try listen(feed)
        #expect(try await listener.wait(2) == [.opened(heartbeat: .seconds(300)), .retry(.seconds(3))])
        feed.send(Self.status)
        let event = try #require(self.event(try await listener.wait(3).last))
        #expect(event.name == "status" && event.id == "42-9f3c02ab")
        #expect(String(decoding: event.data, as: UTF8.self) == "{\"a\":1}")
        #expect(event.publishedAt == Date(timeIntervalSince1970: 1_764_050_400.123))
        #expect((event.receivedAt ?? .now + .seconds(9)) <= .now)
        feed.send(": heartbeat\n\n")
        #expect(try await listener.wait(4).last == .heartbeat)
        listener.cancel()
        #expect(try await server.exchange(number: 1).ending == .clientLeft)
    }

    @Test func theRequestSaysWhatItWants() async throws {
        let (server, listener) = try listen(ServerFeed(), lastEventID: "42-9f3c02ab")
        let request = try await server.request(number: 1)
        #expect(request.path == "/events")
        #expect(request.header("Accept") == "text/event-stream")
        #expect(request.header("Cache-Control") == "no-store")
        #expect(request.header("Last-Event-ID") == "42-9f3c02ab")
        #expect(request.header("Cookie") == nil)
        listener.cancel()
    }

    @Test(arguments: ["", "a\u{1B}b", "é", String(repeating: "9", count: 600)])
    func anIDThatNoHeaderCanHoldIsNotSent(id: String) async throws {
        let (server, listener) = try listen(ServerFeed(), lastEventID: id)
        #expect(try await server.request(number: 1).header("Last-Event-ID") == nil)
        listener.cancel()
    }

    @Test func writesCutAnywhereMakeTheSameEvents() async throws {
        let feed = ServerFeed()
        let (_, listener) = try listen(feed)
        for byte in Self.status.utf8 { feed.send([byte]) }
        #expect(self.event(try await listener.wait(2).last)?.id == "42-9f3c02ab")
        listener.cancel()
    }

    @Test func aStreamCutInMidEventLosesOnlyThatEvent() async throws {
        let feed = ServerFeed(Self.status + "event: status\nid: 43\ndata: {\"a\":2}\n")
        feed.end()
        let (_, listener) = try listen(feed)
        let signals = try await listener.all()
        #expect(signals.compactMap { self.event($0)?.id } == ["42-9f3c02ab"])
        #expect(signals.last == .closed(StatusError(.stream(.ended), metadata: ExchangeMetadata(httpStatus: 200))))
    }

    @Test func aResetIsAFailure() async throws {
        let feed = ServerFeed(Self.status)
        let (_, listener) = try listen(feed)
        _ = try await listener.wait(2)
        feed.reset()
        let reason = try await listener.failure()
        if case .transport? = reason { return }
        #expect(reason == .stream(.ended), "some systems take a reset for an end")
    }

    @Test func aHeartbeatOfTheServersOwnIsTold() async throws {
        let (_, listener) = try listen(ServerFeed(headers: ["Bellerophon-Heartbeat": "999999"]))
        #expect(try await listener.wait(1) == [.opened(heartbeat: .seconds(300))])
        listener.cancel()
        let (_, silent) = try listen(ServerFeed(headers: ["Bellerophon-Heartbeat": "soon"]))
        #expect(try await silent.wait(1) == [.opened(heartbeat: nil)])
        silent.cancel()
    }

    // MARK: Failures

    @Test func a204IsARefusal() async throws {
        #expect(try await failure(.noContent)?.reason == .stream(.refused))
    }

    @Test func otherAnswersAreFailures() async throws {
        #expect(try await failure(.failure(404))?.reason == .httpStatus(404))
        #expect(try await failure(.json("{}"))?.reason == .stream(.otherMediaType("application/json")))
        #expect(try await failure(.answer(Answer()))?.reason == .stream(.otherMediaType("none")))
        let busy = try await failure(.busy(retryAfter: "17"))
        #expect(busy?.reason == .httpStatus(503) && busy?.metadata?.retryAfter == .seconds(17))
    }

    @Test func aDeadServerIsAFailure() async throws {
        let server = try HostileServer()
        try server.stop()
        let reason = try await Listener(URLSessionStatusStream(url: server.url("/events"))).failure()
        guard case .transport? = reason else {
            Issue.record("\(String(describing: reason))")
            return
        }
    }

    @Test func redirectsStayWithinTheOrigin() async throws {
        let other = try HostileServer()
        let server = try HostileServer()
        server.enqueue(.redirect(to: "/elsewhere"), .stream(ServerFeed(Self.status)), .redirect(to: other.url().absoluteString))
        let stream = URLSessionStatusStream(url: server.url("/events"))
        let first = Listener(stream)
        #expect(self.event(try await first.wait(2).last)?.id == "42-9f3c02ab")
        #expect(server.requests.map(\.path) == ["/events", "/elsewhere"])
        first.cancel()
        guard case .redirectRefused? = try await Listener(stream).failure() else {
            Issue.record("another origin was believed")
            return
        }
        #expect(other.requests.isEmpty)
    }

    @Test func anEndlessEventIsGivenUp() async throws {
        let feed = ServerFeed()
        let (server, listener) = try listen(feed, eventLimit: 4096)
        for _ in 0..<200 { feed.send("data: " + String(repeating: "x", count: 4000)) }
        #expect(try await listener.failure() == .stream(.tooLarge(limit: 4096)))
        listener.cancel()
        #expect(try await server.exchange(number: 1).ending != nil)
    }

    @Test(arguments: ["ftp://127.0.0.1/events", "events"])
    func anAddressThatCannotBeAskedIsAnError(address: String) async throws {
        let url = try #require(URL(string: address))
        guard case .unusableURL? = try await Listener(URLSessionStatusStream(url: url)).failure() else {
            Issue.record("\(address) was asked")
            return
        }
    }

    @Test("A cancelled connection ends once and sends no further signals")
    func cancelledStreamStaysSilent() async throws {
        let feed = ServerFeed(Self.status)
        let (_, listener) = try listen(feed)
        _ = try await listener.wait(2)
        listener.cancel()
        listener.cancel()
        feed.send(Self.status)
        let signals = try await listener.all()
        #expect(signals.count == 3)
    }

    @Test func aStreamThatNobodyHoldsLeavesTheServer() async throws {
        let server = try HostileServer(.stream(ServerFeed(Self.status)))
        let signals = Watched<[StreamSignal]>([])
        var stream: URLSessionStatusStream? = URLSessionStatusStream(url: server.url("/events"))
        _ = stream?.connect(lastEventID: nil) { signal in signals.update { $0.append(signal) } }
        try await signals.wait(for: "an event") { $0.count >= 2 ? () : nil }
        stream = nil
        #expect(try await server.exchange(number: 1).ending == .clientLeft)
        try await signals.wait(for: "the end") { $0.count == 3 ? () : nil }
    }

    @Test func streamsThatAreDroppedAtOnceHoldNothingUp() async throws {
        let server = try HostileServer(.stream(ServerFeed(Self.status)))
        let ends = Watched(0)
        for _ in 0..<5 {
            _ = URLSessionStatusStream(url: server.url("/events")).connect(lastEventID: nil) { signal in
                if case .closed = signal { ends.update { $0 += 1 } }
            }
        }
        try await ends.wait(for: "five ends") { $0 == 5 ? () : nil }
        server.reply = .status(HostileServer.live)
        #expect(try await URLSessionStatusSource(url: server.url()).check().get().document.stage == .active)
    }

    @Test(arguments: [
        ("https://a.example/v1/apps/x/status", "https://a.example/v1/apps/x/events"),
        ("https://a.example/status.json?k=1", "https://a.example/events?k=1"), ("https://a.example", "https://a.example/events"),
        ("http://a.example/a%20b/status", "http://a.example/a%20b/events"),
    ])
    func theStreamIsBesideTheStatus(status: String, events: String) throws {
        let url = try #require(URL(string: status))
        #expect(URLSessionStatusStream.url(besideStatus: url)?.absoluteString == events)
    }

    // MARK: Discovery

    @Test(arguments: [
        ("/events", String?.some("/events")), ("/v1/apps/a/events?x=1", "/v1/apps/a/events?x=1"), ("//evil.example/events", nil),
        ("https://evil.example/events", nil), ("events", "/kill/events"), ("../v1/events", "/v1/events"), ("", nil),
        ("/a b", nil), ("/\\evil.example", nil),
    ])
    func anAnswerNamesAStreamOfItsOwnOriginOnly(path: String, found: String?) async throws {
        let server = try HostileServer(.json(HostileServer.live, headers: ["Bellerophon-Events": path]))
        let metadata = try #require(try await URLSessionStatusSource(url: server.url("/kill/status")).check().get().metadata)
        #expect(metadata.streamURL?.absoluteString == found.map { "http://127.0.0.1:\(server.port)\($0)" })
    }

    @Test(
        arguments: [("1764050400123", 1_764_050_400.123), ("0", 0), ("-1", nil), ("1e3", nil), ("99999999999999", nil)]
            as [(String, Double?)])
    func anAnswerSaysWhenItWasPublished(field: String, seconds: Double?) async throws {
        let server = try HostileServer(.json(HostileServer.live, headers: ["Bellerophon-Published": field]))
        let metadata = try #require(try await URLSessionStatusSource(url: server.url("/status")).check().get().metadata)
        #expect(metadata.publishedAt == seconds.map { Date(timeIntervalSince1970: $0) })
    }
}

/// A manager with a real clock and real transports, against a server on the loopback interface.
@MainActor
@Suite("Push over loopback")
struct PushTests {
    nonisolated private static let killed = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":600,"userMessage":"Stop."}"#
    nonisolated private static let live = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":600,"userMessage":null}"#

    nonisolated private static func event(_ document: String, id: String) -> String {
        "event: status\nid: \(id)\ndata: \(document)\n\n"
    }

    private func makeManager(
        _ server: HostileServer, transport: Transport = .auto
    ) -> (BellerophonManager, Watched<[StatusReport]>) {
        var config = BellerophonConfig(window: nil, source: URLSessionStatusSource(url: server.url("/status")))
        config.transport = transport
        let manager = BellerophonManager(config: config)
        let reports = Watched<[StatusReport]>([])
        manager.onReport = { report in reports.update { $0.append(report) } }
        return (manager, reports)
    }

    private func stage(_ stage: Stage, _ count: Int = 1, in reports: Watched<[StatusReport]>) async throws {
        try await reports.wait(for: "change \(count) to \(stage)") { reports in
            let changes = reports.count { if case .stageChanged(let transition) = $0 { transition.to == stage } else { false } }
            return changes >= count ? () : nil
        }
    }

    @Test("A stream named by a reply delivers statuses and resumes after a cut")
    func advertisedStreamIsResumed() async throws {
        let (first, second) = (ServerFeed("retry: 1\n" + Self.event(Self.live, id: "1")), ServerFeed("retry: 1\n"))
        let server = try HostileServer()
        server.answer { request in
            if request.path == "/status" { return .json(Self.killed, headers: ["Bellerophon-Events": "/events"]) }
            return .stream(request.header("Last-Event-ID") == nil ? first : second)
        }
        let (manager, reports) = makeManager(server)
        manager.checkAppStatus()
        try await stage(.killed, in: reports)
        try await stage(.active, in: reports)
        #expect(manager.liveTransport == .stream)
        first.send(Self.event(Self.killed, id: "2").replacingOccurrences(of: "\n", with: "\r\n"))
        try await stage(.killed, 2, in: reports)

        // The connection is cut in the middle of an event. The immediate check returns the same status, and the stream
        // resumes after event 2.
        first.send("event: status\nid: 3\ndata: {")
        first.end()
        let resumed = try await reports.wait(for: "a second stream") { reports in
            reports.count { if case .stream(.opened) = $0 { true } else { false } } == 2 ? server.requests.last : nil
        }
        #expect(resumed.path == "/events" && resumed.header("Last-Event-ID") == "2")
        #expect(server.requests.count { $0.path == "/status" } == 2)
        #expect(manager.machine.stage == .killed)
        second.send(Self.event(Self.live, id: "3"))
        try await stage(.active, 2, in: reports)
        manager.suspend()
        let left = try await server.exchange(number: resumed.number)
        #expect(left.ending == .clientLeft)
    }

    @Test func transportStreamAsksForNothing() async throws {
        let server = try HostileServer()
        server.answer { request in
            request.path == "/events" ? .stream(ServerFeed(Self.event(Self.killed, id: "1"))) : .failure(500)
        }
        let (manager, reports) = makeManager(server, transport: .stream)
        manager.checkAppStatus()
        try await stage(.killed, in: reports)
        #expect(server.requests.map(\.path) == ["/events"])
        manager.suspend()
    }

    /// The test keeps the lock of the manager's core while another thread receives more signals than the queue holds.
    @Test("A stream ends when the event queue of a busy manager is full")
    func overflowEndsStream() async throws {
        let stream = ScriptedStream()
        var config = BellerophonConfig(window: nil, source: URLSessionStatusSource(url: try HostileServer().url()))
        (config.transport, config.stream) = (.stream, stream)
        let manager = BellerophonManager(config: config)
        let reports = Watched<[StatusReport]>([])
        manager.onReport = { report in reports.update { $0.append(report) } }
        manager.checkAppStatus()
        stream.accept(Self.killed)
        let done = DispatchSemaphore(value: 0)
        manager.core.enter {
            // Begun with the lock, so that every event of it must wait.
            Thread.detachNewThread {
                for number in 0..<100 { stream.push(String(repeating: "x", count: 100_000), id: "\(number)") }
                done.signal()
            }
            done.wait()
        }
        try await reports.wait(for: "the end of the stream") { reports in
            reports.contains { if case .stream(.closed(let error, _)) = $0 { error.reason == .stream(.flood) } else { false } }
                ? () : nil
        }
        #expect(manager.machine.stage == .killed)
        #expect(reports.value.count { if case .pushFailed = $0 { true } else { false } } <= 43, "4 MiB may wait")
        #expect(stream.connections.first?.isCancelled == true)
        manager.suspend()
    }
}
