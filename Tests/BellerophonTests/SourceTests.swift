import Bellerophon
import Foundation
import TestSupport
import Testing

@Suite("URLSession status source")
struct SourceTests {
    static let killed = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":3,"userMessage":"Stop."}"#

    private func check(
        _ behaviour: Behaviour, path: String = "/status", limits: URLSessionStatusSource.Limits = .init()
    ) async throws -> Result<StatusReply, StatusError> {
        let server = try HostileServer(behaviour)
        return await URLSessionStatusSource(url: server.url(path), limits: limits).check()
    }

    private func reason(
        _ behaviour: Behaviour, limits: URLSessionStatusSource.Limits = .init()
    ) async throws -> StatusError.Reason? {
        if case .failure(let error) = try await check(behaviour, limits: limits) { error.reason } else { nil }
    }

    // MARK: Replies

    @Test func aStatusArrivesWithItsFacts() async throws {
        let reply = try await check(.status(Self.killed)).get()
        #expect(reply.document == StatusDocument(isInactive: true, requiresUpdate: false, interval: 3, message: "Stop."))
        #expect(reply.metadata?.httpStatus == 200)
        #expect(reply.metadata?.bytes == Self.killed.utf8.count)
        #expect(reply.metadata?.excerpt == Self.killed)
        #expect((reply.metadata?.latency ?? .zero) > .zero)
    }

    @Test func anUnchangedStatusCostsNoBody() async throws {
        let server = try HostileServer(.status(Self.killed, etag: "\"v1\""))
        let source = URLSessionStatusSource(url: server.url())
        let first = try await source.check().get()
        let second = try await source.check().get()
        #expect(server.requests.map { $0.header("If-None-Match") } == [nil, "\"v1\""])
        #expect(second.document == first.document)
        #expect(second.metadata?.httpStatus == 304)
        #expect(second.metadata?.isNotModified == true)
        #expect(second.metadata?.bytes == 0)
    }

    @Test func aSourceThatNobodyHoldsStillAnswers() async throws {
        let server = try HostileServer(.status(Self.killed))
        let message = await withCheckedContinuation { continuation in
            URLSessionStatusSource(url: server.url()).fetch { status, _ in
                continuation.resume(returning: status?.userMessage())
            }
        }
        #expect(message == "Stop.")
    }

    @Test(arguments: [
        ("http://[::1]:8080/status", "[::1]:8080/status"), ("https://example.com/", "example.com"),
        ("https://example.com/a%1Bb", "example.com/a␛b"),
    ])
    func theNameOfASourceIsForPeople(url: String, name: String) throws {
        #expect(URLSessionStatusSource(url: try #require(URL(string: url))).name == name)
    }

    @Test func aChangedStatusReplacesTheKnownOne() async throws {
        let server = try HostileServer(.status(Self.killed, etag: "\"v1\""))
        let source = URLSessionStatusSource(url: server.url())
        _ = try await source.check().get()
        server.reply = .status(HostileServer.live, etag: "\"v2\"")
        #expect(try await source.check().get().document.stage == .active)
    }

    @Test func nothingIsCachedWithoutATag() async throws {
        let server = try HostileServer(.json(HostileServer.live, headers: ["Cache-Control": "max-age=3600"]))
        let source = URLSessionStatusSource(url: server.url())
        _ = try await source.check().get()
        server.reply = .status(Self.killed)
        #expect(try await source.check().get().document.stage == .killed)
    }

    @Test func headersAreSentAsConfigured() async throws {
        let server = try HostileServer()
        let source = URLSessionStatusSource(url: server.url(), headers: ["X-Channel": "beta"])
        _ = try await source.check().get()
        let request = try #require(server.requests.first)
        #expect(request.header("X-Channel") == "beta")
        #expect(request.header("Accept") == "application/json")
        #expect(request.header("Cookie") == nil)
    }

    @Test func cookiesAreNeitherKeptNorSent() async throws {
        let server = try HostileServer(.json(HostileServer.live, headers: ["Set-Cookie": "id=1"]))
        let source = URLSessionStatusSource(url: server.url())
        _ = await source.check()
        _ = await source.check()
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.header("Cookie") == nil })
    }

    // MARK: Failures

    @Test func aServerWithoutTLSIsNeverAskedInPlainText() async throws {
        let server = try HostileServer()
        let url = try #require(URL(string: server.url().absoluteString.replacing("http://", with: "https://")))
        let source = URLSessionStatusSource(url: url, limits: .init(deadline: .milliseconds(500)))
        guard case .failure = await source.check() else {
            Issue.record("no secure connection is no status")
            return
        }
        #expect(server.requests.isEmpty)
    }

    // MARK: Limits

    static let short = URLSessionStatusSource.Limits(deadline: .milliseconds(400))

    @Test(arguments: [
        Behaviour.hang, .endlessDrip(every: .milliseconds(20)),
        .drip(Answer(text: SourceTests.killed), every: .milliseconds(50)),
        .slowHead(Answer(text: SourceTests.killed), every: .milliseconds(100)),
    ])
    func oneDeadlineEndsWhatNeverEnds(behaviour: Behaviour) async throws {
        #expect(try await reason(behaviour, limits: Self.short) == .timedOut(after: .milliseconds(400)))
    }

    @Test(arguments: [true, false])
    func anOversizedBodyEndsAtTheCap(announced: Bool) async throws {
        // An endless body would keep the transport busy that all tests of this process share: see FloodTests.
        #expect(try await reason(.oversized(bytes: 4_000_000, announced: announced)) == .tooLarge(limit: 65536))
    }

    // MARK: Redirects

    @Test func aRedirectToTheSameOriginIsFollowed() async throws {
        let server = try HostileServer()
        server.answer { $0.path == "/status" ? .redirect(to: "/v2/status") : .status(Self.killed) }
        let reply = try await URLSessionStatusSource(url: server.url()).check().get()
        #expect(reply.document.stage == .killed)
        #expect(server.requests.map(\.path) == ["/status", "/v2/status"])
    }

    @Test func threeRedirectsAreTheMost() async throws {
        let server = try HostileServer()
        server.answer { request in
            let step = Int(request.path.dropFirst(1)) ?? 0
            return step == 3 ? .status(Self.killed) : .redirect(to: "/\(step + 1)")
        }
        #expect(try await URLSessionStatusSource(url: server.url("/0")).check().get().document.stage == .killed)
        server.answer { .redirect(to: "/\((Int($0.path.dropFirst(1)) ?? 0) + 1)") }
        guard case .failure(let error) = await URLSessionStatusSource(url: server.url("/0")).check() else {
            Issue.record("a loop was taken for a status")
            return
        }
        #expect(error.reason == .redirectRefused("more than 3 in a row"))
    }

    @Test func aRedirectToAnotherOriginIsRefused() async throws {
        let other = try HostileServer(.status(HostileServer.live))
        let server = try HostileServer(.redirect(to: other.url().absoluteString))
        guard case .failure(let error) = await URLSessionStatusSource(url: server.url()).check() else {
            Issue.record("another origin was believed")
            return
        }
        #expect(error.shortText == "redirect")
        #expect(other.requests.isEmpty)
    }

    // MARK: Listening

    @Test func aListenerIsToldOfEveryExchangeAsItCame() async throws {
        let server = try HostileServer()
        server.enqueue(
            .json(Self.killed, headers: ["ETag": "\"1\"", "X-Odd": "a\tb"]),
            .json("busy", status: 503, headers: ["Retry-After": "7"])
        )
        let exchanges = Watched<[StatusExchange]>([])
        let source = URLSessionStatusSource(url: server.url()) { exchange in exchanges.update { $0.append(exchange) } }
        let begin = ContinuousClock.now
        let reply = try await source.check().get()
        _ = await source.check()
        let told = try await exchanges.wait(for: "two exchanges") { $0.count == 2 ? $0 : nil }
        #expect(told[0].headers["X-Odd"] == "a\tb")
        #expect(told[0].entityTag == "\"1\"")
        #expect(String(decoding: told[0].body, as: UTF8.self) == Self.killed)
        #expect(told[0].metadata == reply.metadata)
        #expect(told[0].startedAt >= begin && told[1].startedAt >= told[0].startedAt)
        #expect(told[1].metadata.httpStatus == 503 && told[1].failure == nil)
        #expect(String(decoding: told[1].body, as: UTF8.self) == "busy")
        try server.stop()
        _ = await source.check()
        let dead = try await exchanges.wait(for: "a third exchange") { $0.count == 3 ? $0.last : nil }
        #expect(dead.failure != nil && dead.metadata.httpStatus == nil)
    }

    @Test func aReceiptSaysWhenTheLastByteCame() async throws {
        let begin = ContinuousClock.now
        let server = try HostileServer(.drip(Answer(text: Self.killed), every: .milliseconds(2)))
        let metadata = try #require(try await URLSessionStatusSource(url: server.url()).check().get().metadata)
        let last = try #require(metadata.lastByteAt)
        #expect(last > begin + .milliseconds(2 * (Self.killed.utf8.count - 1)))
        #expect(last <= .now)
    }

    // MARK: Cancelling

    @Test func aCancelledCheckEndsOnce() async throws {
        let server = try HostileServer(.hang)
        let source = URLSessionStatusSource(url: server.url())
        let result = await withCheckedContinuation { continuation in
            let check = source.fetchStatus { continuation.resume(returning: $0) }
            check.cancel()
            check.cancel()
        }
        #expect(throws: StatusError.self) { try result.get() }
    }

    @Test(arguments: ["ftp://127.0.0.1/status", "file:///etc/hostname", "status"])
    func anAddressThatCannotBeAskedIsAnError(address: String) async throws {
        let url = try #require(URL(string: address))
        guard case .failure(let error) = await URLSessionStatusSource(url: url).check() else {
            Issue.record("\(address) was asked")
            return
        }
        #expect(error.shortText == "bad URL")
    }
}

extension StatusSource {
    /// Performs one check and awaits its result.
    func check() async -> Result<StatusReply, StatusError> {
        await withCheckedContinuation { continuation in
            _ = fetchStatus { continuation.resume(returning: $0) }
        }
    }
}
