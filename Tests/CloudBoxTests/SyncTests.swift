import Bellerophon
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CloudBox

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A sync")
struct SyncTests {
    @Test func bringsANewerVersionAndSaysWhereItCameFrom() async throws {
        let server = try ResourceServer(["help.txt": .init(version: 4, "new")])
        let it = try Box([server.url], registering: "help.txt", bundled: .embedded(["help.txt": .init(version: 1, text: "old")]))
        #expect(try it.text("help.txt") == "old")
        #expect(await it.box.sync("help.txt") == .updated(version: 4, from: 1, received: 3))
        #expect(try it.text("help.txt") == "new")
        let facts = try it.box.facts(for: "help.txt")
        #expect(facts.version == 4 && facts.origin == .fresh && facts.size == 3 && facts.bundledVersion == 1)
        #expect(facts.digest == Digest(.sha256, of: Data("new".utf8)))
        #expect(facts.progress == ResourceProgress(name: "help.txt", state: .updated, received: 3, total: 3))
        #expect(try it.files("help.txt") == [".lock", ".state.json", "4"])
    }

    @Test("A sync of an unchanged resource transfers no body, also after a restart")
    func unchangedCostsNoBody() async throws {
        let server = try ResourceServer(["help.txt": .init(version: 4, "text")])
        let it = try Box([server.url], registering: "help.txt")
        await it.box.sync("help.txt")
        let again = try Box([server.url], registering: "help.txt", folder: it.folder)
        #expect(try again.box.facts(for: "help.txt").origin == .cached)
        #expect(await again.box.sync("help.txt") == .unchanged(version: 4))
        let last = try await server.http.exchange(number: 3)
        #expect(last.request.header("If-None-Match") == "\"meta-4\"")
        #expect(last.bodyBytesSent == 0)
        #expect(server.paths.count == 3)
    }

    @Test func movesUpAndRemovesTheOlderVersion() async throws {
        let server = try ResourceServer(["a": .init(version: 1, "one")])
        let it = try Box([server.url], registering: "a")
        await it.box.sync("a")
        let first = try it.box.data(for: "a")
        server["a"] = .init(version: 2, "two")
        #expect(await it.box.sync("a") == .updated(version: 2, from: 1, received: 3))
        #expect(try it.files("a") == [".lock", ".state.json", "2"])
        #expect(first == Data("one".utf8))
    }

    @Test func neverGoesDown() async throws {
        let server = try ResourceServer(["a": .init(version: 3, "older")])
        let it = try Box([server.url], registering: "a", bundled: .embedded(["a": .init(version: 5, text: "newer")]))
        #expect(await it.box.sync("a") == .unchanged(version: 5))
        #expect(server.fileRequests.isEmpty)
    }

    @Test("Local bytes that only get a new version number are not downloaded")
    func newNumberNeedsNoTransfer() async throws {
        let server = try ResourceServer(["a": .init(version: 7, "same")])
        let it = try Box([server.url])
        let same = BundledResource(
            version: 2, content: .bytes(Data("same".utf8)), digest: Digest(.sha256, of: Data("same".utf8))
        )
        try it.box.register("a", bundled: same)
        #expect(await it.box.sync("a") == .updated(version: 7, from: 2, received: 0))
        #expect(try it.text("a") == "same")
        #expect(server.fileRequests.isEmpty)
    }

    @Test func passesADeadAndAFailingServer() async throws {
        let dead = try HostileServer()
        try dead.stop()
        let failing = try HostileServer(.failure(500))
        let sound = try ResourceServer(["a": .init(version: 1, "one")])
        let it = try Box([dead.url("/"), failing.url("/"), sound.url], registering: "a")
        #expect(await it.box.sync("a") == .updated(version: 1, from: nil, received: 3))
        #expect(failing.requests.count == 1)
    }

    @Test func saysOfEachServerWhyItFailedWhenAllDid() async throws {
        let failing = try HostileServer(.failure(503))
        let strange = try HostileServer(.html())
        let it = try Box([failing.url("/"), strange.url("/")], registering: "a")
        let outcome = await it.box.sync("a")
        guard case .failed(let error) = outcome, case .allServersFailed(let attempts) = error.reason else {
            Issue.record("unexpected: \(outcome)")
            return
        }
        #expect(attempts.map(\.server) == [failing.url("/"), strange.url("/")])
        #expect(attempts[0].reason == .httpStatus(503))
        #expect(
            error.description.hasPrefix(
                "a: not synced, the present version stays in use: 127.0.0.1: the server replied with HTTP 503; 127.0.0.1: not a resource's meta document: "
            ))
    }

    @Test("A digest mismatch keeps the old version, and the next server is asked")
    func digestMismatchKeepsVersion() async throws {
        let lying = try ResourceServer(["a": .init(version: 2, "two")])
        lying["a"]?.falseDigest = String(repeating: "0", count: 64)
        let it = try Box([lying.url], registering: "a", bundled: .embedded(["a": .init(version: 1, text: "one")]))
        let expected = try #require(Digest(.sha256, hex: String(repeating: "0", count: 64)))
        let got = try #require(Digest(.sha256, of: Data("two".utf8)))
        #expect(await it.box.sync("a").reason == .digestMismatch(expected: expected, got: got))
        #expect(try it.text("a") == "one")

        let sound = try ResourceServer(["a": .init(version: 2, "two")])
        let both = try Box([lying.url, sound.url], registering: "a")
        #expect(await both.box.sync("a") == .updated(version: 2, from: nil, received: 6))
        #expect(try both.text("a") == "two")
    }

    @Test func checksMD5WhereThatIsAllAServerStates() async throws {
        let server = try manifestServer(
            #"{"v":"3","md5":"900150983CD24FB0D6963F7D28E17F72","url":"{}file"}"#,
            file: .answer(Answer(type: "text/plain", text: "abd")))
        let it = try Box([server.url("/")], registering: "a")
        let expected = try #require(Digest(.md5, hex: "900150983cd24fb0d6963f7d28e17f72"))
        let got = try #require(Digest(.md5, of: Data("abd".utf8)))
        #expect(await it.box.sync("a").reason == .digestMismatch(expected: expected, got: got))
    }

    @Test("The manifest is requested again once when the file is newer than it")
    func newerFileRefetchesManifest() async throws {
        let server = try ResourceServer(["a": .init(version: 2, "two")])
        server["a"]?.fileVersion = "3"
        let it = try Box([server.url], registering: "a")
        #expect(await it.box.sync("a").reason == .changedMeanwhile(meta: 2, file: 3))
        #expect(server.paths.count == 4)
        #expect(server.fileRequests.count == 2)
    }

    @Test("A file that is not newer than the local version is refused")
    func staleFileIsRefused() async throws {
        let server = try ResourceServer(["a": .init(version: 2, "two")])
        server["a"]?.fileVersion = "1"
        let it = try Box([server.url], registering: "a", bundled: .embedded(["a": .init(version: 1, text: "one")]))
        #expect(await it.box.sync("a").reason == .staleFile(version: 1, promised: 2))
        #expect(try it.text("a") == "one")
    }

    @Test("A transfer stops at the limit for one resource and at the total limit")
    func sizeLimitsAreEnforced() async throws {
        let server = try ResourceServer(["big": .init(version: 1, body: noise(2000)), "small": .init(version: 1, "x")])
        let capped = try Box([server.url], registering: "big", limits: .init(resourceBytes: 1999))
        #expect(await capped.box.sync("big").reason == .tooLarge(limit: 1999))
        let full = try Box([server.url], registering: "big", limits: .init(totalBytes: 2000))
        try full.box.register("small")
        #expect(await full.box.sync("small") == .updated(version: 1, from: nil, received: 1))
        #expect(await full.box.sync("big").reason == .folderFull(limit: 2000))
    }

    @Test("A redirect is followed only within the same origin")
    func onlySameOriginIsFollowed() async throws {
        let other = try ResourceServer(["a": .init(version: 1, "one")])
        let target = other.url.absoluteString + "GBCloudBoxResourcesMeta/a"
        let away = try HostileServer(.redirect(to: target))
        let it = try Box([away.url("/")], registering: "a")
        #expect(
            await it.box.sync("a").reason
                == .redirectRefused("the server points to another origin, http://127.0.0.1:\(other.http.port)"))
        #expect(other.paths.isEmpty)
        other.http.enqueue(.redirect(to: "/GBCloudBoxResourcesMeta/a"))
        let same = try Box([other.url], registering: "a")
        #expect(await same.box.sync("a") == .updated(version: 1, from: nil, received: 3))
    }

    @Test("A file at another origin is downloaded without the configured headers")
    func otherOriginGetsNoSecret() async throws {
        let store = try HostileServer(.answer(Answer(type: "text/plain", text: "far")))
        let server = try ResourceServer(["a": .init(version: 3, "far")])
        server["a"]?.url = store.url("/some/path/a").absoluteString
        let it = try Box([server.url], registering: "a", headers: ["Authorization": "Bearer secret"])
        #expect(await it.box.sync("a") == .updated(version: 3, from: nil, received: 3))
        #expect(server.http.requests[0].header("Authorization") == "Bearer secret")
        #expect(store.requests[0].path == "/some/path/a")
        #expect(store.requests[0].header("Authorization") == nil)
    }

    @Test("A server that asks for a password counts as one that refuses")
    func passwordRequestIsAFailure() async throws {
        let server = try HostileServer(.json("{}", status: 401, headers: ["WWW-Authenticate": "Basic realm=\"box\""]))
        let it = try Box([server.url("/")], registering: "a")
        #expect(await it.box.sync("a") == .failed(CloudBoxError("a", .httpStatus(401))))
    }

    @Test
    func givesUpOnAServerThatFallsSilent() async throws {
        let silent = try HostileServer(.hang)
        let sound = try ResourceServer(["a": .init(version: 1, "one")])
        try await withLongEnoughLimit("reply of the second server") { limit in
            let it = try Box([silent.url("/"), sound.url], registering: "a", limits: .init(silence: limit))
            return await it.box.sync("a") == .updated(version: 1, from: nil, received: 3) ? () : nil
        }
    }

    @Test
    func letsASlowLineTakeAsLongAsItNeeds() async throws {
        try await withLongEnoughLimit("file whose bytes take longer than the limit") { limit in
            let file = Behaviour.drip(Answer(body: Array("0123456789012345678901234".utf8)), every: limit / 20)
            let server = try manifestServer(#"{"v":1,"url":"/file"}"#, file: file)
            let it = try Box([server.url("/")], registering: "a", limits: .init(silence: limit))
            return await it.box.sync("a") == .updated(version: 1, from: nil, received: 25) ? () : nil
        }
    }

    @Test("A failing resource does not delay the others, and at most four syncs run at once")
    func badResourceDelaysNoOther() async throws {
        let server = try HostileServer()
        let origin = server.url("/").absoluteString
        struct Open: Sendable {
            var now = 0, most = 0
            /// The manifests that are not sent yet; nil once all are sent at once.
            var held: [ServerFeed]? = []
        }
        @Sendable func send(_ manifest: ServerFeed) {
            manifest.send(#"{"v":1,"url":"\#(origin)file"}"#)
            manifest.end()
        }
        let open = Watched(Open())
        server.answer { request in
            if request.path.hasSuffix("/bad") { return .failure(404) }
            guard request.path.contains("Meta") else {
                open.update { $0.now -= 1 }
                return .answer(Answer(type: "text/plain", text: "ok"))
            }
            let manifest = ServerFeed(headers: ["Content-Type": "application/json"])
            let isHeld = open.update {
                $0.now += 1
                $0.most = max($0.most, $0.now)
                $0.held?.append(manifest)
                return $0.held != nil
            }
            if !isHeld { send(manifest) }
            return .stream(manifest)
        }
        let it = try Box([server.url("/")])
        let names = (0..<12).map { "r\($0)" }
        for name in names + ["bad"] { try it.box.register(name) }
        async let all = it.box.syncAll()
        _ = try await open.wait(for: "four syncs at once") { $0.now == 4 ? () : nil }
        let held = open.update { open in
            defer { open.held = nil }
            return open.held ?? []
        }
        held.forEach(send)
        let outcomes = await all
        for name in names { #expect(outcomes[name] == .updated(version: 1, from: nil, received: 2)) }
        #expect(outcomes["bad"]?.reason == .httpStatus(404))
        #expect(open.value.most == 4)
    }

    @Test func isSharedByThoseWhoAskAtOnce() async throws {
        let server = try ResourceServer(["a": .init(version: 1, "one")])
        let it = try Box([server.url], registering: "a")
        async let first = it.box.sync("a")
        async let second = it.box.sync("a")
        let outcomes = await [first, second]
        #expect(outcomes.contains(.updated(version: 1, from: nil, received: 3)))
        #expect(server.fileRequests.count == 1)
    }

    @Test("A new sync does not join a cancelled one")
    func cancelledSyncIsNotJoined() async throws {
        let server = try ResourceServer(["a": .init(version: 1, "one")])
        server.http.enqueue(.hang)
        let it = try Box([server.url], registering: "a")
        async let first = it.box.sync("a")
        _ = try await server.http.request(number: 1)
        it.box.cancelSyncs()
        #expect(await it.box.sync("a") == .updated(version: 1, from: nil, received: 3))
        #expect(await first.reason == .cancelled)
        #expect(try it.box.facts(for: "a").lastSync?.outcome == .updated(version: 1, from: nil, received: 3))
    }

    @Test("A cancelled sync that was awaited is finished and leaves no folder")
    func cancelledSyncLeavesNoFolder() async throws {
        let server = try HostileServer(.hang)
        let it = try Box([server.url("/")], registering: "a")
        async let outcome = it.box.sync("a")
        _ = try await server.request(number: 1)
        await it.box.cancelSyncsAndWait()
        let facts = try it.box.facts(for: "a")
        #expect(facts.lastSync?.outcome.reason == .cancelled)
        #expect(!facts.progress.isActive)
        #expect(!FileManager.default.fileExists(atPath: it.folder.path("resources/a")))
        #expect(await outcome.reason == .cancelled)
    }

    @Test("A damaged file is not downloaded again until the server states another digest")
    func damagedFileIsNotRetried() async throws {
        let server = try ResourceServer(["a": .init(version: 2, "two")])
        server["a"]?.falseDigest = String(repeating: "0", count: 64)
        let it = try Box([server.url], registering: "a", bundled: .embedded(["a": .init(version: 1, text: "one")]))
        let expected = try #require(Digest(.sha256, hex: String(repeating: "0", count: 64)))
        let got = try #require(Digest(.sha256, of: Data("two".utf8)))
        for _ in 0..<3 { #expect(await it.box.sync("a").reason == .digestMismatch(expected: expected, got: got)) }
        #expect(server.fileRequests.count == 1)
        #expect(it.box.state.withLock { $0.health.records[server.url]?.failures } == 1)
        server["a"]?.falseDigest = nil
        #expect(await it.box.sync("a") == .updated(version: 2, from: 1, received: 3))
        #expect(it.box.state.withLock { $0.health.records[server.url]?.failures } == 0)
    }

    @Test("Limits of zero are raised so that a sync can finish")
    func limitsAreRaisedToMinimum() async throws {
        let server = try ResourceServer(["a": .init(version: 1, "one")])
        var configuration = try Box([server.url]).box.configuration
        let folder = try TestFolder()
        configuration.folder = folder.url
        configuration.limits.transfers = 0
        configuration.limits.silence = .zero
        let box = CloudBoxClient(configuration)
        #expect(box.configuration.limits.transfers == 1)
        #expect(box.configuration.limits.silence == .milliseconds(10))
        configuration.limits.silence = .seconds(20)
        let other = CloudBoxClient(configuration)
        try other.register("a")
        #expect(await other.sync("a") == .updated(version: 1, from: nil, received: 3))
    }

    @Test("A sync without any configured server reports that")
    func missingServersAreReported() async throws {
        let it = try Box([], registering: "a")
        let outcome = await it.box.sync("a")
        #expect(outcome == .failed(CloudBoxError("a", .noServers)))
    }
}
