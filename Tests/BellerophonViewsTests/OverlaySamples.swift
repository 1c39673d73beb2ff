import Bellerophon
import Foundation
import TerminalUI
import TestSupport

/// The contents of the golden files.
enum OverlaySamples {
    /// 2026-03-14 13:58:40 UTC.
    static let since = Date(timeIntervalSince1970: 1_773_496_720)

    static func metadata(
        _ status: Int = 200, excerpt: String = #"{"apiInactive": true, "retryInterval": 15}"#
    ) -> ExchangeMetadata {
        ExchangeMetadata(httpStatus: status, latency: .milliseconds(41), bytes: 118, excerpt: excerpt)
    }

    static let paused = {
        var content = OverlayContent(
            stage: .killed, app: AppInfo(name: "example", version: "1.4.0"), source: "demo.local/status",
            host: "demo.local",
            message: "We are moving the catalogue to a new home.\nNothing you did is lost. Back around 14:30 UTC.",
            countdown: .init(remaining: .milliseconds(8_600), total: .seconds(15)), attempt: 4,
            lastAnswer: .init(date: since.addingTimeInterval(211), age: .seconds(6), metadata: metadata()), since: since,
            timeZone: TimeZone(secondsFromGMT: 0) ?? .current
        )
        content.interval = NextCheck(due: MonotonicInstant(), wait: .seconds(15), origin: .server)
        return content
    }()

    static func paused(_ change: (inout OverlayContent) -> Void) -> OverlayContent {
        var content = paused
        change(&content)
        return content
    }

    static func guarded(_ program: CoveredProgram) -> OverlayContent {
        paused { content in
            content.app = AppInfo(name: "vim")
            content.program = program
        }
    }

    static let pushed = paused { content in
        content.countdown = nil
        content.isListening = true
        content.interval = NextCheck(due: MonotonicInstant(), wait: .seconds(284), origin: .safety)
        content.lastAnswer?.metadata = ExchangeMetadata(
            bytes: 118, excerpt: #"{"apiInactive": true, "retryInterval": 15}"#, isPushed: true, eventID: "42-9f3c02ab"
        )
    }

    static let closed = paused { content in
        content.message = nil
        content.lastAnswer = nil
        content.attempt = 2
        content.failures = 2
        content.failure = "connection refused"
        content.standing.basis = .policy
    }

    static let stale = paused { content in
        content.lastAnswer = nil
        content.standing.basis = .lastRun
        content.standing.age = .seconds(9 * 86_400 + 4 * 3600)
        content.standing.isStale = true
    }

    static let signed = paused { content in
        content.standing.security = .plain
        content.standing.proof = StatusProof(
            keyID: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", serial: 1_773_496_720_000, issuedAt: since,
            expiresAt: since.addingTimeInterval(86_400), signed: Data()
        )
    }

    static let update = paused { content in
        content.stage = .updateRequired
        content.app = AppInfo(
            name: "example", version: "1.4.0", link: nil, updateCommand: "sudo apt install example"
        )
        content.message = "This version can no longer talk to the server."
        content.requiredVersion = "1.5.2"
        content.link = "https://demo.local/get"
        content.countdown = .init(remaining: .milliseconds(40_200), total: .seconds(60))
        content.interval = NextCheck(due: MonotonicInstant(), wait: .seconds(60), origin: .server)
    }

    static func update(_ change: (inout OverlayContent) -> Void) -> OverlayContent {
        var content = update
        change(&content)
        return content
    }

    static let updateOfNothingKnown = OverlayContent(
        stage: .updateRequired, app: AppInfo(name: "example"), source: "demo.local/status", host: "demo.local",
        timeZone: TimeZone(secondsFromGMT: 0) ?? .current
    )

    static let longMessage = """
        Dear users, the storage cluster that holds the catalogue lost two of its five machines this morning at \
        09:12 UTC. We have stopped all writing programs, this one included, so that nothing you do can be lost \
        half-way.

        What we know: all data written before 09:10 UTC is safe on the three remaining machines. Between 09:10 and \
        09:12 a few hundred changes were accepted but not yet copied; we are reading them back from the disks.

        What happens next:
        - 14:00 UTC  the fourth machine is back and copying
        - 15:00 UTC  reading works again, this program can be opened
        - 16:30 UTC  writing works again

        You need not do anything. This program asks every fifteen seconds and goes on by itself, with everything \
        as you left it. If you have unsaved text in another program, save it there.

        Questions: the operators are in the usual channel, day and night.
        """

    static let chineseMessage = """
        目录服务正在迁移到新的机房，暂时无法使用。您已经保存的内容不会丢失，程序会在服务恢复后自动继续（预计北京时间二十二点三十分）。\
        如有紧急情况，请联系值班工程师。
        """

    /// Sanitised text with emoji, right-to-left text, stacked marks and an imitated overlay border and key hint.
    static let hostileMessage = TextSanitizer.sanitize(
        """
        \u{1B}[2J\u{1B}]52;c;cm0gLXJm\u{7}👩‍👩‍👧‍👦 Wartung 👍🏽 🇩🇪
        الخدمة متوقفة مؤقتا \u{202E}gnp.exe\u{202C} שירות
        Z\u{336}\u{335}\u{334}\u{333}\u{332}\u{331}\u{330}\u{32F}\u{32E}\u{32D}algo e\u{301}
        ────────────────────────────────────────────────────────────────────────
         u update   q quit
        """)

    /// The content of a status with rules, as the manager makes it.
    static func planned(_ text: String, version: String? = "1.4.0", at date: Date = PlanSample.now) throws -> OverlayContent {
        let document = try StatusDocument(json: Data(text.utf8))
        var app = AppInfo(name: "example", version: version)
        app.facts = ["ci": "false"]
        let verdict = document.verdict(for: app.appFacts, at: date)
        return paused { content in
            (content.stage, content.app) = (verdict.stage, AppInfo(name: app.name, version: version))
            content.facts = app.statusFacts(document, verdict)
            content.since = date.addingTimeInterval(-211)
            content.lastAnswer?.date = date.addingTimeInterval(-6)
            (content.date, content.planDate) = (date, date)
            content.plan = PlanReport(verdict, of: document, usesWallClockOnly: false)
            content.remarks = document.remarks
        }
    }

    /// A maintenance in 14 minutes, with another notice behind it.
    static let maintenance = {
        var facts = StatusFacts()
        facts[.message] = "The disks move."
        let rule = Rule(
            id: "mw", effect: .pause, from: since.addingTimeInterval(840), until: since.addingTimeInterval(6240), facts: facts)
        var notice = OverlayNotice(
            Verdict.Notice(rule: rule, phase: .announced), app: AppInfo(name: "example"), date: since, timeZone: .gmt)
        notice.others = 1
        return notice
    }()

    static let unreachable = paused { content in
        content.failures = 3
        content.failure = "no complete reply within 30 s"
        content.countdown = .init(remaining: .milliseconds(7_500), total: .seconds(8))
        content.interval = NextCheck(due: MonotonicInstant(), wait: .seconds(8), origin: .backoff)
        content.lastAnswer?.age = .seconds(104)
    }

    static let clamped = paused { content in
        content.interval = NextCheck(
            due: MonotonicInstant(), wait: .seconds(3600), origin: .server,
            clamp: IntervalClamp(requested: 999_999, used: .seconds(3600))
        )
        content.countdown = .init(remaining: .seconds(3599), total: .seconds(3600))
        content.remarks = ["retryInterval 999999 s is out of bounds, 3600 s is used"]
    }
}
