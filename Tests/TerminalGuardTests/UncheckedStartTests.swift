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
            (
                UncheckedStart.Cause.failure("the server replied with HTTP 404"), StageBasis.nothing, nil,
                "bellerophon: can't read the status at demo.local: the server replied with HTTP 404; vim is not covered until the "
                    + "status can be read"
            ),
            (
                .silence(.seconds(2)), .policy, nil,
                "bellerophon: no valid status from demo.local within 2 s; vim is not covered until the status can be read"
            ),
            (
                .failure("offline"), .lastRun, .seconds(3 * 3600 + 240),
                "bellerophon: can't read the status at demo.local: offline; the last known status (3 h 4 m old) lets vim run until it can "
                    + "be read"
            ),
            (
                .failure("offline"), .bundled, nil,
                "bellerophon: can't read the status at demo.local: offline; the status that ships with the settings lets vim run until "
                    + "it can be read"
            ),
        ] as [(UncheckedStart.Cause, StageBasis, Duration?, String)])
    func theLineSaysWhatFailedAndWhatApplies(cause: UncheckedStart.Cause, basis: StageBasis, age: Duration?, line: String) {
        #expect(UncheckedStart(cause: cause, host: "demo.local", basis: basis, age: age).line(program: "vim") == line)
    }

    @Test func hostileTextIsOneHarmlessLine() {
        let blind = UncheckedStart(cause: .failure("a\n\u{1B}[2Jb"), host: "h", basis: .nothing, age: nil)
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
        #expect(manager.uncheckedStart(waited: nil)?.cause == .failure("the server replied with HTTP 404"))
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
        let config = BellerophonConfig(window: nil, source: Source(result: .failure(StatusError(.noStatus))))
        let manager = BellerophonManager(config: config, clock: ManualClock(), generator: Halfway())
        #expect(manager.uncheckedStart(waited: .seconds(2))?.cause == .silence(.seconds(2)))
        #expect(manager.uncheckedStart(waited: .zero) == nil)
        #expect(manager.uncheckedStart(waited: nil) == nil)
    }
}
