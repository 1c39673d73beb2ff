import Dispatch
import Foundation
import Logging
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import BellerophonServer
@testable import BellerophonStore

/// The health reports for monitoring.
@Suite struct HealthTests {
    @Test func readiness() {
        func readiness(
            isInPlace: Bool = true, isReadable: Bool = true, lookAge: TimeAmount = .seconds(9), writeProblem: String? = nil
        ) -> Readiness {
            Readiness(isInPlace: isInPlace, isReadable: isReadable, lookAge: lookAge, writeProblem: writeProblem)
        }
        #expect(readiness().json == #"{"ready":true}"#)
        #expect(readiness(isInPlace: false).reasons == ["the store's file was moved or replaced; restart the server"])
        #expect(readiness(lookAge: .milliseconds(12_500)).reasons == ["the store was not looked at for 12 s"])
        #expect(Readiness(isInPlace: true, isReadable: true, lookAge: .zero, writeProblem: nil, damagedFiles: 2).isReady == false)
        let all = readiness(isReadable: false, lookAge: .seconds(10), writeProblem: "the disk is full")
        #expect(!all.isReady)
        #expect(
            all.json == #"{"ready":false,"reasons":["the store can't be read","#
                + #""the store was not looked at for 10 s","the disk is full"]}"#)
    }

    @Test("Requests that wait for a disk that hangs keep no figures and no status waiting")
    func hangingDisk() async throws {
        let folder = try TestFolder()
        let (hangs, waiting, disk) = (Watched(false), Watched(0), DispatchSemaphore(value: 0))
        let store = try Store(
            folder: folder.url.appendingPathComponent("store"), creates: true,
            freeBytes: {
                guard hangs.value else { return nil }
                waiting.update { $0 += 1 }
                disk.wait()
                disk.signal()
                return nil
            })
        try await LiveServer.run(store: store) { live in
            let token = try await live.token()
            await live.server.refresh()
            hangs.update { $0 = true }
            let uploads = try (0..<4).map { number in
                let client = try WireClient(port: live.port)
                try client.begin("/v1/resources/r\(number)", 3, token: token, body: "one")
                return client
            }
            // The regular look at the disk may be one of them.
            _ = try await waiting.wait(for: "uploads that wait") { $0 >= 4 ? true : nil }
            try await live.talk { client throws in
                #expect(try client.answer(to: "/metrics").body.contains("bellerophon_build_info"))
                #expect(try client.answer(to: "/status").code == 200)
            }
            hangs.update { $0 = false }
            disk.signal()
            for client in uploads { #expect(try client.answer().code == 201) }
        }
    }

    @Test("A server that shows a row which it can't read says so, from then on, and is ready again after a row that it can read")
    func unreadRow() async throws {
        let log = LogLines()
        try await LiveServer.run(log: log) { live in
            let store = live.store
            _ = try await store.publish(Publication(action: .kill), by: "ada")
            try await store.database.writeHere { database in
                // A newer version writes the status again, in its own words.
                let row = try #require(try JournalTable(database: database).newestRow(of: .main))
                _ = try JournalTable(database: database).append(
                    JournalEntry(
                        at: row.at, who: "newer", action: "freeze", app: "default", channel: "main", document: row.document,
                        author: "newer"))
            }
            let token = try await live.token()
            await live.server.publisher.refresh()
            try await live.talk { client in
                #expect(try client.answer(to: "/status").body.contains(#""apiInactive":true"#))
                let ready = try client.answer(to: "/ready")
                #expect(ready.code == 503 && ready.body.contains("rows this version can't read"), "\(ready.body)")
                let answer = try client.put("/status", #"{"action":"restore"}"#, token: token)
                #expect(answer.code == 503 && answer.body.contains("can't be read by this version"), "\(answer.body)")
                let kill = #"{"action":"kill","reason":"fire"}"#
                #expect(try client.put("/status?review=true&breakGlass=true", kill, token: token).code == 200)
                #expect(try client.put("/status?breakGlass=true", kill, token: token).code == 201)
                #expect(try client.answer(to: "/ready").code == 200)
            }
        }
        #expect(
            log.entries.contains {
                $0.message.contains("can't be read by this version") && $0.fields["what"]?.contains("freeze") == true
            })
    }

    @Test func theServerSaysWhetherItIsReady() async throws {
        try await LiveServer.run { live in
            let file = live.store.folder.appendingPathComponent("store.sqlite")
            let aside = live.folder.url.appendingPathComponent("aside.sqlite")
            try await live.talk { client in
                let ready = try client.answer(to: "/ready")
                #expect(ready.code == 200)
                #expect(ready.body == #"{"ready":true}"#)
                #expect(ready.field("Cache-Control") == "no-store")
                let figures = try client.answer(to: "/metrics").body
                #expect(figures.contains("\nbellerophon_store_readable 1\n"))
                #expect(figures.contains("\nbellerophon_store_writable 1\n"))
                #expect(figures.firstMatch(of: /\nbellerophon_store_free_bytes [1-9]\d*\n/) != nil)
            }
            try FileManager.default.moveItem(at: file, to: aside)
            let answer = try await eventually("answer that it is not ready") {
                let answer = try await live.talk { try $0.answer(to: "/ready") }
                return answer.code == 503 ? answer : nil
            }
            #expect(answer.body == #"{"ready":false,"reasons":["the store's file was moved or replaced; restart the server"]}"#)
            try FileManager.default.moveItem(at: aside, to: file)
            try await eventually("answer that it is ready again") {
                try await live.talk { try $0.answer(to: "/ready") }.code == 200 ? true : nil
            }
        }
    }

    // MARK: The store

    @Test(
        "However many ask, a store is tried once a second, and a shared one every five seconds",
        arguments: [(false, TimeAmount.seconds(1)), (true, .seconds(5))])
    func attemptsAreLimited(isShared: Bool, interval: TimeAmount) async throws {
        let rig = try Rig()
        if isShared { rig.content.share(leads: true) }
        for _ in 1...5 { #expect(await rig.health.writeProblem() == nil) }
        rig.clock.advance(interval - .milliseconds(1))
        _ = await rig.health.writeProblem()
        #expect(rig.content.state.value.checks == 1)
        rig.clock.advance(.milliseconds(1))
        _ = await rig.health.writeProblem()
        #expect(rig.content.state.value.checks == 2)
    }

    @Test("A write failure is logged once, and its recovery is logged once")
    func writeFailureIsLoggedOnce() async throws {
        let rig = try Rig()
        #expect(await rig.health.isWritable == nil, "it was not tried yet")
        for fails in [true, true, false, false] {
            rig.content.state.update { $0.checksFail = fails }
            #expect(await rig.health.writeProblem() == (fails ? "the store can't be written" : nil))
            #expect(await rig.health.isWritable == !fails)
            rig.clock.advance(.seconds(1))
        }
        #expect(
            rig.lines.entries.map { "\($0.level): \($0.message)" } == [
                "error: the store can't be written; nothing can be published", "notice: the store can be written again",
            ])
    }

    @Test func aWriteThatHasFailedCountsWithoutACheck() async throws {
        let rig = try Rig()
        #expect(await rig.health.writeProblem() == nil)
        let full = #expect(throws: StoreError.self) { try Store(folder: URL(fileURLWithPath: "/dev/null")) }
        rig.content.state.update { $0.writeTrouble = full }
        #expect(await rig.health.writeProblem() == "the store can't be written")
        #expect(await rig.health.isWritable == false)
        #expect(rig.content.state.value.checks == 1, "the last check was less than a second ago")
        rig.content.state.update { $0.writeTrouble = nil }
        #expect(await rig.health.writeProblem() == nil)
        #expect(await rig.health.isWritable == true)
    }

    @Test func aStoreThatDoesNotAnswerIsToldWithoutAWait() async throws {
        let rig = try Rig()
        rig.content.state.update { $0.checksWait = true }
        let health = rig.health
        async let first = health.writeProblem()
        try await eventually("check") { rig.content.state.value.checks == 1 ? true : nil }
        rig.clock.advance(.seconds(2))
        #expect(await health.writeProblem() == "a write to the store has been pending for seconds")
        rig.content.gate.signal()
        #expect(await first == nil)
        #expect(rig.content.state.value.checks == 1)
    }

    @Test func aDiskThatFillsIsToldBeforeItIsFull() async throws {
        let rig = try Rig()
        let least = StoreHealth.least
        for free in [least, least - 1, 5, least - 1, least, least + 1] {
            rig.content.state.update { $0.freeBytes = free }
            _ = await rig.health.writeProblem()
            #expect(await rig.health.freeBytes == free)
            rig.clock.advance(.seconds(1))
        }
        #expect(rig.lines.entries.map(\.level) == [.warning, .notice])
        #expect(rig.lines.entries.map { $0.fields["free"] } == ["\(least - 1)", "\(least)"])
    }

    /// A store's health check on a store that the test can break.
    private struct Rig {
        private let folder: TestFolder
        let content: FailingContent
        let clock = ManualTime()
        let lines = LogLines()
        let health: StoreHealth

        init() throws {
            folder = try TestFolder()
            content = FailingContent(try Store(folder: folder.url.appendingPathComponent("store"), creates: true))
            let (clock, lines) = (clock, lines)
            health = StoreHealth(content, logger: Logger(label: "test") { _ in lines }, clock: { clock.now })
        }
    }

    private final class ManualTime: Sendable {
        private let time = Mutex(NIODeadline.uptimeNanoseconds(1_000_000_000_000))
        var now: NIODeadline { time.withLock { $0 } }
        func advance(_ amount: TimeAmount) { time.withLock { $0 = $0 + amount } }
    }
}
