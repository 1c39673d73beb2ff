import Bellerophon
import BellerophonCurses
import Foundation
import TerminalUI
import TestSupport
import Testing

@MainActor @Suite struct OverlayGoldenTests {
    private static let sizes = [(80, 24), (40, 12), (20, 6), (200, 60), (1, 1)].map { Size(columns: $0.0, rows: $0.1) }

    private func expectGoldens(_ view: any OverlayView, _ content: OverlayContent, named name: String) {
        expectGoldens(.cover((view, content)), named: name)
    }

    /// Compares the screens of a program without any text of its own.
    private func expectGoldens(_ display: OverlayDisplay<(any OverlayView, OverlayContent)>, named name: String) {
        for size in Self.sizes {
            let frame = display.frame(size, over: { Frame(size) }, draw: { cover, frame in cover.0.draw(cover.1, in: &frame) })
            expectGolden(frame, named: name)
            if case .cover(let cover) = display { expectLinearText(of: cover.1, keys: cover.0.keyMap, hasWordsOf: frame) }
        }
    }

    private func expectKill(_ content: OverlayContent, named name: String) {
        expectGoldens(KillSwitchView(), content, named: "kill-\(name)")
    }

    private func expectUpdate(_ content: OverlayContent, named name: String) {
        expectGoldens(ForceUpdateView(), content, named: "update-\(name)")
    }

    @Test func pausedWithAMessage() {
        expectKill(OverlaySamples.paused, named: "normal")
    }

    @Test("The views contain only ASCII characters when ASCII glyphs are set")
    func asciiGlyphs() {
        let views: [(any OverlayView, OverlayContent, String)] = [
            (KillSwitchView(), OverlaySamples.paused, "kill-ascii"), (ForceUpdateView(), OverlaySamples.update, "update-ascii"),
        ]
        for (view, content, name) in views {
            var content = content
            content.presentation.glyphs = .ascii
            for size in Self.sizes.prefix(2) {
                var frame = Frame(size)
                view.draw(content, in: &frame)
                #expect(frame.text(glyphs: .ascii).utf8.allSatisfy { $0 < 0x80 }, "every symbol has a replacement")
                expectGolden(frame, named: name, glyphs: .ascii)
                expectLinearText(of: content, keys: view.keyMap, hasWordsOf: frame)
            }
        }
    }

    /// The bytes for a terminal with 256 colours and with 16, with ESC as `␛`.
    @Test(arguments: ColorTheme.named) func themes(theme: ColorTheme) {
        var frame = Frame(Size(columns: 40, rows: 12))
        KillSwitchView().draw(OverlaySamples.paused { $0.isSimulated = true }, in: &frame)
        let texts = [ColorDepth.indexed, .sixteen].map { depth in
            var writer = FrameWriter(TerminalLook(depth: depth, theme: theme), hyperlinks: false)
            return String(decoding: writer.bytes(for: frame), as: UTF8.self).replacing("\u{1B}", with: "␛")
                .replacing(/␛\[(\d+);1H/) { "\n\($0.0)" }
        }
        expectGolden(texts.joined(separator: "\n\n"), file: "theme-\(theme.name).txt")
    }

    /// The sizes at which large letters are shown, with both sizes of letters.
    @Test func largeTitles() {
        let views: [(any OverlayView, OverlayContent, String)] = [
            (KillSwitchView(), OverlaySamples.paused, "kill-title"), (ForceUpdateView(), OverlaySamples.update, "update-title"),
            (KillSwitchView(), OverlaySamples.closed, "closed-title"),
        ]
        for (view, content, name) in views {
            for (columns, rows) in [(100, 30), (120, 36), (160, 45)] {
                var frame = Frame(Size(columns: columns, rows: rows))
                view.draw(content, in: &frame)
                expectGolden(frame, named: name)
                expectLinearText(of: content, keys: view.keyMap, hasWordsOf: frame)
                var ascii = content
                ascii.presentation.glyphs = .ascii
                frame = Frame(frame.size)
                view.draw(ascii, in: &frame)
                expectGolden(frame, named: "\(name)-ascii", glyphs: .ascii)
            }
        }
    }

    @Test func reducedMotion() {
        expectKill(OverlaySamples.paused { $0.reducesMotion = true }, named: "still")
    }

    @Test("A notice is a line in the view, and an answer to a key takes its place for a moment") func notice() {
        expectKill(OverlaySamples.paused { $0.notice = OverlaySamples.maintenance }, named: "notice")
        expectUpdate(OverlaySamples.update { $0.notice = OverlaySamples.maintenance }, named: "notice")
        expectKill(
            OverlaySamples.paused {
                $0.notice = OverlaySamples.maintenance
                $0.presentation.notice = "message sent to the clipboard"
            }, named: "notice-copied")
    }

    @Test func pausedWithoutAMessage() {
        expectKill(OverlaySamples.paused { $0.message = nil }, named: "no-message")
    }

    @Test func aLongMessage() {
        expectKill(OverlaySamples.paused { $0.message = OverlaySamples.longMessage }, named: "long")
        expectKill(
            OverlaySamples.paused {
                $0.message = OverlaySamples.longMessage
                $0.presentation.scroll = 5
            }, named: "long-scrolled")
    }

    @Test func aChineseMessage() {
        expectKill(OverlaySamples.paused { $0.message = OverlaySamples.chineseMessage }, named: "chinese")
    }

    @Test func aHostileMessage() {
        expectKill(OverlaySamples.paused { $0.message = OverlaySamples.hostileMessage }, named: "hostile")
    }

    @Test func failingChecks() {
        expectKill(OverlaySamples.unreachable, named: "unreachable")
    }

    @Test func aCheckUnderWay() {
        expectKill(
            OverlaySamples.paused {
                $0.countdown = nil
                $0.presentation.notice = "message copied"
            }, named: "checking")
    }

    @Test func aStreamThatLives() {
        expectKill(OverlaySamples.pushed, named: "listening")
        expectKill(
            OverlaySamples.paused { content in
                content = OverlaySamples.pushed
                content.presentation.page = .details
            }, named: "listening-details")
    }

    @Test func aClampedInterval() {
        expectKill(OverlaySamples.clamped, named: "clamped")
    }

    @Test func simulated() {
        expectKill(OverlaySamples.paused { $0.isSimulated = true }, named: "simulated")
    }

    @Test func lastKnownStatusOfAnEarlierRun() {
        expectKill(OverlaySamples.unreachable.restored, named: "restored")
    }

    @Test func nothingIsKnownAndTheAppIsClosed() {
        expectKill(OverlaySamples.closed, named: "closed")
    }

    @Test func aStatusThatNobodyConfirmed() {
        expectKill(OverlaySamples.stale, named: "stale")
    }

    @Test func aSignedStatusOverPlainHTTP() {
        expectKill(OverlaySamples.signed.opened(.details), named: "signed-details")
    }

    @Test func details() {
        expectKill(OverlaySamples.clamped.opened(.details), named: "details")
        expectUpdate(OverlaySamples.update.opened(.details), named: "details")
    }

    @Test(
        "The header names an address that can have no status, and what is wrong with it",
        arguments: [
            (AddressProblem.unknownHost, "the server's name was not found", "unknown-host"),
            (.certificate, "no secure connection: the server's certificate has expired", "certificate"),
            (.notFound, "the server replied with HTTP 404", "not-found"),
        ])
    func anAddressWithAProblem(problem: AddressProblem, failure: String, name: String) {
        var content = OverlaySamples.paused
        (content.failures, content.failure, content.addressProblem) = (3, failure, problem)
        expectKill(content, named: name)
        var frame = Frame(Size(columns: 80, rows: 24))
        KillSwitchView().draw(content, in: &frame)
        let header = frame.text.split(separator: "\n").first ?? ""
        #expect(header.hasSuffix("! \(OverlayPhrases.english.words(problem)): demo.local/status"))
    }

    // MARK: Rules

    @Test("The kill view says when the service is back, where no other text is cut for it")
    func backAt() throws {
        let window = try OverlaySamples.planned(PlanSample.text, version: "1.6.0", at: PlanSample.inTheWindow)
        expectKill(window, named: "back")
        expectKill(window.opened(.details), named: "back-details")
        var failing = window
        (failing.failures, failing.failure) = (2, "connection refused")
        expectKill(failing, named: "back-failing")
        let expected = try OverlaySamples.planned(
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"backAt":"2026-12-07T06:00:00Z"}"#)
        expectKill(expected, named: "back-days")
    }

    @Test("The update view of a rule says its message and version, and the details page why and what comes next")
    func updateByARule() throws {
        let content = try OverlaySamples.planned(PlanSample.text)
        expectUpdate(content, named: "rule")
        expectUpdate(content.opened(.details), named: "rule-details")
    }

    @Test("If the required version is older than the installed one, no view says that it is an update")
    func goBack() throws {
        let rule = #"""
            {"id":"too-new","effect":"update","only":{"versions":[{"from":"2.0.0"}]},"to":"1.9.3","link":"https://demo.local/get"}
            """#
        var content = try OverlaySamples.planned(PlanSample.document(rule), version: "2.0.0")
        content.app.updateCommand = "sudo apt install example"
        expectUpdate(content, named: "back")
        for (columns, rows) in [(80, 24), (100, 30), (160, 45), (40, 12), (20, 6), (12, 3)] {
            for page in [OverlayPresentation.Page.status, .help] {
                var frame = Frame(Size(columns: columns, rows: rows))
                ForceUpdateView().draw(content.opened(page), in: &frame)
                #expect(!frame.text.lowercased().contains("update"), "\(columns)x\(rows)")
                #expect(!frame.text.contains("or later"))
            }
        }
        var frame = Frame(Size(columns: 160, rows: 45))
        ForceUpdateView().draw(content, in: &frame)
        expectGolden(frame, named: "update-back-title")
        expectLinearText(of: content, keys: OverlayCommand.updateKeys, hasWordsOf: frame)
    }

    @Test("An app that does not know its own version says so when a required version covers it")
    func unknownVersion() throws {
        let text = #"{"apiInactive":false,"forceUpdate":true,"retryInterval":60,"requiredVersion":"1.5.2"}"#
        expectUpdate(try OverlaySamples.planned(text, version: nil), named: "unknown-version")
        let told =
            #"{"apiInactive":false,"forceUpdate":true,"retryInterval":60,"requiredVersion":"1.5.2","userMessage":"Please update."}"#
        expectUpdate(try OverlaySamples.planned(told, version: nil), named: "unknown-version-message")
    }

    /// How the required version can be had, and what has become of the command.
    private static let offers: [(name: String, report: UpdateReport)] = {
        let run = UpdateAction.run(UpdateCommand("sudo apt-get install example", version: "1.5.2", restarts: true))
        let refresh = UpdateAction.run(UpdateCommand("sudo apt-get update", purpose: .refresh))
        let attempt = UpdateReport.Attempt(
            command: "sudo apt-get install example", end: "failed with exit code 100",
            lines: ["Reading package lists...", "E: Unable to fetch some archives"])
        let finished = UpdateReport.Attempt(command: attempt.command, end: "finished", lines: [])
        var unmoved = UpdateReport(
            .unmoved(finished, found: "1.4.0"), source: "apt", path: "/usr/bin/example", action: run)
        unmoved.copies = [.init(path: "/usr/local/bin/example", isFirst: true)]
        let end = OverlaySamples.since.addingTimeInterval(86_400)
        let broken = UpdateReport.State.broken(
            version: "1.5.2", end: "failed with exit code 127", lines: ["libexample.so.2: cannot open"])
        return [
            ("asking", UpdateReport(.asking, source: "apt", action: run)),
            ("ready", UpdateReport(.ready("1.5.2"), source: "apt", action: run)),
            ("not-yet", UpdateReport(.notYet(best: "1.4.9"), source: "apt", action: refresh)),
            ("allowed", UpdateReport(.notYet(best: nil), source: "pip", action: .goOn(until: end))),
            ("unclear", UpdateReport(.unclear("could not be asked: no network"), source: "pip", action: run)),
            ("named", UpdateReport(.unclear(nil), source: "Homebrew", path: "/opt/homebrew/bin/example")),
            ("installed", UpdateReport(.installed("1.5.2"), source: "apt", action: .restart(version: "1.5.2"))),
            ("unmoved", unmoved),
            ("failed", UpdateReport(.failed(attempt), source: "apt", action: run)),
            ("broken", UpdateReport(broken)),
        ]
    }()

    @Test(
        "The update view says how the version can be had",
        arguments: [
            "asking", "ready", "not-yet", "allowed", "unclear", "named", "installed", "unmoved", "failed", "broken",
        ])
    func updateOffers(name: String) throws {
        var content = OverlaySamples.update
        (content.update, content.message) = (try #require(Self.offers.first { $0.name == name }).report, nil)
        for size in [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12), Size(columns: 20, rows: 6)] {
            var frame = Frame(size)
            ForceUpdateView().draw(content, in: &frame)
            expectGolden(frame, named: "update-offer-\(name)")
            expectLinearText(of: content, keys: OverlayCommand.updateKeys, hasWordsOf: frame)
        }
    }

    @Test func help() {
        expectKill(OverlaySamples.paused.opened(.help), named: "help")
        expectUpdate(OverlaySamples.update.opened(.help), named: "help")
    }

    /// What a guard's view says about its program.
    @Test(
        arguments: [
            ("not-started", .notStarted), ("running", .running), ("paused", .paused), ("stopped", .stopped),
            ("ending", .ending(after: .milliseconds(16_400))),
        ] as [(String, CoveredProgram)])
    func theGuardedProgram(name: String, program: CoveredProgram) {
        expectKill(OverlaySamples.guarded(program), named: "program-\(name)")
    }

    @Test("The kill view shows the text that the app provides about itself")
    func appDescribesItself() {
        expectKill(
            OverlaySamples.paused { content in
                content.app.whileCovered = "example keeps what you have written, also if you end it. Nothing is sent meanwhile."
            }, named: "program-own")
    }

    @Test func keysThatDoNotCountYet() {
        expectUpdate(OverlaySamples.update { $0.presentation.ignoresKeys = true }, named: "arriving")
        expectUpdate(
            OverlaySamples.update {
                $0.presentation.ignoresKeys = true
                $0.presentation.notice = "keys ignored; pause for a moment"
            }, named: "key-ignored")
    }

    @Test func updateWithAllFacts() {
        expectUpdate(OverlaySamples.update, named: "full")
    }

    @Test func updateOfWhichNothingIsKnown() {
        expectUpdate(OverlaySamples.updateOfNothingKnown, named: "bare")
    }
}

extension OverlayContent {
    func opened(_ page: OverlayPresentation.Page) -> OverlayContent {
        var content = self
        content.presentation.page = page
        return content
    }

    var restored: OverlayContent {
        var content = self
        content.lastAnswer = nil
        return content
    }
}
