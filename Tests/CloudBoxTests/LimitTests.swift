import Foundation
import TestSupport
import Testing

@testable import CloudBox

/// A server that sends more than a resource may have.
@Suite("A resource's limit")
struct LimitTests {
    private static let manifest = #"{"v":1,"url":"{}file"}"#

    /// A head, then bytes for as long as somebody takes them.
    private static func endless(_ head: String) -> Behaviour {
        .wire([.send(Array(head.utf8)), .flood(Array(repeating: 0x78, count: 65_536), times: 10_000), .hang])
    }

    /// The bytes of all files of a resource.
    private static func bytes(_ box: Box, _ name: String) throws -> Int64 {
        try box.files(name).compactMap {
            FileInspection.regularSize(box.folder.url.appendingPathComponent("resources/\(name)/\($0)"))
        }
        .reduce(0, +)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 4000000000000\r\n\r\n",
    ])
    func endsATransferThatDoesNotEnd(head: String) async throws {
        let server = try manifestServer(Self.manifest, file: Self.endless(head))
        let it = try Box([server.url("/")], registering: "a", limit: 100_000)
        let most = Watched<Int64>(0)
        let progress = it.box.progress
        let watch = Task { for await step in progress { most.update { $0 = max($0, step.received) } } }
        #expect(await it.box.sync("a").reason == .tooLarge(limit: 100_000))
        watch.cancel()
        #expect(most.value <= 100_000, "nothing above the limit was written")
        #expect(try it.files("a") == [".lock"], "and nothing is left")
        #expect(await it.box.sync("a").reason == .tooLarge(limit: 100_000))
        #expect(server.requests.count { $0.path == "/file" } == 1, "the same file is not fetched again at once")
    }

    @Test("A file that its manifest declares too large is not requested")
    func announcedOversizeIsNotLoaded() async throws {
        let server = try manifestServer(#"{"v":1,"url":"{}file","size":9000000000000000000}"#, file: .hang)
        let it = try Box(
            [server.url("/")], registering: "a", limit: 100_000, bundled: .embedded(["a": .init(version: 0, text: "old")]))
        #expect(await it.box.sync("a").reason == .tooLarge(limit: 100_000))
        #expect(server.requests.count { $0.path == "/file" } == 0)
        #expect(try it.text("a") == "old")
        #expect(
            try it.box.facts(for: "a").lastSync?.outcome.reason.map { "\($0)" }
                == "larger than this program's limit of 100000 bytes for this resource; publish a smaller version")
    }

    @Test func endsAFileThatIsLargerThanItsManifestSays() async throws {
        let server = try manifestServer(
            #"{"v":1,"url":"{}file","size":10}"#, file: Self.endless("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"))
        let it = try Box([server.url("/")], registering: "a", limit: 100_000_000)
        guard case .wrongSize(expected: 10, got: _)? = await it.box.sync("a").reason else {
            Issue.record("expected a wrong size")
            return
        }
        #expect(try it.files("a") == [".lock"])
    }

    @Test("A file with a content coding that does not exist counts if a digest proves its bytes")
    func refusesACodedFileWithoutADigest() async throws {
        let file = Behaviour.answer(Answer(headers: ["Content-Encoding": "aws-chunked"], text: "new"))
        let server = try manifestServer(Self.manifest, file: file)
        let it = try Box([server.url("/")], registering: "a")
        #expect(await it.box.sync("a").reason == .coded("aws-chunked"))
        let md5 = "22af645d1859cb5ca6da0c484f1f37ea"
        let other = try manifestServer(#"{"v":1,"url":"{}file","md5":"\#(md5)"}"#, file: file)
        let proved = try Box([other.url("/")], registering: "a")
        #expect(await proved.box.sync("a").reason == nil)
        #expect(try proved.text("a") == "new")
    }

    @Test func endsAManifestThatDoesNotEnd() async throws {
        let server = try HostileServer()
        server.answer { _ in Self.endless("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n") }
        let it = try Box([server.url("/")], registering: "a")
        #expect(await it.box.sync("a").reason == .badMeta("it is larger than 65536 bytes"))
    }

    @Test func countsTheBytesOfAnInterruptedTransfer() async throws {
        let body = noise(60_000)
        let server = try ResourceServer(["a": .init(version: 1, body: body, statesSize: false, cuts: [20_000])])
        let it = try Box([server.url], registering: "a", limit: 60_000, limits: .init(resumptions: 0))
        #expect(await it.box.sync("a").reason != nil)
        let smaller = try Box([server.url], registering: "a", limit: 59_999, folder: it.folder)
        #expect(await smaller.box.sync("a").reason == .tooLarge(limit: 59_999))
        #expect(try Self.bytes(smaller, "a") < 1000)
        let equal = try Box([server.url], registering: "a", limit: 60_000, folder: it.folder)
        #expect(await equal.box.sync("a") == .updated(version: 1, from: nil, received: 60_000))
    }

    @Test("A resource without its own limit has the limit of the configuration")
    func ownLimitOverridesDefault() async throws {
        let server = try ResourceServer(["a": .init(version: 1, "0123456789"), "b": .init(version: 1, "0123456789")])
        let it = try Box([server.url], registering: "a", limits: .init(resourceBytes: 9))
        try it.box.register("b", limit: 10)
        #expect(await it.box.sync("a").reason == .tooLarge(limit: 9))
        #expect(await it.box.sync("b").reason == nil)
        #expect(CloudBoxConfiguration.Limits().resourceBytes == 64 << 20)
    }
}
