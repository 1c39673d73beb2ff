import Bellerophon
import BellerophonViews
import Foundation
import TerminalUI
import TestSupport
import Testing

@MainActor @Suite struct OverlayGoldenTests {
    private static let sizes = [(80, 24), (40, 12), (20, 6), (200, 60), (1, 1)].map { Size(columns: $0.0, rows: $0.1) }

    /// Compares the screens of the provided view.
    private func expectGoldens(_ content: OverlayContent, named name: String, sizes: ArraySlice<Size> = sizes[...]) {
        let isKilled = content.stage == .killed, glyphs = content.presentation.glyphs
        let view: any OverlayView = isKilled ? KillSwitchView() : ForceUpdateView()
        for size in sizes {
            let frame = view.frame(content, size)
            #expect(
                glyphs == .unicode || frame.text(glyphs: glyphs).utf8.allSatisfy { $0 < 0x80 }, "every symbol has a replacement")
            expectGolden(frame, named: "\(isKilled ? "kill" : "update")-\(name)", glyphs: glyphs)
            expectLinearText(of: content, keys: view.keyMap, hasWordsOf: frame)
        }
    }

    private static let samples: [(name: String, content: OverlayContent)] = {
        let (paused, update) = (OverlaySamples.paused, OverlaySamples.update)
        return [
            ("normal", paused), ("no-message", OverlaySamples.paused { $0.message = nil }),
            ("still", OverlaySamples.paused { $0.reducesMotion = true }),
            ("long", OverlaySamples.paused { $0.message = OverlaySamples.longMessage }),
            (
                "long-scrolled",
                OverlaySamples.paused { ($0.message, $0.presentation.scroll) = (OverlaySamples.longMessage, 5) }
            ),
            ("chinese", OverlaySamples.paused { $0.message = OverlaySamples.chineseMessage }),
            ("hostile", OverlaySamples.paused { $0.message = OverlaySamples.hostileMessage }),
            ("unreachable", OverlaySamples.unreachable), ("restored", OverlaySamples.unreachable.restored),
            ("checking", OverlaySamples.paused { ($0.countdown, $0.presentation.notice) = (nil, "message copied") }),
            ("listening", OverlaySamples.pushed), ("listening-details", OverlaySamples.pushed.opened(.details)),
            ("clamped", OverlaySamples.clamped), ("details", OverlaySamples.clamped.opened(.details)),
            ("details", update.opened(.details)), ("simulated", OverlaySamples.paused { $0.isSimulated = true }),
            ("closed", OverlaySamples.closed), ("stale", OverlaySamples.stale),
            ("signed-details", OverlaySamples.signed.opened(.details)),
            ("help", paused.opened(.help)), ("help", update.opened(.help)),
            ("full", update), ("bare", OverlaySamples.updateOfNothingKnown),
            ("arriving", OverlaySamples.update { $0.presentation.ignoresKeys = true }),
            (
                "key-ignored",
                OverlaySamples.update {
                    $0.presentation.ignoresKeys = true
                    $0.presentation.notice = "keys ignored; pause for a moment"
                }
            ),
            // A notice is a line in the view, and an answer to a key takes its place for a moment.
            ("notice", OverlaySamples.paused { $0.notice = OverlaySamples.maintenance }),
            ("notice", OverlaySamples.update { $0.notice = OverlaySamples.maintenance }),
            (
                "notice-copied",
                OverlaySamples.paused {
                    $0.notice = OverlaySamples.maintenance
                    $0.presentation.notice = "message sent to the clipboard"
                }
            ),
            (
                "program-own",
                OverlaySamples.paused {
                    $0.app.whileCovered = "example keeps what you have written, also if you end it. Nothing is sent meanwhile."
                }
            ),
            // What a guard's view says about its program.
            ("program-not-started", OverlaySamples.guarded(.notStarted)), ("program-running", OverlaySamples.guarded(.running)),
            ("program-paused", OverlaySamples.guarded(.paused)), ("program-stopped", OverlaySamples.guarded(.stopped)),
            ("program-ending", OverlaySamples.guarded(.ending(after: .milliseconds(16_400)))),
        ]
    }()

    @Test("The views in each state") func states() {
        for (name, content) in Self.samples { expectGoldens(content, named: name) }
    }

    @Test("The views contain only ASCII characters when ASCII glyphs are set")
    func asciiGlyphs() {
        for var content in [OverlaySamples.paused, OverlaySamples.update] {
            content.presentation.glyphs = .ascii
            expectGoldens(content, named: "ascii", sizes: Self.sizes.prefix(2))
        }
    }

    /// The bytes for a terminal with 256 colours and with 16, with ESC as `␛`.
    @Test(arguments: ColorTheme.named) func themes(theme: ColorTheme) {
        let frame = KillSwitchView().frame(OverlaySamples.paused { $0.isSimulated = true }, Size(columns: 40, rows: 12))
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
                let frame = view.frame(content, Size(columns: columns, rows: rows))
                expectGolden(frame, named: name)
                expectLinearText(of: content, keys: view.keyMap, hasWordsOf: frame)
                var ascii = content
                ascii.presentation.glyphs = .ascii
                expectGolden(view.frame(ascii, frame.size), named: "\(name)-ascii", glyphs: .ascii)
            }
        }
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
        expectGoldens(content, named: name)
        let frame = KillSwitchView().frame(content, Size(columns: 80, rows: 24))
        let header = frame.text.split(separator: "\n").first ?? ""
        #expect(header.hasSuffix("! \(OverlayPhrases.english.words(problem)): demo.local/status"))
    }

    // MARK: Rules

    @Test("The kill view says when the service is back, where no other text is cut for it")
    func backAt() throws {
        let window = try OverlaySamples.planned(PlanSample.text, version: "1.6.0", at: PlanSample.inTheWindow)
        expectGoldens(window, named: "back")
        expectGoldens(window.opened(.details), named: "back-details")
        var failing = window
        (failing.failures, failing.failure) = (2, "connection refused")
        expectGoldens(failing, named: "back-failing")
        let expected = try OverlaySamples.planned(
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"backAt":"2026-12-07T06:00:00Z"}"#)
        expectGoldens(expected, named: "back-days")
    }

    @Test("The update view of a rule says its message and version, and the details page why and what comes next")
    func updateByARule() throws {
        let content = try OverlaySamples.planned(PlanSample.text)
        expectGoldens(content, named: "rule")
        expectGoldens(content.opened(.details), named: "rule-details")
    }

    @Test("If the required version is older than the installed one, no view says that it is an update")
    func goBack() throws {
        let rule = #"""
            {"id":"too-new","effect":"update","only":{"versions":[{"from":"2.0.0"}]},"to":"1.9.3","link":"https://demo.local/get"}
            """#
        var content = try OverlaySamples.planned(PlanSample.document(rule), version: "2.0.0")
        content.app.updateCommand = "sudo apt install example"
        expectGoldens(content, named: "back")
        for (columns, rows) in [(80, 24), (100, 30), (160, 45), (40, 12), (20, 6), (12, 3)] {
            for page in [OverlayPresentation.Page.status, .help] {
                let frame = ForceUpdateView().frame(content.opened(page), Size(columns: columns, rows: rows))
                #expect(!frame.text.lowercased().contains("update"), "\(columns)x\(rows)")
                #expect(!frame.text.contains("or later"))
            }
        }
        expectGoldens(content, named: "back-title", sizes: [Size(columns: 160, rows: 45)])
    }

    @Test("An app that does not know its own version says so when a required version covers it")
    func unknownVersion() throws {
        let text = #"{"apiInactive":false,"forceUpdate":true,"retryInterval":60,"requiredVersion":"1.5.2"}"#
        expectGoldens(try OverlaySamples.planned(text, version: nil), named: "unknown-version")
        let told =
            #"{"apiInactive":false,"forceUpdate":true,"retryInterval":60,"requiredVersion":"1.5.2","userMessage":"Please update."}"#
        expectGoldens(try OverlaySamples.planned(told, version: nil), named: "unknown-version-message")
    }

    /// How the required version can be had, and what has become of the command.
    nonisolated private static let offers: [(name: String, report: UpdateReport)] = {
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

    @Test("The update view says how the version can be had", arguments: offers.map(\.name))
    func updateOffers(name: String) throws {
        var content = OverlaySamples.update
        (content.update, content.message) = (try #require(Self.offers.first { $0.name == name }).report, nil)
        expectGoldens(content, named: "offer-\(name)", sizes: Self.sizes.prefix(3))
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
