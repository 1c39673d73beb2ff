import Barricade
import Bellerophon
import TerminalUI

extension DashboardSession {
    /// An hour's history in short: active, one failure, a pause, active again.
    /// The rules of the planned window: all states that a rule can have for version 1.4.0 at 14:00.
    static let rules = #"""
        {"apiInactive":false,"forceUpdate":false,"retryInterval":15,"rules":[
         {"id":"min-13","effect":"update","only":{"versions":[{"below":"1.3.0"}]},"to":"1.5.2"},
         {"id":"mw-0309","effect":"pause","announce":"2024-03-09T12:00:00Z","from":"2024-03-09T14:02:00Z",
          "until":"2024-03-09T15:30:00Z","message":"We are moving the disks."},
         {"id":"ro","effect":"notice","level":"warn","message":"Search is read-only."},
         {"id":"old","effect":"notice","until":"2024-03-09T10:00:00Z"},
         {"id":"beta","effect":"offer","except":[{"is":{"site":["ward"]}}],"to":"1.6.0"},
         {"id":"later","effect":"explode"}]}
        """#

    /// A status with rules, a minute before its window begins.
    static func planned(columns: Int = 80, rows: Int = 24) throws -> DashboardSession {
        var session = DashboardSession(isSimulated: false, size: Size(columns: columns, rows: rows))
        session.start()
        try session.reply(rules)
        session.wait(6)
        return session
    }

    /// The window has begun, without a reply.
    static func inTheWindow(columns: Int = 80, rows: Int = 24) throws -> DashboardSession {
        var session = try planned(columns: columns, rows: rows)
        for _ in 0..<7 {
            session.untilCheck()
            try session.reply(rules)
        }
        // The check that begins at the same time is not answered.
        session.wait(16)
        session.planTimerFires()
        return session
    }

    static func afterAPause(isSimulated: Bool = true, columns: Int = 80, rows: Int = 24) -> DashboardSession {
        var session = DashboardSession(isSimulated: isSimulated, size: Size(columns: columns, rows: rows))
        session.start()
        for latency in [38, 35, 62, 41, 36, 33, 118, 40, 37, 44] {
            session.reply(.active, latency: latency, bytes: 78)
            session.untilCheck()
        }
        session.fail()
        session.untilCheck()
        session.reply(.active, latency: 52, bytes: 78)
        session.untilCheck()
        for latency in [45, 43, 61, 39] {
            session.reply(.killed, message: "Back around 14:30 UTC.", latency: latency, bytes: 131)
            session.untilCheck()
        }
        for latency in [36, 39, 220, 41] {
            session.reply(.active, latency: latency, bytes: 78)
            session.untilCheck()
        }
        session.reply(.active, latency: 37, bytes: 78)
        session.wait(6)
        return session
    }

    /// An outage in four steps, and a repeating timeline.
    static let timelines = [
        Timeline(
            "planned maintenance", summary: "an announced pause", request: "status",
            steps: [
                .init("live", .lasting(.seconds(10)), note: "all is well"),
                .init("HTTP 503", .times(3), note: "busy; the app stays live"),
                .init("paused", .lasting(.seconds(30)), note: "the announced window"),
                .init("update required", note: "until you continue"),
            ]
        ),
        Timeline(
            "flapping", summary: "up and down", request: "status",
            steps: [.init("live", .lasting(.seconds(5))), .init("paused", .lasting(.seconds(5)))], repeats: true
        ),
    ]

    /// A timeline that was just started with Enter in the Scenarios pane.
    static func playing(hasPicker: Bool = true, columns: Int = 80, rows: Int = 24) -> DashboardSession {
        var session = DashboardSession(
            hasPicker: hasPicker, timelines: timelines, size: Size(columns: columns, rows: rows)
        )
        session.start()
        session.answer()
        session.press(.home, .enter)
        session.answer()
        return session
    }

    /// A live stream that has delivered a pause and its end.
    static func pushed(columns: Int = 80, rows: Int = 24) -> DashboardSession {
        var session = DashboardSession(isSimulated: false, size: Size(columns: columns, rows: rows))
        session.start()
        session.reply(.active, latency: 40, bytes: 78)
        session.streamOpens()
        session.wait(14)
        session.heartbeat()
        session.wait(7)
        session.push(.killed, message: "Back soon.", paintedAfter: 9)
        session.wait(31)
        session.push(.active, paintedAfter: 12)
        session.streamSays("resources", #"{"name":"help.txt","v":5}"#)
        session.heartbeat()
        session.wait(3)
        return session
    }

    /// The stream has failed, and polling continues.
    static func fallenStream(columns: Int = 80, rows: Int = 24) -> DashboardSession {
        var session = pushed(columns: columns, rows: rows)
        session.streamFalls(.silent(for: .seconds(45)))
        session.reply(.active, latency: 44, bytes: 78)
        session.wait(1)
        return session
    }

    /// Only a stream, which cannot be reached.
    static func onlyAStream(columns: Int = 80, rows: Int = 24) -> DashboardSession {
        var session = DashboardSession(isSimulated: false, size: Size(columns: columns, rows: rows))
        session.onlyListens()
        session.streamOpens()
        session.push(.active, paintedAfter: 20)
        session.wait(60)
        session.streamFalls()
        return session
    }

    /// Paused, and the server no longer replies.
    static func failingWhilePaused(columns: Int = 80, rows: Int = 24) -> DashboardSession {
        var session = DashboardSession(isSimulated: false, size: Size(columns: columns, rows: rows))
        session.start()
        session.reply(.active, latency: 40, bytes: 78)
        session.untilCheck()
        session.reply(.killed, interval: -3, message: "Back soon.", latency: 44, bytes: 102)
        session.untilCheck()
        session.fail()
        session.untilCheck()
        session.fail(
            .httpStatus(500),
            metadata: ExchangeMetadata(httpStatus: 500, latency: .milliseconds(29), bytes: 22, excerpt: "Internal Server Error\n")
        )
        session.untilCheck()
        session.fail(.transport(code: -1004, message: "Could not connect to the server."))
        session.wait(1)
        return session
    }
}
