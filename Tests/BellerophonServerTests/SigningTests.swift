import Bellerophon
import BellerophonStore
import BellerophonTrust
import Foundation
import Logging
import TestSupport
import Testing

@testable import BellerophonServer

/// Reading by clients that accept signed documents only.
@Suite struct SignedReadSideTests {
    private static let start = Date(timeIntervalSince1970: 1_764_050_400)
    /// The usual header, for half of the lifetime at most.
    private static let cache = "public, max-age=0, s-maxage=1, stale-while-revalidate=5, stale-if-error=499"
    private let folder: TestFolder
    private let store: Store
    private let signer: DocumentSigner

    init() throws {
        folder = try TestFolder()
        store = try Store(folder: folder.url.appendingPathComponent("store"), creates: true, clock: .still { Self.start })
        signer = DocumentSigner(try .generate(), lifetime: .seconds(1000))
    }

    private func side(_ signer: DocumentSigner?, former: ReadModel? = nil, after seconds: TimeInterval = 0) throws -> ReadModel {
        ReadModel(
            try store.snapshot(), settings: ReadSettings(), signer: signer, former: former,
            at: Self.start.addingTimeInterval(seconds))
    }

    private func verify(
        _ side: ReadModel, _ path: String, for audience: String, after seconds: TimeInterval = 0
    ) throws -> VerifiedStatus {
        let body = try #require(side.reply(path)?.body)
        let keys = try TrustedKeys([signer.key.publicKey.text], audience: audience)
        return try keys.verify(status: Data(body), at: Self.start.addingTimeInterval(seconds))
    }

    private func manifest(_ side: ReadModel, _ name: String) throws -> [String: Any] {
        let body = try #require(side.reply("/GBCloudBoxResourcesMeta.jws/\(name)")?.body)
        let json = try TrustedKeys([signer.key.publicKey.text]).verify(manifest: Data(body), of: name, at: Self.start)
        return try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    }

    @Test func everyPathOfAStatusHasASignedOneBesideIt() async throws {
        try await publish(.kill, app: "notes", channel: "beta")
        let side = try side(signer)
        for (path, audience) in [
            ("/status", "default/main"), ("/v1/apps/default/status", "default/main"),
            ("/v1/apps/default/channels/main/status", "default/main"), ("/v1/apps/notes/channels/beta/status", "notes/beta"),
            ("/v1/apps/notes/status", "notes/main"), ("/v1/apps/notes/channels/none/status", "notes/none"),
        ] {
            let plain = try #require(side.reply(path))
            let verified = try verify(side, path + ".jws", for: audience)
            #expect(try StatusDocument(json: verified.document) == StatusDocument(json: Data(plain.body)))
            #expect(verified.proof.expiresAt.timeIntervalSince(verified.proof.issuedAt) == 1000)
        }
        #expect(side.reply("/v1/apps/other/status.jws") == nil)
        #expect(side.reply("/status.jwt") == nil)
    }

    @Test func theSignedReplyHasItsOwnHeader() async throws {
        let entry = try await publish(.kill)
        let reply = try #require(try side(signer).reply("/status.jws"))
        let fields = Dictionary(uniqueKeysWithValues: reply.fields.map { ($0.name, $0.value) })
        #expect(fields["Content-Type"] == "application/jose")
        #expect(fields["Bellerophon-Events"] == "events.jws")
        #expect(fields["Bellerophon-Published"] == "\(entry.at.milliseconds)")
        #expect(fields["Cache-Control"] == Self.cache)
        #expect(fields["ETag"] == reply.etag)
        #expect(reply.etag?.hasPrefix("\"\(entry.id)-") == true)
    }

    @Test("The serial of a signed status is its publication time in milliseconds")
    func serialIsPublicationTime() async throws {
        #expect(try verify(try side(signer), "/status.jws", for: "default/main").proof.serial == 0)
        let kill = try await publish(.kill)
        let first = try verify(try side(signer), "/status.jws", for: "default/main").proof.serial
        #expect(first == kill.at.milliseconds)
        _ = try await publish(.restore)
        #expect(try verify(try side(signer), "/status.jws", for: "default/main").proof.serial > first)
    }

    @Test("An unchanged status is signed again only after half its lifetime")
    func unchangedStatusIsNotResigned() async throws {
        try await publish(.restore)
        let first = try side(signer)
        try await publish(.kill, app: "notes")
        let second = try side(signer, former: first, after: 499)
        #expect(second.reply("/status.jws") == first.reply("/status.jws"))
        #expect(second.signed?.isDue(at: Self.start.addingTimeInterval(499)) == false)
        #expect(second.signed?.isDue(at: Self.start.addingTimeInterval(500)) == true)
        let third = try side(signer, former: second, after: 500)
        #expect(third.reply("/status.jws")?.etag != first.reply("/status.jws")?.etag)
        #expect(
            try verify(third, "/status.jws", for: "default/main", after: 500).proof.issuedAt == Self.start.addingTimeInterval(500)
        )
    }

    @Test("Servers that sign at different times produce the same bytes")
    func serversSignIdentically() async throws {
        try await publish(.kill)
        try await store.put("help.txt", "abc")
        let paths = ["/status.jws", "/v1/apps/default/channels/none/status.jws", "/GBCloudBoxResourcesMeta.jws/help.txt"]
        let (early, late) = (try side(signer), try side(signer, after: 499))
        let (renewed, started) = (try side(signer, former: early, after: 501), try side(signer, after: 777))
        for path in paths {
            #expect(early.reply(path) != nil && early.reply(path) == late.reply(path))
            #expect(renewed.reply(path) == started.reply(path) && renewed.reply(path) != early.reply(path))
        }
        // The clock of the server that has published is a few seconds ahead.
        #expect(try side(signer, after: -5).reply("/status.jws") == early.reply("/status.jws"))
    }

    @Test("Everything is signed again when the clock is set back")
    func backwardClockResigns() async throws {
        try await publish(.restore)
        let ahead = try side(signer, after: 3600)
        #expect(ahead.signed?.isDue(at: Self.start.addingTimeInterval(3595)) == false)
        #expect(ahead.signed?.isDue(at: Self.start) == true)
        let back = try side(signer, former: ahead)
        #expect(try verify(back, "/status.jws", for: "default/main").proof.issuedAt == Self.start)
    }

    @Test func aManifestNamesItsBytesRelativeToItself() async throws {
        try await store.put("help.txt", "abc")
        let side = try side(signer)
        let manifest = try manifest(side, "help.txt")
        #expect(manifest["v"] as? Int == 1)
        #expect(manifest["name"] as? String == "help.txt")
        #expect(manifest["sha256"] as? String == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(manifest["size"] as? Int == 3)
        let relative = try #require(manifest["url"] as? String)
        #expect(relative == "../GBCloudBoxResourcesData/help.txt/1")
        let address = try #require(URL(string: "https://mirror.example/a/b/GBCloudBoxResourcesMeta.jws/help.txt"))
        #expect(
            URL(string: relative, relativeTo: address)?.absoluteString
                == "https://mirror.example/a/b/GBCloudBoxResourcesData/help.txt/1")
        // The reply does not depend on the request: a shared cache may keep it.
        let reply = try #require(side.reply("/GBCloudBoxResourcesMeta.jws/help.txt"))
        #expect(reply.fields.contains { $0.name == "Cache-Control" && $0.value == Self.cache })
    }

    @Test("The number of memoized signed documents for unset channels is limited")
    func memoizedChannelsAreLimited() throws {
        let side = try side(signer)
        let memo = try #require(side.signed?.memo)
        let tags = (1...3).map { _ in side.reply("/v1/apps/default/channels/none/status.jws")?.etag }
        #expect(tags[0] != nil && Set(tags).count == 1)
        #expect(memo.count == 1)
        for index in 0..<300 { #expect(side.reply("/v1/apps/default/channels/c\(index)/status.jws") != nil) }
        #expect(memo.count == 256)
        #expect(try verify(side, "/v1/apps/default/channels/c299/status.jws", for: "default/c299").proof.serial == 0)
    }

    @Test func aMemoMakesAValueOnce() {
        let memo = BoundedMemo<String, Int>(limit: 2)
        #expect(throws: CancellationError.self) { try memo.value("a") { throw CancellationError() } }
        #expect(memo.value("a") { 1 } == 1)
        #expect(memo.value("a") { 2 } == 1)
        #expect(memo.value("b") { 3 } == 3)
        #expect(memo.value("c") { 4 } == 4)
        #expect(memo.count == 2)
        #expect(memo.value("c") { 5 } == 4)
    }

    @Test(arguments: [
        (0, 1, 5, 86_400, "public, max-age=0, s-maxage=1, stale-while-revalidate=5, stale-if-error=499"),
        (600, 700, 5, 10, "public, max-age=500, s-maxage=500, stale-while-revalidate=0, stale-if-error=0"),
        (10, 400, 200, 50, "public, max-age=10, s-maxage=400, stale-while-revalidate=100, stale-if-error=50"),
    ])
    func noCacheKeepsASignedDocumentUntilItExpires(age: Int, shared: Int, revalidate: Int, error: Int, header: String) throws {
        var settings = ReadSettings()
        (settings.cache.maxAge, settings.cache.sharedMaxAge) = (age, shared)
        (settings.cache.staleWhileRevalidate, settings.cache.staleIfError) = (revalidate, error)
        let side = ReadModel(try store.snapshot(), settings: settings, signer: signer, at: Self.start)
        for path in ["/status.jws", "/v1/apps/default/channels/none/status.jws"] {
            #expect(side.reply(path)?.fields.first { $0.name == "Cache-Control" }?.value == header)
        }
        #expect(side.reply("/status")?.fields.first { $0.name == "Cache-Control" }?.value == settings.cache.header)
    }

    @Test("A document that can't be signed again stays served while its content is unchanged")
    func unsignableDocumentIsKept() async throws {
        try await publish(.restore)
        try await store.put("help.txt", "abc")
        let first = try side(signer)
        let manifest = "/GBCloudBoxResourcesMeta.jws/help.txt"
        #expect(first.reply("/status.jws") != nil && first.reply(manifest) != nil)
        // A clock before 1970, at which nothing can be signed and every document is due.
        let seconds = -60 - Self.start.timeIntervalSince1970
        let kept = try side(signer, former: first, after: seconds)
        #expect(kept.signed?.isDue(at: Self.start.addingTimeInterval(seconds)) == true)
        #expect(kept.signed?.problems.count == 2)
        #expect(kept.reply("/status.jws") == first.reply("/status.jws") && kept.reply(manifest) == first.reply(manifest))
        // An older status is not served in place of a new one.
        try await publish(.kill)
        let changed = try side(signer, former: kept, after: seconds)
        #expect(changed.reply("/status.jws") == nil && changed.reply(manifest) == first.reply(manifest))
        // It is signed as soon as that is possible.
        let mended = try side(signer, former: changed)
        #expect(mended.signed?.problems == [] && mended.reply("/status.jws") != nil)
    }

    // MARK: The publisher

    @Test("Documents are signed again at half their lifetime even if the store cannot be read")
    func renewalNeedsNoStore() async throws {
        try await publish(.restore)
        let now = StillClock(.wholeSecond)
        let content = FailingContent(store) { now.now }
        let publisher = try ReadModelPublisher(
            content, settings: ReadSettings(), signer: signer, limiters: Limiters(),
            logger: .silent)
        let first = try #require(await publisher.readModel.reply("/status.jws"))
        content.failVersions()
        now.advance(by: 499)
        await publisher.poll()
        #expect(await publisher.readModel.reply("/status.jws") == first)
        now.advance(by: 1)
        await publisher.poll()
        let second = await publisher.readModel
        #expect(
            try verify(second, "/status.jws", for: "default/main", after: 1499).proof.expiresAt
                == Self.start.addingTimeInterval(1500))
        #expect(second.reply("/status") == (await publisher.readModel).reply("/status"))
    }

    /// The end of a kill is published an hour early by a wrong clock, the write fails, and the end is withdrawn once a person has set
    /// the clock right.
    /// Clients that have seen it accept the true status only with a higher serial.
    @Test("The serial does not decrease after a clock that ran ahead is corrected")
    func serialNeverDecreases() async throws {
        let (now, steady) = (StillClock(.wholeSecond), StillClock(.wholeSecond))
        let store = try Store(
            folder: folder.url.appendingPathComponent("moved"), creates: true,
            clock: StoreClock(wall: { now.now }, steady: { steady.now.milliseconds }))
        let kill = try await store.publish(Publication(action: .kill, message: "m", endsAfter: .seconds(3600)), by: "ops")
        let content = FailingContent(store) { now.now }
        content.failWrites(true)
        let publisher = try ReadModelPublisher(
            content, settings: ReadSettings(), signer: signer, limiters: Limiters(),
            logger: .silent)
        let serial = { (path: String, audience: String) async throws -> Int64 in
            let after = now.now.timeIntervalSince(Self.start)
            return try verify(await publisher.readModel, path, for: audience, after: after).proof.serial
        }
        #expect(try await serial("/status.jws", "default/main") == kill.at.milliseconds)
        now.advance(by: 3600)
        steady.advance(by: 3600)
        await publisher.poll()
        let end = try #require(kill.endsAt).milliseconds
        #expect(try await serial("/status.jws", "default/main") == end)
        now.advance(by: -3600)
        try await store.acceptClock()
        await publisher.refresh()
        #expect(await publisher.readModel.snapshot.statuses[.main]?.isBlocking == true)
        #expect(try await serial("/status.jws", "default/main") == end + 1)
        #expect(try await serial("/v1/apps/default/channels/none/status.jws", "default/none") == end + 1)
        // A renewed signature keeps the serial; the next publication has a higher one.
        now.advance(by: 600)
        await publisher.poll()
        #expect(try await serial("/status.jws", "default/main") == end + 1)
        _ = try await store.publish(Publication(action: .restore), by: "ops")
        await publisher.refresh()
        #expect(try await serial("/status.jws", "default/main") == end + 2)
    }

    @Test("A document that cannot be signed is logged at the start")
    func signingFailureIsLogged() throws {
        let lines = LogLines()
        _ = try ReadModelPublisher(
            FailingContent(store) { Date(timeIntervalSince1970: -60) }, settings: ReadSettings(), signer: signer,
            limiters: Limiters(), logger: Logger(label: "test") { _ in lines })
        #expect(
            lines.all == [
                "error: can't be signed; clients that accept only signed documents are not notified: "
                    + "default/main: its times are not between 1970 and 9999, or it would hold for less than a second"
            ])
    }

    @discardableResult
    private func publish(
        _ action: StatusAction, app: String = Scope.defaultApp, channel: String = Scope.mainChannel
    ) async throws -> JournalEntry {
        try await store.publish(Publication(scope: Scope(app: app, channel: channel), action: action, message: "m"), by: "ops")
    }
}
