import Bellerophon
import Foundation
import TestSupport
import Testing

@testable import TerminalGuard

/// The line before the start of a program whose status can't be read.
@MainActor @Suite("A start without a readable status")
struct UncheckedStartTests {
    @Test(
        arguments: [
            (.nothing, nil, "vim is not covered until the status can be read"),
            (.policy, nil, "vim is not covered until the status can be read"),
            (.lastRun, .seconds(3 * 3600 + 240), "the last known status (3 h 4 m old) lets vim run until it can be read"),
            (.bundled, nil, "the status that ships with the settings lets vim run until it can be read"),
        ] as [(StageBasis, Duration?, String)])
    func theLineSaysWhatFailedAndWhatApplies(basis: StageBasis, age: Duration?, rule: String) {
        let line = UncheckedStart(problem: "offline", basis: basis, age: age).line(program: "vim")
        #expect(line == "bellerophon: offline; \(rule)")
    }

    @Test func hostileTextIsOneHarmlessLine() {
        let blind = UncheckedStart(problem: "a\n\u{1B}[2Jb", basis: .nothing, age: nil)
        let line = blind.line(program: "v\u{202E}im\n")
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" })
    }

    private struct Source: StatusSource {
        let result: Result<StatusReply, StatusError>
        let name = "demo.local/status"
        let host = "demo.local"

        func fetchStatus(_ completion: @escaping @Sendable (Result<StatusReply, StatusError>) -> Void) -> StatusCheck {
            completion(result)
            return StatusCheck {}
        }
    }

    /// A manager whose first check has ended.
    private func checked(_ result: Result<StatusReply, StatusError>, _ unknown: UnknownPolicy = .stay) async -> BellerophonManager
    {
        var config = BellerophonConfig(window: nil, source: Source(result: result))
        config.languages = LanguagePreference([])
        config.freshness.whenUnknown = unknown
        let manager = BellerophonManager(config: config, clock: ManualClock(), generator: Halfway())
        await withCheckedContinuation { continuation in
            manager.fetchAppStatus { _ in continuation.resume() }
        }
        return manager
    }

    @Test func aFailedFirstCheckIsBlind() async {
        let manager = await checked(.failure(StatusError(.httpStatus(404))))
        #expect(
            manager.uncheckedStart(waited: nil)?.problem
                == "can't read the status at demo.local: the server replied with HTTP 404")
        let open = await checked(.failure(StatusError(.httpStatus(404))), .open)
        #expect(open.uncheckedStart(waited: nil) != nil)
    }

    @Test func aStatusThatIsKnownOrCoversTheProgramIsNot() async throws {
        for document in [
            #"{"apiInactive":false,"forceUpdate":false,"retryInterval":9}"#,
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":9}"#,
        ] {
            let reply = StatusReply(try StatusDocument(json: Data(document.utf8)))
            #expect(await checked(.success(reply)).uncheckedStart(waited: .seconds(2)) == nil)
        }
        let closed = await checked(.failure(StatusError(.httpStatus(404))), .closed)
        #expect(closed.machine.stage.isBlocked)
        #expect(closed.uncheckedStart(waited: .seconds(2)) == nil, "the view says it")
    }

    @Test func aWaitInVainIsBlindAndNoWaitIsNot() {
        var config = BellerophonConfig(window: nil, source: Source(result: .failure(StatusError(.noStatus))))
        config.languages = LanguagePreference([])
        let manager = BellerophonManager(config: config, clock: ManualClock(), generator: Halfway())
        #expect(manager.uncheckedStart(waited: .seconds(2))?.problem == "no valid status from demo.local within 2 s")
        #expect(manager.uncheckedStart(waited: .zero) == nil)
        #expect(manager.uncheckedStart(waited: nil) == nil)
    }
}
