import Bellerophon
import Foundation
import TestSupport
import Testing

/// Faults of the file with the last known status: it yields the old record, the new record, or a clear error.
@Suite("Faults of the state file")
struct StateFileFaultTests {
    static let killed = StatusRecord(
        StatusDocument(isInactive: true, requiresUpdate: false, interval: 7, message: "Stop."),
        since: Date(timeIntervalSince1970: 1_768_485_731), appVersion: "1.0"
    )
    static let killing = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":7,"userMessage":"Stop."}"#

    // MARK: Damage

    @Test func aFileCutAtAnyByteIsNoOtherRecord() throws {
        let folder = try TestFolder()
        let store = FileStatusStore(url: folder.url.appendingPathComponent("state.json"))
        try store.save(Self.killed)
        let whole = try Data(contentsOf: store.url)
        for count in 0..<whole.count {
            for url in [store.url, store.copyURL] { try whole.prefix(count).write(to: url) }
            #expect(throws: StatusStoreError.damaged(store.url.path), "cut after \(count) bytes") { try store.load() }
        }
        try whole.write(to: store.url)
        #expect(try store.load() == Self.killed)
    }

    @Test func aFileChangedAtAnyByteIsNoOtherRecord() throws {
        let folder = try TestFolder()
        let store = FileStatusStore(url: folder.url.appendingPathComponent("state.json"))
        try store.save(Self.killed)
        let whole = try Data(contentsOf: store.url)
        for index in whole.indices {
            for mask: UInt8 in [0x01, 0x20, 0x80, 0xFF] {
                var damaged = whole
                damaged[index] ^= mask
                for url in [store.url, store.copyURL] { try damaged.write(to: url) }
                #expect(throws: StatusStoreError.self, "byte \(index), bits \(mask)") { try store.load() }
            }
        }
    }

    /// A kill, then a restart without a network and with one damaged file.
    @Test(arguments: [false, true]) func aDamagedFileLiftsNoKill(isCopy: Bool) async throws {
        let folder = try TestFolder()
        let file = folder.path("state.json")
        let server = try HostileServer(.json(Self.killing))
        let arguments = ["check", server.address, "--store", file]
        #expect(try await ProbeReport.of(arguments).all("stage") == ["killed"])
        try server.stop()
        try folder.write("{\"isInactive\":fal", to: isCopy ? "state.json.copy" : "state.json")
        let next = try await ProbeReport.of(arguments)
        #expect(next.all("start") == ["killed"])
        #expect(next.all("remark").count == (isCopy ? 0 : 1))
    }

    /// A process that is killed while it writes leaves part of a temporary file beside the valid one.
    @Test func aTemporaryFileCutAtAnyByteChangesNothing() throws {
        let folder = try TestFolder()
        let store = FileStatusStore(url: folder.url.appendingPathComponent("state.json"))
        try store.save(Self.killed)
        let other = try TestFolder()
        let elsewhere = FileStatusStore(url: other.url.appendingPathComponent("state.json"))
        try elsewhere.save(
            StatusRecord(StatusDocument(isInactive: false, requiresUpdate: false, interval: 9), since: Date(), appVersion: nil))
        let newer = try Data(contentsOf: elsewhere.url)
        for count in 0...newer.count {
            let leftover = folder.url.appendingPathComponent(".state.json.\(UUID().uuidString)")
            try newer.prefix(count).write(to: leftover)
            #expect(try store.load() == Self.killed)
            try FileManager.default.removeItem(at: leftover)
        }
    }

    // MARK: Kills

    /// A process that saves continuously is killed at random moments.
    @Test("A process killed while saving leaves a complete record")
    func killedSaveLeavesRecord() async throws {
        var random = SplitMix64(seed: Seed.of("killed saves", default: 1))
        let home = try TestFolder()
        let file = home.path("state.json")
        let probe = try Products.path("FaultProbe")
        var numbers: Set<Int> = []
        for _ in 0..<25 {
            let program = try RunningProgram(probe, ["save", file], home: home)
            try program.wait(for: "first save") { $0.contains("saving") ? () : nil }
            usleep(UInt32.random(in: 0..<20_000, using: &random))
            program.send(SIGKILL)
            #expect(try program.waitForEnd() == .signalled(SIGKILL))
            numbers.insert(try Self.number(in: #require(try FileStatusStore(url: URL(fileURLWithPath: file)).load())))
        }
        Figures.record("killed while saving: 25 times, records \(numbers.sorted())")
    }

    @Test("Two processes that write the same file always leave a complete record")
    func sharedFileIsAlwaysComplete() async throws {
        let home = try TestFolder()
        let file = home.path("state.json")
        let store = FileStatusStore(url: URL(fileURLWithPath: file))
        let programs = try (0..<2).map { number in
            let own = try TestFolder()
            return (try RunningProgram("FaultProbe", ["save", file], home: own), own, number)
        }
        for (program, _, _) in programs { try program.wait(for: "first save") { $0.contains("saving") ? () : nil } }
        for _ in 0..<300 { _ = try Self.number(in: #require(try store.load())) }
        for (program, _, _) in programs {
            #expect(program.status == nil, "\(program.log)")
            program.send(SIGKILL)
            _ = try program.waitForEnd()
        }
    }

    /// The number of a record that the probe saved; all its fields follow from it.
    private static func number(in record: StatusRecord) throws -> Int {
        let words = (record.message ?? "").split(separator: " ")
        let number = try #require(words.first.flatMap { Int($0) })
        let isKilled = number % 2 == 1
        #expect(record.isInactive == isKilled && record.interval == Double(number))
        #expect(words.last.map(String.init) == String(repeating: isKilled ? "k" : "l", count: isKilled ? 3000 : 10))
        return number
    }

    // MARK: Disks and paths

    @Test func aFullDiskKeepsTheOldRecordAndTheNewKill() async throws {
        let folder = try TestFolder()
        let file = folder.path("state.json")
        let server = try HostileServer(.json(HostileServer.live))
        let arguments = ["check", server.address, "--store", file]
        #expect(try await ProbeReport.of(arguments).all("stage") == ["active"])
        server.reply = .json(Self.killing)
        let report = try await ProbeReport.of(arguments, shell: "trap '' XFSZ; ulimit -f 0")
        #expect(report.status == .exited(0))
        #expect(report.all("stage") == ["killed"])
        #expect(report.all("remark") == ["the status could not be saved: \(file): it can't be written: File too large"])
        #expect(try FileStatusStore(url: URL(fileURLWithPath: file)).load()?.isInactive == false)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.filter { $0.hasPrefix(".state") }.isEmpty, "nothing half written is left: \(names)")
    }

    @Test func aPlaceThatCannotBeWrittenIsARemark() async throws {
        let folder = try TestFolder()
        let obstacle = try folder.write("no folder", to: "obstacle")
        let server = try HostileServer(.json(Self.killing))
        let report = try await ProbeReport.of(["check", server.address, "--store", obstacle + "/below/state.json"])
        #expect(report.status == .exited(0))
        #expect(report.all("stage") == ["killed"])
        #expect(report.all("remark").count == 2)
        #expect(report.all("remark").allSatisfy { $0.contains(obstacle) })
        #expect(folder.text("obstacle") == "no folder")
    }

    @Test(arguments: ["with blanks and 🐎/état", "quote'\"$HOME", String(repeating: "d", count: 200), "-n", "a\nb"])
    func anyNameOfAFolderWorks(name: String) async throws {
        let folder = try TestFolder()
        let file = folder.path(name) + "/state.json"
        let server = try HostileServer(.json(Self.killing))
        let arguments = ["check", server.address, "--store", file]
        #expect(try await ProbeReport.of(arguments).all("remark") == [])
        try server.stop()
        let next = try await ProbeReport.of(arguments)
        #expect(next.all("start") == ["killed"])
        #expect(next.all("stage") == ["killed"])
    }

    @Test("Without free file descriptors the stage is kept and the error names the connection")
    func missingDescriptorsKeepStage() async throws {
        let folder = try TestFolder()
        let server = try HostileServer(.json(Self.killing, headers: ["Connection": "close"]))
        let report = try await ProbeReport.of(
            ["check", server.address, "--store", folder.path("state.json"), "--starve"], shell: "ulimit -n 64"
        )
        #expect(report.status == .exited(0))
        #expect(Set(report.all("stage")) == ["killed"])
        #expect(Set(report.all("status")) == ["killed"])
        #expect(report.lines.last { ["status", "error"].contains($0.subject) }?.subject == "status", "it recovers")
        #expect(report.all("error").count == 1)
        #expect(report.all("error").allSatisfy { $0.contains("connect") })
    }
}
