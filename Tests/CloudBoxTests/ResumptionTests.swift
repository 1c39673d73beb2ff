import Foundation
import TestSupport
import Testing

@testable import CloudBox

@Suite("A transfer that was cut")
struct ResumptionTests {
    private let body = noise(60_000)

    @Test func goesOnWhereItEnded() async throws {
        let server = try ResourceServer(["a": .init(version: 1, body: body, cuts: [20_000, 10_000])])
        let it = try Box([server.url], registering: "a")
        #expect(await it.box.sync("a") == .updated(version: 1, from: nil, received: 60_000))
        #expect(try it.box.data(for: "a") == Data(body))
        #expect(server.fileRequests.map { $0.header("Range") } == [nil, "bytes=20000-", "bytes=30000-"])
        #expect(server.fileRequests.map { $0.header("If-Range") } == [nil, "\"one\"", "\"one\""])
    }

    @Test func goesOnAfterARestartOfTheProgram() async throws {
        let server = try ResourceServer(["a": .init(version: 1, body: body, cuts: [20_000])])
        let it = try Box([server.url], registering: "a", limits: .init(resumptions: 0))
        #expect(await it.box.sync("a").reason != nil)
        let again = try Box([server.url], registering: "a", folder: it.folder)
        #expect(await again.box.sync("a") == .updated(version: 1, from: nil, received: 40_000))
        #expect(try again.box.data(for: "a") == Data(body))
        #expect(server.fileRequests.last?.header("Range") == "bytes=20000-")
        #expect(try again.files("a") == [".lock", ".state.json", "1"])
    }

    @Test("An interrupted transfer resumes at another server with the same digest")
    func resumesAtOtherServer() async throws {
        let first = try ResourceServer(["a": .init(version: 1, body: body)])
        let second = try ResourceServer(["a": .init(version: 1, body: body)])
        first["a"]?.cuts = [20_000]
        let it = try Box([first.url, second.url], registering: "a", limits: .init(resumptions: 0))
        #expect(await it.box.sync("a") == .updated(version: 1, from: nil, received: 60_000))
        #expect(second.fileRequests.map { $0.header("Range") } == ["bytes=20000-"])
        #expect(try it.box.data(for: "a") == Data(body))
    }

    @Test func beginsAnewWhereTheServerKnowsNoRanges() async throws {
        let server = try ResourceServer(["a": .init(version: 1, body: body, takesRanges: false, cuts: [20_000])])
        let it = try Box([server.url], registering: "a")
        #expect(await it.box.sync("a") == .updated(version: 1, from: nil, received: 80_000))
        #expect(try it.box.data(for: "a") == Data(body))
    }

    @Test("A transfer starts again when its partial file turns out to be damaged")
    func damagedPartStartsAgain() async throws {
        let server = try ResourceServer(["a": .init(version: 1, body: body, cuts: [20_000])])
        let it = try Box([server.url], registering: "a", limits: .init(resumptions: 0))
        await it.box.sync("a")
        try it.folder.write(String(repeating: "x", count: 20_000), to: "resources/a/.part")
        #expect(await it.box.sync("a") == .updated(version: 1, from: nil, received: 100_000))
        #expect(try it.box.data(for: "a") == Data(body))
        #expect(server.fileRequests.map { $0.header("Range") } == [nil, "bytes=20000-", nil])
    }

    @Test func beginsAnewWhenTheResourceHasChangedSince() async throws {
        let server = try ResourceServer(["a": .init(version: 1, body: body, cuts: [20_000])])
        let it = try Box([server.url], registering: "a", limits: .init(resumptions: 0))
        await it.box.sync("a")
        server["a"] = .init(version: 2, "short")
        #expect(await it.box.sync("a") == .updated(version: 2, from: nil, received: 5))
        #expect(server.fileRequests.map { $0.header("Range") } == [nil, nil])
    }

    @Test("Without a digest a transfer starts again after the program restarts")
    func noDigestStartsAgain() async throws {
        let server = try ResourceServer(["a": .init(version: 1, body: body, statesDigests: false, cuts: [20_000])])
        let it = try Box([server.url], registering: "a")
        #expect(await it.box.sync("a") == .updated(version: 1, from: nil, received: 60_000))
        #expect(server.fileRequests.map { $0.header("If-Range") } == [nil, "\"one\""])
        let facts = #"{"url":"x","version":2,"run":"another"}"#
        try it.folder.write(facts, to: "resources/a/.part.json")
        try it.folder.write("garbage", to: "resources/a/.part")
        server["a"] = .init(version: 2, "two")
        server["a"]?.statesDigests = false
        #expect(await it.box.sync("a") == .updated(version: 2, from: 1, received: 3))
        #expect(try it.text("a") == "two")
    }

    @Test("A transfer starts again when the reply contains a different range")
    func wrongRangeStartsAgain() async throws {
        let server = try ResourceServer(["a": .init(version: 1, body: body, cuts: [20_000])])
        let it = try Box([server.url], registering: "a", limits: .init(resumptions: 0))
        await it.box.sync("a")
        let (items, body) = (server.items, body)
        let digest = try #require(Digest(.sha256, of: Data(body)))
        server.http.answer { request in
            _ = items
            if request.path.contains("Meta") { return .json(#"{"v":1,"url":"/file","sha256":"\#(digest.hex)"}"#) }
            guard request.header("Range") != nil else { return .answer(Answer(body: body)) }
            return .answer(Answer(status: 206, headers: ["Content-Range": "bytes 0-59999/60000"], body: body))
        }
        #expect(await it.box.sync("a") == .updated(version: 1, from: nil, received: 60_000))
        #expect(try it.box.data(for: "a") == Data(body))
    }

    @Test(
        "A transfer without a digest starts again when a range reply is not of the same file",
        arguments: [#""two""#, #"W/"one""#, nil])
    func rangeOfAnotherFileStartsAgain(tag: String?) async throws {
        let server = try ResourceServer(["a": .init(version: 1, body: body, statesDigests: false, cuts: [20_000])])
        let it = try Box([server.url], registering: "a", limits: .init(resumptions: 0))
        await it.box.sync("a")
        let other = [UInt8](repeating: UInt8(ascii: "2"), count: body.count)
        server.http.answer { request in
            if request.path.contains("Meta") { return .json(#"{"v":1,"url":"\#(server.url)GBCloudBoxResourcesData/a/1"}"#) }
            guard request.header("Range") != nil else { return .answer(Answer(body: other)) }
            // It has replaced the file, and ignores If-Range.
            var headers = ["Content-Range": "bytes 20000-59999/60000"]
            headers["ETag"] = tag
            return .answer(Answer(status: 206, headers: headers, body: Array(other[20_000...])))
        }
        #expect(await it.box.sync("a") == .updated(version: 1, from: nil, received: 60_000))
        #expect(try it.box.data(for: "a") == Data(other))
        #expect(server.http.requests.suffix(2).map { $0.header("Range") } == ["bytes=20000-", nil])
    }

    @Test("A transfer continues when a range reply contains less than requested")
    func shortRangeIsContinued() async throws {
        let server = try ResourceServer([
            "a": .init(version: 1, body: body, statesDigests: false, statesSize: false, rangeBytes: 15_000, cuts: [20_000])
        ])
        let it = try Box([server.url], registering: "a")
        #expect(await it.box.sync("a") == .updated(version: 1, from: nil, received: 60_000))
        #expect(try it.box.data(for: "a") == Data(body))
        #expect(
            server.fileRequests.map { $0.header("Range") }
                == [nil, "bytes=20000-", "bytes=35000-", "bytes=50000-"])
    }

    @Test("A transfer starts again when no reply states the total length")
    func unknownLengthStartsAgain() async throws {
        let server = try ResourceServer([
            "a": .init(
                version: 1, body: body, statesDigests: false, statesSize: false, rangeBytes: 15_000, rangesStateTotal: false,
                cuts: [20_000])
        ])
        let it = try Box([server.url], registering: "a")
        await it.box.sync("a")
        #expect(try it.box.data(for: "a") == Data(body))
        #expect(server.fileRequests.map { $0.header("Range") } == [nil, "bytes=20000-", nil])
    }

    @Test(
        arguments: [
            ("bytes 5-9/10", 5...9, 10), ("Bytes 0-0/1", 0...0, 1), ("bytes 5-9/*", 5...9, nil), ("bytes 5-6/10", 5...6, 10),
        ] as [(String, ClosedRange<Int64>, Int64?)])
    func goesOnOnlyWhereARangeSaysWhatItIs(field: String, bytes: ClosedRange<Int64>, total: Int64?) {
        let range = ContentRange(field)
        #expect(range?.bytes == bytes)
        #expect(range?.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes */10", "bytes 5-/10", "bytes -9/10", "bytes 9-5/10", "bytes 5-9", "bytes 5-9/9", "bytes 5-9/x",
        "items 5-9/10", "bytes 5-9/10/11", "bytes +5-9/10", "bytes 5-99999999999999999999/*",
    ])
    func goesOnAtNoRangeThatMakesNoSense(field: String) {
        #expect(ContentRange(field) == nil)
    }
}
