import Bellerophon
import BellerophonBase
import Foundation
import TestSupport
import Testing

@testable import CloudBox

@Suite("An installation")
struct InstallationTests {
    private struct Failure: Error {}

    @Test("A failed installation step leaves a complete version, and the next sync repairs it", arguments: InstallStep.allCases)
    func failedInstallStepIsRepaired(step: InstallStep) async throws {
        let server = try ResourceServer(["a": .init(version: 1, "one")])
        let folder = try TestFolder()
        let first = try Box([server.url], registering: "a", folder: folder)
        await first.box.sync("a")
        server["a"] = .init(version: 2, "two")
        let configuration = first.box.configuration
        let failing = CloudBoxClient(configuration, beforeInstallStep: { if $0 == step { throw Failure() } })
        try failing.register("a")
        let outcome = await failing.sync("a")
        let isInstalled = step == .writeState || step == .removeOlder
        #expect((outcome.reason == nil) == isInstalled)
        #expect(try failing.data(for: "a") == Data((isInstalled ? "two" : "one").utf8))

        let again = try Box([server.url], registering: "a", folder: folder)
        // After the rename the new version is installed, whatever outcome was reported.
        let isRenamed = isInstalled || step == .syncFolder
        #expect(try again.text("a") == (isRenamed ? "two" : "one"))
        let next = await again.box.sync("a")
        // The bytes are complete; only their version number is missing.
        #expect(next == (isRenamed ? .unchanged(version: 2) : .updated(version: 2, from: 1, received: 0)))
        #expect(try again.text("a") == "two")
        #expect(try again.files("a").filter { !$0.hasPrefix(".") } == ["2"])
    }

    @Test
    func survivesAProgramThatIsKilledAtAnyMoment() async throws {
        let version = Watched<Int64>(1)
        let server = try HostileServer()
        server.answer { request in Self.numbered(request, version) }
        let folder = try TestFolder()
        let probe = try Products.path("CloudBoxProbe")
        let address = server.url("/").absoluteString
        // Ends the program with SIGKILL up to 10 ms after a file appears.
        let script =
            "\"$0\" \"$1\" \"$2\" a 100000 & child=$!; while [ ! -e \"$3\" ]; do sleep 0.01; done; kill -9 $child; wait $child"
        var generator = SplitMix64(seed: Seed.of("killed syncs", default: 7))
        var last: Int64 = 0
        for round in 0..<12 {
            let stop = folder.path("stop-\(round)")
            let enough = server.requests.count + 5 + Int(generator.next() % 20)
            async let run = runCommand(
                "/bin/sh", ["-c", script, probe, folder.path("resources"), address, stop], within: .seconds(500)
            )
            _ = try await server.request(number: enough)
            try folder.write("", to: "stop-\(round)")
            _ = try await run
            let it = try Box([server.url("/")], registering: "a", folder: folder)
            let found = try #require(try it.box.facts(for: "a").version)
            #expect(found >= last)
            #expect(try it.box.data(for: "a") == Data(Self.bytes(of: found)), "version \(found) is not whole")
            last = found
        }
        #expect(last >= 12)
    }

    /// A resource with a new version for every request.
    private static func numbered(_ request: Request, _ version: Watched<Int64>) -> Behaviour {
        if request.path.contains("Meta") {
            let number = version.update { number -> Int64 in
                number += 1
                return number
            }
            return .json(#"{"v":\#(number),"url":"/file/\#(number)"}"#)
        }
        let number = Int64(request.path.split(separator: "/").last ?? "") ?? 0
        return .answer(Answer(body: bytes(of: number)))
    }

    private static func bytes(of version: Int64) -> [UInt8] {
        let unit = Array("version \(version);".utf8)
        return Array(repeatElement(unit, count: 4000).joined())
    }

    @Test("A resource folder locked by another process is not changed")
    func lockedFolderIsLeftAlone() async throws {
        let server = try ResourceServer(["a": .init(version: 1, "one")])
        let it = try Box([server.url], registering: "a")
        let path = it.folder.url.appendingPathComponent("resources/a")
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        var lock = try FileLock(path.appendingPathComponent(".lock").path)
        #expect(lock != nil)
        #expect(await it.box.sync("a") == .busyElsewhere)
        lock = nil
        #expect(await it.box.sync("a") == .updated(version: 1, from: nil, received: 3))
    }

    @Test("A version installed by another process is taken over and reported")
    func otherProcessUpdateIsTakenOver() async throws {
        let server = try ResourceServer(["a": .init(version: 1, "one")])
        let first = try Box([server.url], registering: "a")
        await first.box.sync("a")
        let second = try Box([server.url], registering: "a", folder: first.folder)
        let before = try second.box.data(for: "a")
        server["a"] = .init(version: 2, "two")
        await second.box.sync("a")
        #expect(before == Data("one".utf8))
        #expect(try first.text("a") == "one")
        var updates = first.box.updates.makeAsyncIterator()
        #expect(await first.box.sync("a") == .updated(version: 2, from: 1, received: 0))
        #expect(await updates.next()?.data == Data("two".utf8))
        #expect(server.fileRequests.count == 2)
    }

    @Test("A sync never replaces a newer version that another process installed")
    func newerVersionIsNeverReplaced() async throws {
        let server = try HostileServer()
        let digest = try #require(Digest(.sha256, of: Data("one".utf8)))
        let folder = try TestFolder()
        server.answer { request in
            guard request.path.contains("Meta") else { return .answer(Answer(text: "one")) }
            _ = try? folder.write("three", to: "resources/a/3")
            return .json(#"{"v":2,"url":"/file","sha256":"\#(digest.hex)"}"#)
        }
        let it = try Box([server.url("/")], folder: folder)
        try it.box.register("a", bundled: .init(version: 1, content: .bytes(Data("one".utf8)), digest: digest))
        #expect(await it.box.sync("a") == .updated(version: 3, from: 1, received: 0))
        #expect(try it.text("a") == "three")
        #expect(try it.files("a").filter { !$0.hasPrefix(".") } == ["3"])
    }

    @Test func olderFileMeanwhile() async throws {
        let server = try HostileServer()
        let folder = try TestFolder()
        server.answer { request in
            guard request.path.contains("Meta") else {
                return .answer(Answer(headers: ["Resource-Version": "2"], text: "two"))
            }
            _ = try? folder.write("three", to: "resources/a/3")
            return .json(#"{"v":4,"url":"/file"}"#)
        }
        let it = try Box([server.url("/")], folder: folder)
        try it.box.register("a", bundled: .init(version: 1, text: "one"))
        #expect(await it.box.sync("a").reason == .staleFile(version: 2, promised: 4))
        #expect(try it.text("a") == "three")
        #expect(try it.files("a").contains("2") == false)
    }

    @Test("Leftovers of a killed process are removed, but a resumable transfer is kept")
    func leftoversAreRemoved() throws {
        let folder = try TestFolder()
        for version in 1...3 { try folder.write("\(version)", to: "resources/a/\(version)") }
        try folder.write("half a state", to: "resources/a/.state.json.new")
        try folder.write("a part of nothing", to: "resources/a/.part")
        try folder.write("a part", to: "resources/b/.part")
        try folder.write(Self.facts(version: 4, digest: "sha256:0"), to: "resources/b/.part.json")
        let it = try Box([], registering: "a", folder: folder)
        try it.box.register("b")
        #expect(try it.files("a") == [".lock", "3"])
        #expect(try it.files("b") == [".lock", ".part", ".part.json"])
    }

    /// The facts of a transfer that another run of the program began.
    private static func facts(version: Int64, digest: String?) -> String {
        let digest = digest.map { #","digest":"\#($0)""# } ?? ""
        return #"{"url":"http://a.example/file","version":\#(version),"tag":"\"t\"","run":"another"\#(digest)}"#
    }

    @Test(arguments: [
        ("too large", String(repeating: "x", count: 101), facts(version: 4, digest: "sha256:0")),
        ("of the version at hand", "x", facts(version: 3, digest: "sha256:0")),
        ("not recognizable", "x", facts(version: 4, digest: nil)),
        ("without facts", "x", ""), ("with facts of another kind", "x", "{}"),
    ])
    func removesATransferThatCanNotGoOn(why: String, part: String, facts: String) throws {
        let folder = try TestFolder()
        try folder.write("3", to: "resources/a/3")
        try folder.write(part, to: "resources/a/.part")
        try folder.write(facts, to: "resources/a/.part.json")
        let it = try Box([], registering: "a", limit: 100, folder: folder)
        #expect(try it.files("a") == [".lock", "3"], "\(why)")
    }

    @Test("Old versions in a locked folder are removed by a later sync")
    func laterSyncRemovesLeftovers() async throws {
        let server = try ResourceServer(["a": .init(version: 3, "3")])
        let folder = try TestFolder()
        for version in 1...3 { try folder.write("\(version)", to: "resources/a/\(version)") }
        var lock = try FileLock(folder.path("resources/a/.lock"))
        #expect(lock != nil)
        let it = try Box([server.url], registering: "a", folder: folder)
        #expect(await it.box.sync("a") == .unchanged(version: 3))
        #expect(try it.files("a") == [".lock", "1", "2", "3"])
        lock = nil
        #expect(await it.box.sync("a") == .unchanged(version: 3))
        #expect(try it.files("a").filter { !$0.hasPrefix(".") } == ["3"])
    }

    @Test("An unwritable folder is reported, and the bundled version stays in use")
    func unwritableFolderKeepsBundled() async throws {
        let server = try ResourceServer(["a": .init(version: 2, "two")])
        let folder = try TestFolder()
        try folder.write("a file in the way", to: "resources")
        let it = try Box(
            [server.url], registering: "a", folder: folder, bundled: .embedded(["a": .init(version: 1, text: "one")])
        )
        let outcome = await it.box.sync("a")
        guard case .disk(let text)? = outcome.reason else {
            Issue.record("no disk error")
            return
        }
        #expect(text.hasPrefix("can't make the folder \(folder.path("resources/a")): "))
        #expect(try it.text("a") == "one")
    }

    @Test("A full disk is reported and leaves no partial version")
    func fullDiskLeavesNothingPartial() async throws {
        let server = try ResourceServer(["a": .init(version: 1, body: noise(300_000))])
        let folder = try TestFolder()
        // The system limits the size of files, which acts like a full disk; the signal is ignored.
        let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" \"$1\" \"$2\" a 1"
        let result = try await runCommand(
            "/bin/sh", ["-c", script, Products.path("CloudBoxProbe"), folder.path("resources"), server.url.absoluteString]
        )
        #expect(result.standardOutput.hasPrefix("none failed(a: can't write \(folder.path("resources/a/.part")): "))
        let it = try Box([server.url], registering: "a", folder: folder)
        #expect(try it.box.facts(for: "a").version == nil)
        let outcome = await it.box.sync("a")
        guard case .updated(1, nil, _) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
        #expect(try it.box.data(for: "a") == Data(noise(300_000)))
    }

    @Test("Installing a large resource uses a small constant amount of memory")
    func largeResourceUsesLittleMemory() async throws {
        let size = 256 << 20
        let server = try manifestServer(#"{"v":1,"url":"/file"}"#, file: .oversized(bytes: size, announced: true))
        let folder = try TestFolder()
        let result = try await runCommand(
            Products.path("CloudBoxProbe"), [folder.path("resources"), server.url("/").absoluteString, "a", "1"],
            within: .seconds(200)
        )
        let lines = result.standardOutput.split(separator: "\n")
        #expect(lines.first == "1 updated(version: 1, from: nil, received: \(size))")
        let growth = lines.last.flatMap { Int($0.filter(\.isNumber)) } ?? .max
        #expect(growth < (32 << 10) * Sanitizer.memoryFactor, "grew by \(growth) KiB")
    }
}
