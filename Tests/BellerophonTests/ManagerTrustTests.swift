import Bellerophon
import Foundation
import Synchronization
import TestSupport
import Testing

/// Accepts documents of the form `signed SERIAL {…}` while the key is trusted.
struct StubVerifier: StatusVerifier {
    var trustsKey = true

    func verify(status bytes: Data, at date: Date?) throws(TrustError) -> VerifiedStatus {
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 2)
        guard parts.count == 3, parts[0] == "signed", let serial = Int64(parts[1]) else { throw .unsigned }
        guard trustsKey else { throw .unknownKey("stub") }
        let proof = StatusProof(
            keyID: "stub", serial: serial, issuedAt: .distantPast, expiresAt: .distantFuture, signed: bytes
        )
        return VerifiedStatus(document: Data(parts[2].utf8), proof: proof)
    }
}

extension ClosureSource {
    /// A source that always returns the same reply; none for an empty text.
    static func scripted(_ answer: String, verifier: (any StatusVerifier)?) -> ClosureSource {
        ClosureSource(name: "stub/status.jws", host: "stub", verifier: verifier) { completion in
            let metadata = ExchangeMetadata(httpStatus: answer.isEmpty ? 503 : 200)
            var reader = StatusReader(verifier: verifier)
            completion(reader.read(StatusExchange(metadata: metadata, body: Data(answer.utf8)), earlier: nil))
        }
    }
}

@MainActor
@Suite("Manager: whom it believes, over restarts too")
struct ManagerTrustTests {
    private static let kill = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":5,"userMessage":"Stop."}"#
    private static let live = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":5,"userMessage":null}"#

    private let window = RecordingWindow()
    private let kill = NamedView("kill")

    /// One run of the app, with a single check.
    private func run(
        _ answer: String, _ store: (any StatusStore)?, verifier: (any StatusVerifier)? = StubVerifier(),
        given: StatusDocument? = nil, bundled: String? = nil, version: String = "1.0"
    ) -> (shown: String?, failure: String?, reports: [StatusReport]) {
        let window = RecordingWindow()
        let source = ClosureSource.scripted(answer, verifier: verifier)
        var config = BellerophonConfig(window: window, killSwitchView: kill, source: source)
        config.store = store
        config.bundledStatus = bundled.map { Data($0.utf8) }
        config.app = AppInfo(name: "app", version: version)
        let manager = BellerophonManager(config: config, clock: ManualClock(), generator: SplitMix64(seed: 1))
        var reports: [StatusReport] = []
        manager.onReport = { reports.append($0) }
        if let given { manager.updateDisplay(given) }
        manager.checkAppStatus()
        manager.suspend()
        return (window.shown, manager.machine.failure?.shortText, reports)
    }

    @Test func aReplayedAllClearLiftsNoKillAfterARestart() {
        let store = MemoryStore()
        #expect(run("signed 2 \(Self.kill)", store).shown == "kill")
        let replay = run("signed 1 \(Self.live)", store)
        #expect(replay.shown == "kill")
        #expect(replay.failure == "replayed")
        #expect(run("signed 3 \(Self.live)", store).shown == nil)
        #expect(run("signed 2 \(Self.kill)", store).shown == nil, "and a replayed kill blocks nothing again")
    }

    @Test("After a restart a different status with a known serial is refused")
    func reusedSerialIsRefused() throws {
        let folder = try TestFolder()
        let store = FileStatusStore(url: folder.url.appendingPathComponent("status.json"))
        #expect(run("signed 2 \(Self.kill)", store).shown == "kill")
        let other = run("signed 2 \(Self.live)", store)
        #expect(other.shown == "kill")
        #expect(other.failure == "serial reused")
        // The record of a status passed in by the app contains the signed document too.
        _ = run("", store, given: StatusDocument(isInactive: true, requiresUpdate: false, interval: 5))
        #expect(run("signed 2 \(Self.live)", store).failure == "serial reused")
        let sameInOtherBytes = Self.kill.replacingOccurrences(of: ",", with: ", ")
        #expect(run("signed 2 \(sameInOtherBytes)", store).failure == nil)
    }

    @Test("After an app update ends a stored update, its serial still belongs to that status")
    func newVersionKeepsSerial() {
        let store = MemoryStore()
        let update = #"{"apiInactive":false,"forceUpdate":true,"retryInterval":5,"userMessage":null}"#
        _ = run("signed 2 \(update)", store)
        #expect(run("signed 2 \(update)", store, version: "2.0").failure == nil)
        #expect(run("signed 2 \(Self.live)", store, version: "3.0").failure == "serial reused")
    }

    @Test("A status given by the app does not make an older signed status acceptable")
    func givenStatusAllowsNoReplay() {
        let store = MemoryStore()
        _ = run("signed 2 \(Self.kill)", store)
        _ = run("", store, given: StatusDocument(isInactive: false, requiresUpdate: false, interval: 5))
        #expect(run("signed 1 \(Self.kill)", store).failure == "replayed")
        #expect(run("", store, given: nil).shown == nil, "the app's own word is kept")
    }

    @Test("A bundled status counts only if it is newer than the last signed status")
    func olderBundledStatusIsIgnored() {
        let store = MemoryStore()
        _ = run("signed 9 \(Self.kill)", store)
        _ = run("", store, given: StatusDocument(isInactive: false, requiresUpdate: false, interval: 5))
        #expect(run("", store, bundled: "signed 5 \(Self.kill)").shown == nil)
        #expect(run("", store, bundled: "signed 10 \(Self.kill)").shown == "kill", "one that was published later is")
    }

    @Test("An unsigned stored status is ignored when signatures are required")
    func unsignedRecordIsIgnored() {
        let store = MemoryStore()
        #expect(run(Self.kill, store, verifier: nil).shown == "kill")
        let strict = run("", store)
        #expect(strict.shown == nil)
        #expect(strict.reports.remarks.contains { $0.contains("not signed") })
    }

    @Test("A stored status with an untrusted key does not prevent its replacement")
    func untrustedRecordDoesNotBlock() throws {
        let folder = try TestFolder()
        let store = FileStatusStore(url: folder.url.appendingPathComponent("status.json"))
        _ = run("signed 9007199254740991 \(Self.live)", store)
        // The key of the record was stolen, and is no longer trusted.
        let other = StubVerifier(trustsKey: false)
        #expect(run("", store, verifier: other).reports.remarks.contains { $0.contains("not trusted here") })
        struct NewKey: StatusVerifier {
            func verify(status bytes: Data, at date: Date?) throws(TrustError) -> VerifiedStatus {
                guard !bytes.starts(with: Data("signed 9".utf8)) else { throw .unknownKey("old") }
                return try StubVerifier().verify(status: bytes, at: date)
            }
        }
        #expect(run("signed 7 \(Self.kill)", store, verifier: NewKey()).shown == "kill")
        #expect(run("", store, verifier: NewKey()).shown == "kill", "it was kept, and stands without a network")
    }

    @Test("A status from an unsigned source is refused when signatures are required")
    func unsignedSourceIsRefused() {
        let window = RecordingWindow()
        var config = BellerophonConfig(
            window: window, killSwitchView: kill, source: ClosureSource.scripted(Self.kill, verifier: nil))
        config.verifier = StubVerifier()
        let manager = BellerophonManager(config: config, clock: ManualClock(), generator: SplitMix64(seed: 1))
        manager.checkAppStatus()
        #expect(window.shown == nil)
        #expect(manager.machine.failure?.reason == .untrusted(.unsigned))
    }
}
