import Foundation
import TerminalUI
import Testing

@testable import Bellerophon
@testable import Dashboard

/// The display of a status's basis and age.
@Suite struct StandingTests {
    private func session(
        _ freshness: FreshnessPolicy = FreshnessPolicy(), security: TransportSecurity? = .encrypted, verifies: Bool = false
    ) -> DashboardSession {
        DashboardSession(
            isSimulated: false, size: Size(columns: 160, rows: 50), freshness: freshness, security: security, verifies: verifies
        )
    }

    private func proof(_ serial: Int64) -> StatusProof {
        StatusProof(
            keyID: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", serial: serial, issuedAt: .distantPast,
            expiresAt: .distantFuture, signed: Data()
        )
    }

    @Test("Plain HTTP to another machine is marked in the header")
    func plainHTTPIsMarked() {
        var plain = session(security: .plain)
        plain.start()
        plain.reply(.active)
        #expect(plain.header.contains("! http"))
        #expect(plain.lines(with: "trust     ! not signed, plain http").count > 0)
        plain.resize(80, 24)
        #expect(plain.header.contains("! http"), "on a usual terminal too")
        for security in [TransportSecurity.loopback, .encrypted] {
            #expect(!session(security: security).header.contains("! http"))
        }
    }

    @Test func aSignedStatusSaysByWhom() {
        var session = session(verifies: true)
        #expect(session.lines(with: "trust     signed statuses only").count > 0)
        session.start()
        session.reply(.active, proof: proof(42))
        #expect(session.lines(with: "trust     signed by kPrK_qmx, serial 42").count > 0)
        #expect(session.header.contains("  signed"))
    }

    @Test func theHeaderSaysThatStatusesAreNotVerified() {
        var unsigned = session()
        #expect(unsigned.header.contains("  unsigned"))
        unsigned.start()
        unsigned.reply(.active)
        unsigned.resize(80, 24)
        #expect(unsigned.header.contains("  unsigned"), "on a usual terminal too")
        #expect(!session(verifies: true).header.contains("signed"), "nothing signed has come yet")
        let simulated = DashboardSession(size: Size(columns: 160, rows: 50))
        #expect(!simulated.header.contains("signed"), "a simulated server needs no key")
    }

    @Test("A replayed or unsigned status is reported and changes nothing")
    func untrustedDocumentIsShown() {
        var session = session(verifies: true)
        session.start()
        session.reply(.killed, proof: proof(42))
        session.untilCheck()
        session.reply(.active, proof: proof(41))
        #expect(session.header.contains("■ PAUSED"))
        #expect(session.header.contains("! replayed"))
        #expect(session.lines(with: "× replayed, still paused").count > 0)
        session.untilCheck()
        session.fail(.untrusted(.unsigned))
        #expect(session.lines(with: "× unsigned, still paused").count > 0)
    }

    @Test func anOldStatusSaysSo() {
        var session = session(FreshnessPolicy(whenUnknown: .stay, maximumAge: .seconds(3600)))
        session.start()
        session.reply(.killed)
        session.wait(3599)
        #expect(!session.header.contains(" old"))
        session.fail()
        session.wait(1)
        session.growsStale()
        #expect(session.header.contains("■ PAUSED"))
        #expect(session.header.contains("! 1h00m old"))
        #expect(session.lines(with: "stale after 1h00m: state unchanged").count > 0)
        #expect(session.lines(with: "based on  ! 1h00m old; state unchanged").count > 0)
    }

    @Test(arguments: [
        (UnknownPolicy.open, "? UNKNOWN", "paused → unknown", "based on  policy: app runs"),
        (.closed, "■ PAUSED", "stale after 1h00m: app closed", "based on  ! 1h00m old; app closed"),
    ])
    func thePolicyStandsOnTheScreen(policy: UnknownPolicy, badge: String, event: String, basis: String) {
        var session = session(FreshnessPolicy(whenUnknown: policy, maximumAge: .seconds(3600)))
        session.start()
        session.reply(.killed)
        session.wait(3600)
        session.growsStale()
        #expect(session.header.contains(badge))
        #expect(session.lines(with: event).count > 0)
        #expect(session.lines(with: basis).count > 0)
    }

    @Test func aClosedAppIsNoPausedOne() {
        var session = session(FreshnessPolicy(whenUnknown: .closed))
        session.begin()
        #expect(session.header.contains("■ CLOSED"))
        #expect(session.lines(with: "policy: app closed").count > 0)
        session.start()
        session.reply(.active)
        #expect(session.header.contains("● LIVE"))
        #expect(!session.screen.contains("based on"))
    }

    @Test("A status from an earlier run is shown with its age")
    func restoredStatusShowsAge() {
        var session = session()
        session.begin(
            with: RestoredStatus(
                document: StatusDocument(isInactive: true, requiresUpdate: false, interval: 15), age: .seconds(3 * 3600)))
        #expect(session.header.contains("■ PAUSED"))
        #expect(session.lines(with: "based on  the last run, 3h00m old").count > 0)
    }
}
