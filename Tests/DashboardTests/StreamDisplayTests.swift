import Bellerophon
import BellerophonBase
import Foundation
import TerminalUI
import Testing

@testable import Dashboard
@testable import ProgramKit

/// The display of the transport.
@Suite struct StreamDisplayTests {
    @Test func aLivingStreamTakesTheCountdownsPlace() {
        var session = DashboardSession.pushed()
        #expect(session.header.contains("⇅ stream 3s"))
        #expect(session.lines(with: "stream    ⇅ live, heard 3s ago").count == 1)
        #expect(session.lines(with: "publish → paint 12 ms").count == 1)
        session.wait(9)
        #expect(session.header.contains("⇅ stream 12s"))
    }

    @Test func aFallenStreamSaysWhenItIsTriedAgain() {
        let session = DashboardSession.fallenStream()
        #expect(session.header.contains("⇅ down"))
        #expect(session.header.contains("next 00:14"))
        #expect(session.lines(with: "down; retry 00:01").count == 1)
        #expect(DashboardSession.fallenStream(columns: 200, rows: 60).lines(with: "down, polling; retry 00:01").count == 1)
        #expect(session.lines(with: "× stream: silent, retry in 2s").count == 1)
        #expect(session.lines(with: "check after stream loss").count == 1)
    }

    @Test func eventsOfTheStreamAreLogged() {
        let session = DashboardSession.pushed()
        #expect(session.lines(with: "⇅   pushed  131 B  paused").count == 1)
        #expect(session.lines(with: "⇅ stream open, heartbeat 15s").count == 1)
        #expect(session.lines(with: "» resource help.txt version 5").count == 1)
    }

    @Test func aResourcesNameIsSafeToDraw() {
        var session = DashboardSession.pushed()
        session.streamSays("resources", #"{"name":"a\u001b[2Jb","v":1}"#)
        #expect(session.lines(with: "» resource a␛[2Jb version 1").count == 1)
        session.streamSays("x\u{1B}y", "{}")
        #expect(session.screen.contains("» stream event x␛y"))
    }

    @Test("In stream mode the time until the next connection is counted down")
    func streamRetryIsCountedDown() {
        let session = DashboardSession.onlyAStream()
        #expect(session.header.contains("retry 00:02"))
        #expect(!session.screen.contains("polling"))
    }

    @Test(arguments: [
        (0.012, Duration?.some(.seconds(0.012))), (0, .zero), (60, .seconds(60)), (60.5, nil), (-0.1, nil), (3 * 86_400, nil),
    ])
    func thePublishLatencyIsHiddenWhereTheClocksDiffer(seconds: Double, shown: Duration?) {
        let published = Date(timeIntervalSinceReferenceDate: 0)
        let latency = PublishLatency.between(published, and: published + seconds)
        #expect(latency.map { ($0.inSeconds * 1000).rounded() } == shown.map { ($0.inSeconds * 1000).rounded() })
        #expect(PublishLatency.between(nil, and: published) == nil)
    }

    @Test func anOldPublicationIsNotShownAsALatency() {
        var session = DashboardSession.pushed()
        session.push(.killed, paintedAfter: 61_000)
        #expect(!session.screen.contains("publish → paint"))
    }
}
