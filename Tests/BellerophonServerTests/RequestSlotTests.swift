import Foundation
import Logging
import NIOHTTP1
import TestSupport
import Testing

@testable import BellerophonServer
@testable import BellerophonStore

/// The slot of each kind of request, and which requests need a token.
@Suite struct RequestSlotTests {
    /// The endpoints of a server with the usual paths.
    private static func endpoints() async throws -> Endpoints {
        let store = try Store(folder: try TestFolder().url, creates: true)
        let logger = Logger.silent
        let publisher = try ReadModelPublisher(store, settings: ReadSettings(), limiters: Limiters(), logger: logger)
        let files = FilePool(threads: 1)
        let router = ServerRouter(
            store: store, publisher: publisher, settings: ConnectionSettings(), readSettings: ReadSettings(), files: files,
            contents: VerifiedFiles(store, files, logger: logger),
            operators: OperatorRouter(store: store, files: files, logger: logger), threads: (files, files),
            certificate: nil)
        await files.shutDown()
        return router.endpoints
    }

    @Test("What takes a token has slots of its own, and a request that no token allows takes none of them")
    func slotsOfEndpoints() async throws {
        let endpoints = try await Self.endpoints()
        let withToken: [(String, String, RequestSlot)] = [
            ("PUT", "/status", .publishing), ("PUT", "/v1/apps/a/status", .publishing),
            ("PUT", "/v1/apps/a/channels/b/status", .publishing), ("POST", "/v1/resources/a/rollback", .publishing),
            ("PUT", "/v1/resources/a", .uploads), ("GET", "/v1/journal", .operatorReads),
            ("HEAD", "/v1/resources", .operatorReads),
            ("GET", "/v1/approval", .operatorReads), ("PUT", "/v1/approval", .publishing),
        ]
        let withoutToken: [(String, String, RequestSlot)] = [
            ("DELETE", "/status", .others), ("PUT", "/status/", .others), ("PUT", "//status", .others),
            ("PUT", "/v1/apps//status", .others), ("PUT", "/v1/apps/a/b/status", .others),
            ("PUT", "/v1/resources/a/rollback", .others), ("GET", "/v1/resources/a", .others), ("POST", "/v1/journal", .others),
            ("PUT", "/v1/resources", .others), ("GET", "/", .others), ("OPTIONS", "*", .others), ("GET", "/metrics", .figures),
            ("GET", "/ready", .figures), ("GET", "/GBCloudBoxResourcesData/a", .downloads),
        ]
        for (rows, needsToken) in [(withToken, true), (withoutToken, false)] {
            for (method, path, slot) in rows {
                let endpoint = endpoints.find(method, path).endpoint
                #expect(endpoint.slot == slot && endpoint.needsToken == needsToken, "\(method) \(path)")
            }
        }
    }

    @Test("A large body is permitted only for a resource")
    func sizesOfBodies() async throws {
        let (endpoints, limits) = (try await Self.endpoints(), Limits())
        let upload = endpoints.find("PUT", "/v1/resources/a").endpoint.body
        #expect((upload.size(limits), upload.time(limits)) == (limits.resourceSize, limits.uploadTime))
        #expect(endpoints.find("PUT", "/status").endpoint.body.time(limits) == limits.bodyTime)
        for (method, path) in [("PUT", "/status"), ("POST", "/v1/tokens"), ("POST", "/nothing"), ("PUT", "/v1/resources/a/b")] {
            #expect(endpoints.find(method, path).endpoint.body.size(limits) == Limits.documentSize, "\(method) \(path)")
        }
    }

    private static func token(_ name: String, isForApps: Bool) throws -> TokenRecord {
        let scope = isForApps ? .publish : try TokenScope("statuses:shop/\(name)")
        return TokenRecord(name: name, scopes: [scope], createdAt: .distantPast, createdBy: "root", person: name)
    }

    @Test func aTokenDecidesOnTheSlot() async throws {
        let ada = try Self.token("ada", isForApps: true)
        let tokens = [try #require(Store.tokenHash("blp_known")): ada]
        let endpoints = try await Self.endpoints()
        let publish = endpoints.find("PUT", "/status").endpoint
        let known = try #require(publish.slot(bearer: "blp_known", known: tokens))
        #expect(known == (.publishing, ada))
        for bearer in ["blp_other", String(repeating: "a", count: 10_000)] {
            let unknown = try #require(publish.slot(bearer: bearer, known: tokens))
            #expect(unknown == (.unknownTokens, nil))
        }
        #expect(publish.slot(bearer: nil, known: tokens) == nil)
        let metrics = endpoints.find("GET", "/metrics").endpoint
        let open = try #require(metrics.slot(bearer: nil, known: tokens))
        #expect(open == (.figures, nil))
    }

    @Test(
        arguments: [
            ("Bearer abc", "abc"), ("bearer  abc ", "abc"), ("Bearer", nil), ("Bearer  ", nil), ("Basic abc", nil), ("", nil),
            (nil, nil),
        ] as [(String?, String?)])
    func theTokenOfAField(field: String?, token: String?) {
        let headers = HTTPHeaders(field.map { [("Authorization", $0)] } ?? [])
        #expect(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: headers).bearerToken == token)
    }

    @Test func slotsAreSeparate() throws {
        let limiters = Limiters()
        var limits = Limits()
        limits.concurrentRequests = 2
        var taken: [Slot] = []
        for place in RequestSlot.allCases {
            for _ in 1...2 { taken.append(try limiters.acquire(place, limits, from: "192.0.2.1")) }
            #expect(throws: HTTPError.busy(retryAfter: 1)) { try limiters.acquire(place, limits, from: "192.0.2.1") }
        }
        #expect(limiters.requests == taken.count)
        taken = []
        #expect(limiters.requests == 0)
    }

    @Test func neitherATokenNorAllTokensOfChannelsTakeAllSlots() throws {
        let limiters = Limiters()
        var limits = Limits()
        limits.concurrentRequests = 8
        func take(_ token: String, isForApps: Bool = false, _ place: RequestSlot = .publishing) throws -> Slot {
            try limiters.acquire(place, limits, from: nil, by: try Self.token(token, isForApps: isForApps))
        }
        var taken: [Slot] = []
        for token in ["a", "b", "c"] {
            for _ in 1...2 { taken.append(try take(token)) }
            let refusal = token == "c" ? HTTPError.busy(retryAfter: 1) : .tooManyOfToken(2)
            #expect(throws: refusal) { try take(token) }
            taken.append(try take(token, .uploads))
        }
        #expect(throws: HTTPError.busy(retryAfter: 1)) { try take("d") }
        for _ in 1...2 { taken.append(try take("ada", isForApps: true)) }
        #expect(throws: HTTPError.busy(retryAfter: 1)) { try take("bob", isForApps: true) }
        taken = []
        #expect(limiters.requests == 0)
        for _ in 1...2 { _ = try take("a") }
        limits.concurrentRequests = 1
        _ = try take("a")
    }

    @Test func theUsualSlots() {
        let limits = Limits()
        let numbers = RequestSlot.allCases.map { limits.concurrentRequests(at: $0) }
        #expect(numbers == [64, 32, 32, 16, 8, 256, 256])
    }

    // MARK: Downloads of one address

    @Test func anAddressHasOnlyItsShareOfTheDownloads() throws {
        let limiters = Limiters()
        var limits = Limits()
        limits.downloadsPerAddress = 2
        var taken: [Slot] = []
        for _ in 1...2 { taken.append(try limiters.acquire(.downloads, limits, from: "192.0.2.1")) }
        #expect(throws: HTTPError.tooManyDownloads) { try limiters.acquire(.downloads, limits, from: "192.0.2.1") }
        taken.append(try limiters.acquire(.downloads, limits, from: "192.0.2.2"))
        taken.append(try limiters.acquire(.others, limits, from: "192.0.2.1"))
        for _ in 1...3 { taken.append(try limiters.acquire(.downloads, limits, from: "127.0.0.1")) }
        taken.removeFirst()
        taken.append(try limiters.acquire(.downloads, limits, from: "192.0.2.1"))
        #expect(throws: HTTPError.tooManyDownloads) { try limiters.acquire(.downloads, limits, from: "::ffff:192.0.2.1") }
    }

    @Test(arguments: ["127.0.0.1", "127.200.0.9", "::1", "::ffff:127.0.0.1"])
    func thisMachineHasNoBoundUnlessTheRuleSaysSo(address: String) {
        var limits = Limits()
        #expect(limits.key(of: AddressKey(address), limit: 1) == nil)
        limits.exemptsLoopback = false
        #expect(limits.key(of: AddressKey(address), limit: 1) != nil)
        #expect(limits.key(of: AddressKey(address), limit: 0) == nil)
    }

    @Test func addressesThatAreOneClientsCountTogether() {
        #expect(AddressKey("::ffff:192.0.2.1") == AddressKey("192.0.2.1"))
        #expect(AddressKey("192.0.2.1") != AddressKey("192.0.2.2"))
        #expect(AddressKey("2001:db8:0:1::1") == AddressKey("2001:db8:0:1:ffff::2"))
        #expect(AddressKey("2001:db8:0:1::1") != AddressKey("2001:db8:0:2::1"))
        #expect(AddressKey("::2")?.isLoopback == false, "no loopback, though its network is the same")
        #expect(AddressKey("a pipe") == nil)
    }
}
