import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("HTTP client")
struct HTTPClientTests {
    /// Collects a complete response.
    struct Whole: HTTPHandler {
        var status = 0
        var headers: [String: String] = [:]
        var body = Data()

        mutating func take(_ head: HTTPURLResponse) -> HTTPVerdict<Never> {
            status = head.statusCode
            for case let (name as String, value as String) in head.allHeaderFields { headers[name] = value }
            return .proceed
        }

        mutating func take(_ bytes: Data) -> HTTPVerdict<Never> {
            body += bytes
            return .proceed
        }

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// An exchange must not end by its deadline before its test has its turn on a machine that does much else.
    static let limits = HTTPLimits(deadline: patience * 2, redirects: 3)
    private let client = HTTPClient()

    private func get(_ url: URL, limits: HTTPLimits = limits) async -> (Whole, HTTPEnd<Never>) {
        await client.perform(URLRequest(url: url), limits: limits, handler: Whole())
    }

    // MARK: Connections

    @Test func aConnectionServesOneRequestAfterTheOther() async throws {
        let server = try HostileServer()
        for _ in 0..<3 { #expect(await get(server.url()).1 == .complete) }
        #expect(server.requests.map(\.connection) == [1, 1, 1])
    }

    @Test func aRedirectKeepsItsConnection() async throws {
        let server = try HostileServer()
        server.answer { $0.path == "/status" ? .redirect(to: "/there") : .json("{}") }
        let (response, end) = await get(server.url())
        #expect(end == .complete)
        #expect(response.text == "{}")
        #expect(server.requests.map(\.connection) == [1, 1])
    }

    @Test func theBodyOfARedirectIsNotWaitedFor() async throws {
        let server = try HostileServer()
        server.answer { request in
            request.path == "/status"
                ? .wire([.send("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 1000000000\r\n\r\n"), .hang])
                : .json("{}")
        }
        let (response, end) = await get(server.url())
        #expect(end == .complete)
        #expect(response.text == "{}")
    }

    @Test func aRedirectThatIsNotFollowedIsDelivered() async throws {
        let server = try HostileServer(.redirect(to: "http://127.0.0.1:1/"))
        let (response, end) = await get(server.url(), limits: HTTPLimits(deadline: patience * 2))
        #expect(end == .complete)
        #expect(response.status == 302)
        #expect(response.headers["Location"] == "http://127.0.0.1:1/")
    }

    @Test func aServerThatHangsKeepsNoOtherWaiting() async throws {
        let (slow, quick) = (try HostileServer(.hang), try HostileServer())
        let waiting = (0..<20).map { _ in
            client.start(URLRequest(url: slow.url()), limits: Self.limits, handler: Whole()) { _, _ in }
        }
        _ = try await slow.request(number: 20)
        #expect(await get(quick.url()).1 == .complete)
        waiting.forEach { $0() }
    }

    @Test("A host name with two addresses is reached at the one that answers")
    func reachableAddressIsUsed() async throws {
        let server = try HostileServer()
        let url = try #require(URL(string: "http://localhost:\(server.port)/"))
        #expect(await get(url).1 == .complete)
    }

    @Test("A request on a connection that was just closed is sent again")
    func closedConnectionIsRetried() async throws {
        let server = try HostileServer()
        #expect(await get(server.url()).1 == .complete)
        try server.stop()
        try server.start()
        #expect(await get(server.url()).1 == .complete)
    }

    @Test("Connections are not inherited by programs started meanwhile")
    func descriptorsAreNotInherited() async throws {
        let server = try HostileServer(.hang)
        let cancel = client.start(URLRequest(url: server.url()), limits: Self.limits, handler: Whole()) { _, _ in }
        _ = try await server.request(number: 1)
        // Other tests may hold thousands of descriptors.
        let ours = (3..<getdtablesize()).filter { Self.peerPort(of: $0) == server.port }
        #expect(!ours.isEmpty)
        #expect(ours.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
        cancel()
    }

    private static func peerPort(of descriptor: CInt) -> UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        return result == 0 && Int32(address.sin_family) == AF_INET ? UInt16(bigEndian: address.sin_port) : nil
    }

    // MARK: Ends

    @Test func aCancellationClosesTheConnection() async throws {
        let server = try HostileServer(.endlessDrip(every: .milliseconds(5)))
        let ended = Watched<HTTPEnd<Never>?>(nil)
        let cancel = client.start(URLRequest(url: server.url()), limits: Self.limits, handler: Whole()) { _, end in
            ended.update { $0 = end }
        }
        _ = try await server.request(number: 1)
        cancel()
        #expect(try await ended.wait(for: "end") { $0 } == .failed(.cancelled))
        #expect(try await server.exchange(number: 1).ending == .clientLeft)
    }

    @Test func aCancelledTaskEndsItsExchange() async throws {
        let server = try HostileServer(.hang)
        let task = Task { await get(server.url()).1 }
        _ = try await server.request(number: 1)
        task.cancel()
        #expect(await task.value == .failed(.cancelled))
    }

    @Test func exchangesEndWithTheirClient() async throws {
        let server = try HostileServer(.hang)
        let ended = Watched<HTTPEnd<Never>?>(nil)
        var client: HTTPClient? = HTTPClient()
        client?.start(URLRequest(url: server.url()), limits: Self.limits, handler: Whole()) { _, end in
            ended.update { $0 = end }
        }
        _ = try await server.request(number: 1)
        client = nil
        #expect(try await ended.wait(for: "end") { $0 } == .failed(.cancelled))
    }

    @Test(arguments: [Behaviour.hang, .endlessDrip(every: .milliseconds(5))])
    func theDeadlineCoversTheWholeExchange(behaviour: Behaviour) async throws {
        let server = try HostileServer(behaviour)
        let limit = Duration.milliseconds(200)
        #expect(await get(server.url(), limits: HTTPLimits(deadline: limit)).1 == .failed(.deadline(limit)))
    }

    @Test func silenceEndsAnExchangeThatHasBegun() async throws {
        let server = try HostileServer(.wire([.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"), .hang]))
        let (end, limit) = try await withLongEnoughLimit("beginning of the reply") { limit in
            let (response, end) = await get(server.url(), limits: HTTPLimits(silence: limit))
            return response.text == "ab" ? end : nil
        }
        #expect(end == .failed(.silence(limit)))
    }

    @Test func theHandlerDecidesWhenItHasEnough() async throws {
        struct FirstByte: HTTPHandler {
            var byte: UInt8?
            func take(_ head: HTTPURLResponse) -> HTTPVerdict<String> {
                head.statusCode == 200 ? .proceed : .cut("\(head.statusCode)")
            }
            mutating func take(_ bytes: Data) -> HTTPVerdict<String> {
                byte = bytes.first
                return .finish
            }
        }
        let server = try HostileServer(.endlessDrip(every: .milliseconds(5)))
        let (handler, end) = await client.perform(URLRequest(url: server.url()), limits: Self.limits, handler: FirstByte())
        #expect(end == .complete)
        #expect(handler.byte == 0x20)
        server.reply = .failure(500)
        let (_, refused) = await client.perform(URLRequest(url: server.url()), limits: Self.limits, handler: FirstByte())
        #expect(refused == .cut("500"))
    }

    // MARK: Backpressure

    /// Blocks in the first piece of a body until the test releases it.
    struct Blocked: HTTPHandler {
        let begun: DispatchSemaphore
        let mayGoOn: DispatchSemaphore
        func take(_ head: HTTPURLResponse) -> HTTPVerdict<Never> { .proceed }
        func take(_ bytes: Data) -> HTTPVerdict<Never> {
            begun.signal()
            mayGoOn.wait()
            return .proceed
        }
    }

    @Test func aServerIsHeldBackWhileItsHandlerIsSlow() async throws {
        let flood = try HostileServer(.oversized(bytes: 8 << 30, announced: true))
        let (begun, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let cancel = client.start(
            URLRequest(url: flood.url()), limits: Self.limits, handler: Blocked(begun: begun, mayGoOn: mayGoOn)
        ) { _, _ in }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                begun.wait()
                continuation.resume()
            }
        }
        // 64 MB for another client on the same libcurl thread. The flood could have sent as much in that time.
        let (other, quick) = (HTTPClient(), try HostileServer(.oversized(bytes: 16 << 20, announced: true)))
        for _ in 0..<4 {
            let (response, end) = await other.perform(URLRequest(url: quick.url()), limits: Self.limits, handler: Whole())
            #expect(end == .complete)
            #expect(response.body.count == 16 << 20)
        }
        cancel()
        for _ in 0..<64 { mayGoOn.signal() }
        let ended = try await flood.exchange(number: 1)
        #expect(ended.ending == .clientLeft)
        // The buffers of both sockets, and the client's window.
        #expect(ended.bodyBytesSent < 24 << 20)
    }

    // MARK: Requests

    @Test func aBodyIsSentWithItsMethod() async throws {
        let server = try HostileServer()
        var request = URLRequest(url: server.url("/thing"))
        request.httpMethod = "PUT"
        request.httpBody = Data("{}".utf8)
        #expect(await client.perform(request, limits: Self.limits, handler: Whole()).1 == .complete)
        let seen = try #require(server.requests.first)
        #expect(seen.method == "PUT")
        #expect(seen.body == Array("{}".utf8))
        #expect(seen.header("Content-Type") == nil)
        #expect(seen.header("Expect") == nil)
    }

    @Test("A file upload is sent completely, also after its connection was closed")
    func fileUploadIsRetried() async throws {
        let server = try HostileServer()
        let folder = try TestFolder()
        let text = String(repeating: "0123456789", count: 50_000)
        let file = URL(fileURLWithPath: try folder.write(text, to: "file"))
        var request = URLRequest(url: server.url())
        request.httpMethod = "PUT"
        for number in 1...2 {
            #expect(await client.perform(request, upload: file, limits: Self.limits, handler: Whole()).1 == .complete)
            let seen = try await server.request(number: number)
            #expect(seen.body == Array(text.utf8))
            try server.stop()
            try server.start()
        }
    }

    @Test func aFileThatCannotBeReadIsNamed() async throws {
        let server = try HostileServer()
        let (_, end) = await client.perform(
            URLRequest(url: server.url()), upload: URL(fileURLWithPath: "/nowhere/file"), limits: Self.limits, handler: Whole()
        )
        #expect(end == .failed(.connection(.cannotOpenFile, message: "/nowhere/file can't be read: no such file or directory")))
    }

    @Test func aFieldWithoutAValueIsSent() async throws {
        let server = try HostileServer()
        var request = URLRequest(url: server.url())
        request.setValue("", forHTTPHeaderField: "X-Empty")
        #expect(await client.perform(request, limits: Self.limits, handler: Whole()).1 == .complete)
        #expect(server.requests.first?.header("X-Empty") == "")
    }

    @Test(arguments: ["Basic realm=\"a\"", "Basic", "Digest realm=\"a\", nonce=\"b\"", "Negotiate", "Nonsense=="])
    func aQuestionForAPasswordIsAResponse(challenge: String) async throws {
        let server = try HostileServer(.json(#"{"error":"no token"}"#, status: 401, headers: ["WWW-Authenticate": challenge]))
        let (response, end) = await get(server.url())
        #expect(end == .complete)
        #expect(response.status == 401)
        #expect(response.text == #"{"error":"no token"}"#)
        #expect(server.requests.count == 1)
    }

    @Test func nothingIsInflated() async throws {
        let server = try HostileServer(.gzipBomb(inflatedBytes: 100_000_000))
        let (response, end) = await get(server.url())
        #expect(
            end
                == .failed(
                    .connection(
                        .cannotParseResponse, message: "no complete reply: it is compressed as “gzip”, which was not asked for")))
        #expect(response.body.isEmpty)
        #expect(server.requests.first?.header("Accept-Encoding") == nil)
    }

    // MARK: Protocol classes

    @Test func aCallersOwnProtocolClassAnswersFirst() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [CannedProtocol.self]
        let client = HTTPClient(configuration)
        let url = try #require(URL(string: "http://name.invalid/"))
        let (response, end) = await client.perform(URLRequest(url: url), limits: Self.limits, handler: Whole())
        #expect(end == .complete)
        #expect(response.text == "canned")
    }
}

private final class CannedProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}
    override func startLoading() {
        guard let url = request.url, let head = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:])
        else { return }
        client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("canned".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }
}
