import Bellerophon
import BellerophonTrust
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CloudBox

@Suite("A sync with keys to trust")
struct SignedManifestTests {
    private let key: SigningKey
    private let clock = DateBox(Date(timeIntervalSince1970: 1_763_712_000))

    init() throws { key = try SigningKey.generate() }

    /// A library that trusts the sample key, or other keys.
    private func box(
        _ servers: [URL], registering name: String, folder: TestFolder? = nil, bundled: any BundledResources = .none,
        keys: [SigningKey]? = nil, verifier: (any ManifestVerifier)? = nil
    ) throws -> Box {
        let trusted = try TrustedKeys((keys ?? [key]).map(\.publicKey.text))
        return try Box(
            servers, registering: name, folder: folder, bundled: bundled, verifier: verifier ?? trusted, date: clock.read)
    }

    /// A signed manifest of a text at a path relative to the manifest.
    private func manifest(
        _ name: String = "help.txt", version: Int64, _ text: String, by signer: SigningKey? = nil, lifetime: Int = 1000
    ) throws -> String {
        let sha256 = try #require(Digest(.sha256, of: Data(text.utf8))).hex
        let meta = #"{"v":\#(version),"sha256":"\#(sha256)","size":\#(text.utf8.count),"url":"../data/\#(name)/\#(version)"}"#
        return try (signer ?? key).sign(manifest: Data(meta.utf8), name: name, issuedAt: clock.date, lifetime: .seconds(lifetime))
    }

    @Test("A resource with a trusted signature is installed, and only the signed address is requested")
    func signedManifestIsInstalled() async throws {
        let server = try FileServer()
        server.put(try manifest(version: 4, "new"), "new", version: 4)
        let it = try box([server.url], registering: "help.txt")
        #expect(await it.box.sync("help.txt") == .updated(version: 4, from: nil, received: 3))
        #expect(try it.text("help.txt") == "new")
        #expect(server.paths == ["/GBCloudBoxResourcesMeta.jws/help.txt", "/data/help.txt/4"])
        #expect(server.http.requests.first?.header("Accept") == "application/jose")
    }

    @Test("The file is found relative to its signed manifest on a mirror")
    func fileIsRelativeToManifest() async throws {
        let server = try FileServer(prefix: "/mirrors/eu/app")
        server.put(try manifest(version: 4, "new"), "new", version: 4)
        let it = try box([server.url], registering: "help.txt")
        #expect(await it.box.sync("help.txt") == .updated(version: 4, from: nil, received: 3))
        #expect(server.paths == ["/mirrors/eu/app/GBCloudBoxResourcesMeta.jws/help.txt", "/mirrors/eu/app/data/help.txt/4"])
    }

    @Test("A forged manifest is refused with the reason, and the installed version is kept", arguments: Forgery.allCases)
    func forgedManifestIsRefused(forgery: Forgery) async throws {
        let server = try FileServer()
        let (stranger, id) = (try SigningKey.generate(), key.publicKey.id)
        let sound = try manifest(version: 4, "new")
        let (body, problem): (String, TrustError) =
            switch forgery {
            case .plain: (#"{"v":4,"url":"../data/help.txt/4"}"#, .unsigned)
            case .stranger: (try manifest(version: 4, "new", by: stranger), .unknownKey(stranger.publicKey.id))
            case .changed: (try Self.changed(sound), .badSignature(keyID: id))
            case .otherResource:
                (try manifest("other.txt", version: 4, "new"), .wrongAudience(found: "other.txt", expected: "help.txt"))
            case .expired: (sound, .expired(at: clock.date.addingTimeInterval(1000), now: clock.date.addingTimeInterval(1000)))
            case .status:
                (
                    try key.sign(
                        status: Data("{}".utf8), audience: "default/main", serial: 1, issuedAt: clock.date,
                        lifetime: .seconds(1000)),
                    .wrongAudience(found: "bellerophon-status+jws", expected: "bellerophon-resource+jws")
                )
            case .futureDated: (sound, .futureDated(issuedAt: clock.date, now: clock.date.addingTimeInterval(-61)))
            }
        if forgery == .expired { clock.advance(1000) }
        if forgery == .futureDated { clock.advance(-61) }
        server.put(body, "new", version: 4)
        let it = try box([server.url], registering: "help.txt", bundled: .embedded(["help.txt": .init(version: 1, text: "old")]))
        #expect(await it.box.sync("help.txt").reason == .untrusted(problem))
        #expect(try it.text("help.txt") == "old")
        #expect(server.paths == ["/GBCloudBoxResourcesMeta.jws/help.txt"])
    }

    enum Forgery: CaseIterable { case plain, stranger, changed, otherResource, expired, futureDated, status }

    /// The payload with another version and the old signature.
    private static func changed(_ text: String) throws -> String {
        var parts = text.split(separator: ".").map(String.init)
        let padded = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        let filled = padded + String(repeating: "=", count: (4 - padded.utf8.count % 4) % 4)
        let json = String(decoding: try #require(Data(base64Encoded: filled)), as: UTF8.self).replacing(
            "\"v\":4", with: "\"v\":9")
        parts[1] = Data(json.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=", with: "")
        return parts.joined(separator: ".")
    }

    @Test("The next server is asked after a server with an untrusted manifest")
    func nextServerFollowsForgery() async throws {
        let (bad, good) = (try FileServer(), try FileServer())
        bad.put(try manifest(version: 9, "bad", by: .generate()), "bad", version: 9)
        good.put(try manifest(version: 4, "new"), "new", version: 4)
        let it = try box([bad.url, good.url], registering: "help.txt")
        #expect(await it.box.sync("help.txt") == .updated(version: 4, from: nil, received: 3))
        #expect(bad.paths == ["/GBCloudBoxResourcesMeta.jws/help.txt"])
    }

    @Test func neverInstallsFromAServerThatSignsNothing() async throws {
        let server = try ResourceServer(["help.txt": .init(version: 4, "new")])
        let it = try box([server.url], registering: "help.txt")
        let outcome = await it.box.sync("help.txt")
        #expect(outcome.reason == .noSignedManifest)
        guard case .failed(let error) = outcome else { return }
        #expect(error.isNotPublished)
        #expect(
            error.description
                == "help.txt: the server has no signed manifest of it (HTTP 404): no such resource, or no signing key")
        #expect(server.paths == ["/GBCloudBoxResourcesMeta.jws/help.txt"])
        #expect(throws: CloudBoxError("help.txt", .nothingYet)) { try it.box.data(for: "help.txt") }
    }

    @Test("Bytes that differ from the signed digest or size are refused", arguments: ["bad", "longer than it was"])
    func unsignedBytesAreRefused(text: String) async throws {
        let server = try FileServer()
        server.put(try manifest(version: 4, "new"), text, version: 4)
        let it = try box([server.url], registering: "help.txt")
        let expected = try #require(Digest(.sha256, of: Data("new".utf8)))
        let reason = await it.box.sync("help.txt").reason
        if text.utf8.count == 3 {
            #expect(reason == .digestMismatch(expected: expected, got: try #require(Digest(.sha256, of: Data(text.utf8)))))
        } else {
            #expect(reason == .wrongSize(expected: 3, got: Int64(text.utf8.count)))
        }
        #expect(throws: CloudBoxError("help.txt", .nothingYet)) { try it.box.data(for: "help.txt") }
    }

    @Test("An older signed manifest does not replace a newer version")
    func olderManifestIsRefused() async throws {
        let server = try FileServer()
        let (old, new) = (try manifest(version: 3, "old"), try manifest(version: 4, "new"))
        server.put(new, "new", version: 4)
        let it = try box([server.url], registering: "help.txt")
        await it.box.sync("help.txt")
        server.put(old, "old", version: 3)
        #expect(await it.box.sync("help.txt") == .unchanged(version: 4))
        let again = try box([server.url], registering: "help.txt", folder: it.folder)
        #expect(await again.box.sync("help.txt") == .unchanged(version: 4))
        #expect(try again.text("help.txt") == "new")
    }

    @Test("HTTP 304 is accepted only until the known manifest expires, also after a restart")
    func notModifiedNeedsValidity() async throws {
        let server = try FileServer()
        let first = try manifest(version: 4, "new")
        server.put(first, "new", version: 4, tag: "\"one\"")
        let it = try box([server.url], registering: "help.txt")
        await it.box.sync("help.txt")
        clock.advance(999)
        #expect(await it.box.sync("help.txt") == .unchanged(version: 4))
        #expect(server.http.requests.last?.header("If-None-Match") == "\"one\"")
        clock.advance(1)
        let again = try box([server.url], registering: "help.txt", folder: it.folder)
        // The manifest expires now. A server that still sends it is not accepted.
        let (asked, expired) = (await again.box.sync("help.txt").reason, clock.date)
        #expect(server.http.requests.last?.header("If-None-Match") == nil)
        #expect(asked == .untrusted(.expired(at: expired, now: expired)))
        server.put(try manifest(version: 4, "new"), "new", version: 4, tag: "\"two\"")
        #expect(await again.box.sync("help.txt") == .unchanged(version: 4))
        #expect(await again.box.sync("help.txt") == .unchanged(version: 4))
        #expect(server.http.requests.last?.header("If-None-Match") == "\"two\"")
    }

    @Test("A manifest without an expiry date is always requested without If-None-Match")
    func unlimitedManifestIsRefetched() async throws {
        let server = try FileServer()
        let sha256 = try #require(Digest(.sha256, of: Data("new".utf8))).hex
        server.put(#"{"v":4,"sha256":"\#(sha256)","url":"../data/help.txt/4"}"#, "new", version: 4, tag: "\"one\"")
        let it = try box([server.url], registering: "help.txt", verifier: Believer())
        #expect(await it.box.sync("help.txt") == .updated(version: 4, from: nil, received: 3))
        #expect(await it.box.sync("help.txt") == .unchanged(version: 4))
        #expect(server.http.requests.last?.header("If-None-Match") == nil)
    }

    @Test func wantsASHA256WhoeverVouchesForTheManifest() async throws {
        let server = try FileServer()
        server.put(#"{"v":4,"md5":"22af645d1859cb5ca6da0c484f1f37ea","url":"../data/help.txt/4"}"#, "new", version: 4)
        let it = try box([server.url], registering: "help.txt", verifier: Believer())
        #expect(await it.box.sync("help.txt").reason == .badMeta("it is signed, but sha256 is missing"))
    }

    @Test func takesEitherKeyWhileTheyAreRotated() async throws {
        let server = try FileServer()
        let next = try SigningKey.generate()
        let it = try box([server.url], registering: "help.txt", keys: [key, next])
        server.put(try manifest(version: 4, "new"), "new", version: 4)
        #expect(await it.box.sync("help.txt") == .updated(version: 4, from: nil, received: 3))
        server.put(try manifest(version: 5, "newer", by: next), "newer", version: 5)
        #expect(await it.box.sync("help.txt") == .updated(version: 5, from: 4, received: 5))
    }

    @Test func saysWhatIsWrongInALineThatAPersonCanActOn() {
        #expect(
            CloudBoxError("help.txt", .untrusted(.unsigned)).description
                == "help.txt: the server's manifest is not signed, and only signed ones count here"
        )
        #expect(
            CloudBoxError("help.txt", .untrusted(.unknownKey("k\u{1B}"))).description
                == "help.txt: the server's manifest is not trusted: it is signed with the key “k␛”, which is not trusted here"
        )
    }
}

/// Accepts everything.
private struct Believer: ManifestVerifier {
    func verify(manifest bytes: Data, of name: String, at date: Date) throws(TrustError) -> Data { bytes }
}

/// A wall clock that the test sets.
private final class DateBox: Sendable {
    private let value: Mutex<Date>
    init(_ date: Date) { value = Mutex(date) }
    var date: Date { value.withLock { $0 } }
    func advance(_ seconds: TimeInterval) { value.withLock { $0.addTimeInterval(seconds) } }
    var read: @Sendable () -> Date { { self.date } }
}

/// A server with one manifest and its file, both below a path.
private final class FileServer: Sendable {
    let http: HostileServer
    private let prefix: String
    private let answers = Watched<[String: Answer]>([:])

    init(prefix: String = "") throws {
        http = try HostileServer()
        self.prefix = prefix
        let answers = answers
        http.answer { request in answers.value[request.path].map { .answer($0) } ?? .failure(404) }
    }

    var url: URL { http.url(prefix + "/") }
    var paths: [String] { http.requests.map(\.path) }

    func put(_ manifest: String, _ text: String, version: Int, tag: String? = nil) {
        let headers = tag.map { ["ETag": $0] } ?? [:]
        let meta = Answer(type: "application/jose", headers: headers, text: manifest)
        let file = Answer(type: "application/octet-stream", text: text)
        answers.update {
            $0["\(prefix)/GBCloudBoxResourcesMeta.jws/help.txt"] = meta
            $0["\(prefix)/data/help.txt/\(version)"] = file
        }
    }
}
