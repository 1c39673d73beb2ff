import Foundation
import Testing

@testable import CloudBox

@Suite("The sync machine")
struct SyncMachineTests {
    private let a = URL(fileURLWithPath: "/a")
    private let b = URL(fileURLWithPath: "/b")

    private func machine(have: Int64? = 3, at digest: Digest? = nil, resumptions: Int = 1) -> SyncMachine {
        SyncMachine(servers: [a, b], have: have, digestAtHand: digest, resumptions: resumptions)
    }

    private func meta(_ version: Int64, _ text: String? = nil, size: Int64? = nil) -> ResourceMeta {
        ResourceMeta(version: version, url: a, sha256: text.flatMap { Digest(.sha256, of: Data($0.utf8)) }, size: size)
    }

    @Test("A sync ends at the first server that has the installed version")
    func currentVersionEndsSync() {
        var machine = machine()
        #expect(machine.start() == .fetchMeta(server: a))
        #expect(machine.handle(.document(meta(3)), from: a) == .finish(.unchanged))
    }

    @Test("A sync asks the next server when one is outdated and ends unchanged when all are")
    func outdatedServerIsSkipped() {
        var machine = machine()
        _ = machine.start()
        #expect(machine.handle(.document(meta(2)), from: a) == .fetchMeta(server: b))
        #expect(machine.handle(.notModified(version: 1), from: b) == .finish(.unchanged))
    }

    @Test("A sync ends unchanged when one server fails and the other is outdated")
    func failingServerIsTolerated() {
        var machine = machine()
        _ = machine.start()
        _ = machine.handle(.failed(.httpStatus(500)), from: a)
        #expect(machine.handle(.document(meta(2)), from: b) == .finish(.unchanged))
    }

    @Test("A newer version that cannot be downloaded is reported as a failure")
    func missingNewVersionIsReported() {
        var machine = machine()
        _ = machine.start()
        let order = SyncMachine.Order(server: a, meta: meta(4))
        #expect(machine.handle(.document(meta(4)), from: a) == .fetchFile(order))
        #expect(machine.handle(.failed(.httpStatus(404)), for: order) == .fetchMeta(server: b))
        #expect(machine.handle(.document(meta(3)), from: b) == .finish(.failed(.httpStatus(404))))
    }

    @Test func installsVersion0WhereNothingIsAtHand() {
        var machine = machine(have: nil)
        _ = machine.start()
        let order = SyncMachine.Order(server: a, meta: meta(0))
        #expect(machine.handle(.document(meta(0)), from: a) == .fetchFile(order))
        let whole = SyncMachine.FileAnswer.complete(size: 1, digests: [], version: nil, wasResumed: false)
        #expect(machine.handle(whole, for: order) == .install(order, version: 0))
    }

    @Test("A cut transfer resumes only after progress and only up to its limit")
    func cutTransferResumesOnce() {
        var machine = machine()
        _ = machine.start()
        let order = SyncMachine.Order(server: a, meta: meta(4))
        _ = machine.handle(.document(meta(4)), from: a)
        let cut = SyncMachine.FileAnswer.cut(.transport("cut"), hasProgress: true)
        #expect(machine.handle(cut, for: order) == .fetchFile(order))
        #expect(machine.handle(cut, for: order) == .fetchMeta(server: b))
        let other = SyncMachine.Order(server: b, meta: meta(4))
        _ = machine.handle(.document(meta(4)), from: b)
        #expect(
            machine.handle(.cut(.transport("cut"), hasProgress: false), for: other)
                == .finish(
                    .failed(
                        .allServersFailed([
                            .init(server: a, reason: .transport("cut")), .init(server: b, reason: .transport("cut")),
                        ]))))
    }

    @Test("No other server is asked after a disk error or a cancellation")
    func localFailureAsksNoServer() {
        for reason in [CloudBoxError.Reason.disk("full"), .cancelled] {
            var machine = machine()
            _ = machine.start()
            _ = machine.handle(.document(meta(4)), from: a)
            let order = SyncMachine.Order(server: a, meta: meta(4))
            #expect(machine.handle(.failed(reason), for: order) == .finish(.failed(reason)))
        }
    }

    @Test func checksTheSizeToo() {
        var machine = machine()
        _ = machine.start()
        let order = SyncMachine.Order(server: a, meta: meta(4, size: 10))
        _ = machine.handle(.document(meta(4, size: 10)), from: a)
        let short = SyncMachine.FileAnswer.complete(size: 9, digests: [], version: nil, wasResumed: false)
        #expect(machine.handle(short, for: order) == .fetchMeta(server: b))
        #expect(
            machine.handle(.failed(.httpStatus(404)), from: b)
                == .finish(
                    .failed(
                        .allServersFailed([
                            .init(server: a, reason: .wrongSize(expected: 10, got: 9)),
                            .init(server: b, reason: .httpStatus(404)),
                        ]))))
    }
}

@Suite("The health of servers")
struct ServerHealthTests {
    private let servers = ["a", "b", "c"].map { URL(fileURLWithPath: "/\($0)") }
    private let start = ContinuousClock.now

    @Test("Servers keep their configured order until their health is known")
    func unknownServersKeepOrder() {
        #expect(ServerHealth().ranked(servers, at: start) == servers)
    }

    @Test func rests() {
        var health = ServerHealth()
        var rests: [Duration] = []
        for _ in 0..<10 {
            health.failed(servers[0], at: start, chance: 1)
            rests.append(start.duration(to: health.records[servers[0]]?.restsUntil ?? start))
        }
        #expect(rests == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { .seconds($0) })
        health.failed(servers[1], at: start, chance: 0)
        #expect(health.records[servers[1]]?.restsUntil == start + .seconds(1))
        #expect(health.ranked(servers, at: start) == [servers[2], servers[1], servers[0]])
        #expect(health.ranked(servers, at: start + .seconds(301)) == servers)
        health.answered(servers[0], after: .zero)
        #expect(health.records[servers[0]]?.failures == 10)
        health.succeeded(servers[0])
        #expect(health.records[servers[0]]?.failures == 0)
        #expect(health.records[servers[0]]?.restsUntil == nil)
    }

    @Test("The delay for a damaged file grows fourfold each time, up to six hours")
    func damagedFileDelayGrows() throws {
        let meta = ResourceMeta(version: 2, url: servers[0], sha256: Digest(.sha256, of: Data("two".utf8)), size: 3)
        var damaged = DamagedFile(meta, .wrongSize(expected: 3, got: 4), at: start)
        var rests = [start.duration(to: damaged.restsUntil)]
        for _ in 0..<6 {
            damaged.failed(.wrongSize(expected: 3, got: 4), at: start)
            rests.append(start.duration(to: damaged.restsUntil))
        }
        #expect(rests == [60, 240, 960, 3840, 15_360, 21_600, 21_600].map { .seconds($0) })
        #expect(damaged.isFile(of: meta))
        for other in [
            ResourceMeta(version: 3, url: meta.url, sha256: meta.sha256, size: 3),
            ResourceMeta(version: 2, url: meta.url, sha256: Digest(.sha256, of: Data("new".utf8)), size: 3),
            ResourceMeta(version: 2, url: meta.url, sha256: meta.sha256, size: 4),
        ] { #expect(!damaged.isFile(of: other)) }
    }

    @Test func asksTheFastestFirst() {
        var health = ServerHealth()
        health.answered(servers[0], after: .milliseconds(90))
        health.answered(servers[1], after: .milliseconds(10))
        health.answered(servers[2], after: .milliseconds(50))
        #expect(health.ranked(servers, at: start) == [servers[1], servers[2], servers[0]])
    }
}
