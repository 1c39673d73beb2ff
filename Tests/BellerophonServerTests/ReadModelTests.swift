import BellerophonStore
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import BellerophonServer

@Suite struct ReadModelTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private let folder: TestFolder
    private let store: Store

    init() throws {
        folder = try TestFolder()
        let published = Date(timeIntervalSince1970: 1_764_050_400.123)
        store = try Store(folder: folder.url, creates: true, clock: .still { published })
    }

    private func readModel() throws -> ReadModel { ReadModel(try store.snapshot(), settings: ReadSettings()) }

    @Test func aKillAsItStandsOnTheWire() async throws {
        let entry = try await store.publish(Publication(action: .kill, message: "Back at 14:30.", retryInterval: 15), by: "ops")
        let reply = try #require(try readModel().reply("/status"))
        let tag = try #require(reply.etag)
        let whole = reply.render(.whole, .implied, date: Self.date)
        #expect(
            String(buffer: whole)
                == """
                HTTP/1.1 200 OK\r
                Date: \(Self.date)\r
                Content-Type: application/json; charset=utf-8\r
                ETag: \(tag)\r
                Cache-Control: public, max-age=0, s-maxage=1, stale-while-revalidate=5, stale-if-error=86400\r
                Bellerophon-Published: 1764050400123\r
                Bellerophon-Events: events\r
                Content-Length: 86\r
                \r
                {"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Back at 14:30."}
                """.replacingOccurrences(of: "Content-Length: 86", with: "Content-Length: \(reply.body.count)"))
        #expect(entry.document.map { Array($0.utf8) } == reply.body)
        #expect(tag.wholeMatch(of: /"1-[0-9a-f]{32}"/) != nil)
    }

    @Test("HEAD and 304 replies match the full reply and have no body")
    func headAndNotModifiedMatch() throws {
        let reply = try #require(try readModel().reply("/status"))
        let head = String(buffer: reply.render(.head, .close, date: Self.date))
        #expect(head.contains("Content-Length: 79\r\nConnection: close\r\n\r\n"))
        #expect(head.hasSuffix("\r\n\r\n"))
        let unchanged = String(buffer: reply.render(.notModified, .keepAlive, date: Self.date))
        #expect(
            unchanged.hasPrefix("HTTP/1.1 304 Not Modified\r\nDate: \(Self.date)\r\nETag: \(reply.etag ?? "")\r\nCache-Control: ")
        )
        #expect(unchanged.hasSuffix("Connection: keep-alive\r\n\r\n"))
        #expect(!unchanged.contains("Content-"))
    }

    @Test func everyPathOfAScope() async throws {
        _ = try await store.publish(Publication(scope: Scope(app: "shop"), action: .kill), by: "ops")
        let side = try readModel()
        let app = try #require(side.reply("/v1/apps/shop/status"))
        #expect(side.reply("/v1/apps/shop/channels/main/status") == app)
        // A channel without a publication shows the app's status, and names its own stream.
        let channel = try #require(side.reply("/v1/apps/shop/channels/beta/status"))
        #expect(channel.body == app.body)
        #expect(channel.fields.contains { $0 == ("Bellerophon-Events", "events") })
        #expect(side.reply("/v1/apps/default/status")?.body == side.reply("/status")?.body)
        #expect(String(buffer: try #require(side.reply("/alive")).render(.whole, .implied, date: "")).hasSuffix("\r\n\r\n777"))
    }

    @Test(
        "A stream is named beside its status, or below the public address",
        arguments: [
            ("", "events"), ("https://status.example.com", "/v1/apps/shop/events"),
            ("https://example.com/kill%20switch", "/kill%20switch/v1/apps/shop/events"),
        ])
    func nameOfTheStream(publicURL: String, name: String) async throws {
        _ = try await store.publish(Publication(scope: Scope(app: "shop"), action: .kill), by: "ops")
        var settings = ReadSettings()
        settings.publicURL = publicURL
        let reply = ReadModel(try store.snapshot(), settings: settings).reply("/v1/apps/shop/status")
        #expect(reply?.fields.contains { $0 == ("Bellerophon-Events", name) } == true)
    }

    @Test func noOtherPathHasAnAnswer() throws {
        for path in [
            "/v1/apps/none/status", "/v1/apps/../status", "/v1/apps//status", "/v1/apps/shop/channels//status",
            "/v1/apps/a b/status", "/status/", "//status", "status", "/v2/apps/default/status",
            "/v1/apps/default/channels/status", "/x/status", "", "/v1/apps/default/channels/a/b/status",
        ] {
            #expect(try readModel().reply(path) == nil)
            #expect(try readModel().streamTopic(path.replacingOccurrences(of: "status", with: "events")) == nil)
        }
    }

    @Test func anEventOfAStream() async throws {
        let entry = try await store.publish(Publication(action: .kill, message: "A\nB"), by: "ops")
        let event = try #require(try readModel().statusEvent(StreamTopic(scope: .main, isSigned: false)))
        let id = try #require(event.id)
        #expect(id.hasPrefix("\(entry.id)-"))
        #expect(
            String(buffer: event.bytes) == "event: status\nid: \(id)\npublished: 1764050400123\ndata: \(entry.document ?? "")\n\n"
        )
        #expect(entry.document?.contains("A\\nB") == true)
    }

    @Test("A resource event is sent when the version of a resource changes")
    func changedResourceIsAnnounced() async throws {
        let older = try readModel()
        try await store.put("help.txt", "one")
        let newer = try readModel()
        #expect(
            newer.resourceEvents(since: older).map { String(buffer: $0.bytes) } == [
                "event: resources\ndata: {\"name\":\"help.txt\",\"v\":1}\n\n"
            ])
        #expect(newer.resourceEvents(since: newer).isEmpty)
    }

    /// Clients of the original protocol use the URL unchanged, so it must be absolute.
    @Test(arguments: [
        ("", "status.example.com:8080", "http://status.example.com:8080/GBCloudBoxResourcesData/help.txt/1"),
        ("", "[::1]:8080", "http://[::1]:8080/GBCloudBoxResourcesData/help.txt/1"),
        ("", "evil.example/\"}", "/GBCloudBoxResourcesData/help.txt/1"),
        ("https://cdn.example.com", "status.example.com", "https://cdn.example.com/GBCloudBoxResourcesData/help.txt/1"),
    ])
    func aMetaNamesAWholeAddress(publicURL: String, host: String, url: String) async throws {
        try await store.put("help.txt", "one")
        var settings = ReadSettings()
        settings.publicURL = publicURL
        let side = ReadModel(try store.snapshot(), settings: settings)
        let path = "/GBCloudBoxResourcesMeta/help.txt"
        let meta = try #require(side.reply(path) ?? side.reply(path, host: host))
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(meta.body)) as? [String: Any])
        #expect(fields["url"] as? String == url)
        #expect(fields["v"] as? Int == 1)
        #expect(fields["size"] as? Int == 3)
        #expect(side.reply("/GBCloudBoxResourcesMeta/nothing", host: host) == nil)
        // A shared cache keyed by path alone would send all clients to the address of one request.
        let cache = meta.fields.first { $0.name == "Cache-Control" }?.value
        #expect(cache == (publicURL.isEmpty ? "private, no-cache" : settings.cache.header))
    }
}
