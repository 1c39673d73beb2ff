import Bellerophon
import Foundation
import StatusModel
import TerminalUI
import TestSupport

@testable import BellerophonViews

/// A view in one language, with what a person has opened on it.
struct LanguageSample {
    let name: String
    var content: OverlayContent
    /// The key that is pressed.
    var key: Key?
    /// The fewest columns on which all of it has room.
    var columns = 40

    @MainActor func overlay(_ size: Size) -> OverlayUnderTest {
        var overlay = OverlayUnderTest(content.stage == .killed ? KillSwitchView() : ForceUpdateView(), content)
        overlay.size = size
        if let key { overlay.press(key) }
        overlay.pass(.seconds(1))
        return overlay
    }

    @MainActor func frame(_ size: Size) -> Frame {
        let overlay = overlay(size)
        return content.presentation.notice == nil ? overlay.frame : KillSwitchView().frame(content, size)
    }
}

/// The views, pages and questions of one language.
@MainActor enum LanguageSamples {
    /// Those that have goldens.
    static func main(_ phrases: OverlayPhrases) -> [LanguageSample] {
        [
            LanguageSample(name: "paused", content: paused(phrases)),
            LanguageSample(name: "failing", content: changed(paused(phrases), fail)),
            LanguageSample(name: "update", content: update(phrases)),
            LanguageSample(name: "help", content: update(phrases), key: .character("?")),
            LanguageSample(name: "end", content: paused(phrases), key: .character("q")),
        ]
    }

    static func all(_ phrases: OverlayPhrases) throws -> [LanguageSample] {
        try main(phrases) + pauses(phrases) + programs(phrases) + updates(phrases) + questions(phrases) + answers(phrases)
    }

    // MARK: The kill view

    static func paused(_ phrases: OverlayPhrases) -> OverlayContent {
        var content = OverlayContent(
            stage: .killed, app: AppInfo(name: "notes", version: "1.4.0"), source: "demo.local/status", host: "demo.local",
            message: "12:00 → 13:00", countdown: .init(remaining: .seconds(9), total: .seconds(15)),
            since: PlanSample.now, timeZone: TimeZone(secondsFromGMT: 0) ?? .current)
        content.phrases = phrases
        return content
    }

    private static func fail(_ content: inout OverlayContent) {
        content.message = nil
        (content.failures, content.failure) = (3, "connection refused")
    }

    private static func pauses(_ phrases: OverlayPhrases) throws -> [LanguageSample] {
        let stop = LocalStop(author: "ada", since: PlanSample.now, release: "bellerophon guard continue notes")
        var planned = paused(phrases)
        let document = try StatusDocument(json: Data(PlanSample.text.utf8))
        let verdict = document.verdict(for: AppFacts(version: "1.6.0", values: ["ci": "false"]), at: PlanSample.inTheWindow)
        planned.plan = PlanReport(verdict, of: document, usesWallClockOnly: false)
        (planned.date, planned.planDate) = (PlanSample.inTheWindow, PlanSample.inTheWindow)
        let changes: [(String, (inout OverlayContent) -> Void)] = [
            ("silent", { $0.message = nil }),
            ("closed", { ($0.message, $0.standing.basis) = (nil, .policy) }),
            ("failing once", { ($0.failures, $0.failure) = (1, "offline") }),
            ("stale", { ($0.standing.basis, $0.standing.age, $0.standing.isStale) = (.lastRun, .seconds(800_000), true) }),
            ("last run", { ($0.standing.basis, $0.standing.age) = (.lastRun, .seconds(8000)) }),
            ("bundled", { $0.standing.basis = .bundled }),
            ("listening", { ($0.countdown, $0.isListening) = (nil, true) }),
            ("checking", { $0.countdown = nil }),
            ("simulated", { $0.isSimulated = true }),
            ("still", { ($0.reducesMotion, $0.date) = (true, PlanSample.now) }),
            ("early", { $0.presentation.ignoresKeys = true }),
            ("stopped", { ($0.message, $0.localStop) = (nil, stop) }),
            ("stopped with a reason", { ($0.message, $0.localStop) = ("wrong folder", stop) }),
            ("also stopped", { ($0.localStop, $0.plan) = (stop, planned.plan) }),
        ]
        let failing: [(String, (inout OverlayContent) -> Void)] = [
            ("closed and failing", { $0.standing.basis = .policy }),
            ("still and failing", { ($0.reducesMotion, $0.date) = (true, PlanSample.now) }),
        ]
        return changes.map { LanguageSample(name: $0.0, content: changed(paused(phrases), $0.1)) }
            + failing.map { LanguageSample(name: $0.0, content: changed(changed(paused(phrases), fail), $0.1)) }
            + [LanguageSample(name: "back at", content: planned)]
    }

    /// What happens to the program under a view.
    private static func programs(_ phrases: OverlayPhrases) -> [LanguageSample] {
        let states: [(String, CoveredProgram, ProgramTreeFacts?)] = [
            ("own", .own, nil), ("busy", .busy, nil), ("not started", .notStarted, nil), ("running", .running, nil),
            ("paused", .paused, nil), ("stopped", .stopped, nil), ("ending", .ending(after: .seconds(17)), nil),
            ("being ended", .ending(after: .zero), nil),
            ("paused alone", .paused, ProgramTreeFacts(processes: 1, means: "", pausedSince: PlanSample.now)),
            ("one more", .paused, ProgramTreeFacts(processes: 2, means: "", pausedSince: PlanSample.now)),
            ("three more", .paused, ProgramTreeFacts(processes: 4, means: "", pausedSince: PlanSample.now)),
            ("five more", .paused, ProgramTreeFacts(processes: 6, means: "", pausedSince: PlanSample.now)),
            (
                "one not held", .paused,
                ProgramTreeFacts(processes: 2, means: "", pausedSince: PlanSample.now, notHeld: ["sleep (42)"])
            ),
            (
                "five not held", .paused,
                ProgramTreeFacts(
                    processes: 6, means: "", pausedSince: PlanSample.now, notHeld: (1...5).map { "sleep (\($0))" })
            ),
        ]
        return states.map { name, program, tree in
            LanguageSample(name: name, content: changed(paused(phrases)) { ($0.program, $0.tree) = (program, tree) })
        }
    }

    // MARK: The update view

    static func update(_ phrases: OverlayPhrases) -> OverlayContent {
        changed(paused(phrases)) { content in
            content.stage = .updateRequired
            (content.requiredVersion, content.link) = ("1.5.2", "https://demo.local/get")
            content.app.updateCommand = "sudo apt-get install notes"
        }
    }

    /// How a required version can be had, in every state.
    nonisolated static let reports: [(name: String, report: UpdateReport)] = {
        let attempt = UpdateReport.Attempt(command: "sudo apt-get install notes", end: "end100", lines: [])
        let run = UpdateAction.run(UpdateCommand("sudo apt-get install notes", version: "1.5.2"))
        let refresh = UpdateAction.run(UpdateCommand("sudo apt-get install apt", purpose: .refresh))
        let path = "/usr/bin/notes"
        var pinned = UpdateReport(.ready("1.5.2"), source: "apt", path: path, action: run)
        (pinned.isPinned, pinned.unpinCommand) = (true, "sudo apt-mark unhold notes")
        var copied = UpdateReport(.unmoved(attempt, found: "1.4.0"), source: "apt", path: path, action: run)
        copied.copies = [.init(path: "/opt/notes", isFirst: true)]
        let states: [(String, UpdateReport)] = [
            ("asking", UpdateReport(.asking, source: "apt")), ("asking nobody", UpdateReport(.asking)),
            ("ready", UpdateReport(.ready("1.5.2"), source: "apt", action: run)),
            ("had", UpdateReport(.ready("1.5.2"), source: "apt")),
            ("not yet", UpdateReport(.notYet(best: "1.5.0"), source: "apt", action: refresh)),
            ("none", UpdateReport(.notYet(best: nil), source: "apt", action: .goOn(until: PlanSample.inTheWindow))),
            ("unclear", UpdateReport(.unclear(nil), source: "apt", action: run)),
            ("by hand", UpdateReport(.unclear(nil), source: "apt", path: path)),
            ("of unknown source", UpdateReport(.unclear(nil), path: path)),
            ("installed", UpdateReport(.installed("1.5.2"), action: .restart(version: "1.5.2"))),
            ("unmoved", copied), ("pinned", pinned), ("unproved", UpdateReport(.unproved(attempt, nil), action: run)),
            ("unproved for a reason", UpdateReport(.unproved(attempt, obstacles[0]), action: run)),
            ("broken", UpdateReport(.broken(version: "1.5.2", end: ends[0], lines: []))),
        ]
        return states
            + obstacles.map { ("\($0)", UpdateReport(.unclear($0), source: "apt", action: run)) }
            + ends.map { end in
                ("\(end)", UpdateReport(.failed(.init(command: attempt.command, end: end, lines: [])), action: run))
            }
    }()

    /// Every way in which a command ends.
    nonisolated static let ends: [LocalizedText] = [
        .phrase(\.ends.finished), .phrase(\.ends.notFound), .phrase(\.ends.exited, ["code": "3"]), .phrase(\.ends.interrupted),
        .phrase(\.ends.signaled, ["signal": "9"]), .phrase(\.ends.unknown),
        .phrase(\.ends.notStarted, ["reason": "offline"]), .phrase(\.ends.late), .phrase(\.ends.full),
        .phrase(\.ends.withOutput, ["end": .phrase(\.ends.notUnderstood), "line": "offline"]),
    ]

    /// Every reason why it is not known what can be had or is installed.
    nonisolated static let obstacles: [LocalizedText] = {
        let reasons: [LocalizedText] = [
            .phrase(\.obstacles.commandFailed, ["command": "pip", "end": .phrase(\.ends.exited, ["code": "7"])]),
            .phrase(\.obstacles.emptyCommand), .phrase(\.obstacles.commandWithoutVersion), .phrase(\.obstacles.indexUnreachable),
            .phrase(\.obstacles.indexUntrusted), .phrase(\.obstacles.indexCertificate),
            .phrase(\.obstacles.indexReplied, ["code": "403"]),
        ]
        let refusals: [LocalizedText] = [
            .phrase(\.obstacles.tooMany), .phrase(\.obstacles.wouldRemove, ["packages": "libnotes"]),
            .phrase(\.obstacles.refused),
        ]
        return reasons.map { .phrase(\.obstacles.notAsked, ["reason": $0]) }
            + refusals.map { .phrase(\.obstacles.cannotInstall, ["version": "1.5.2", "reason": $0]) } + [
                .phrase(\.obstacles.incomparable, ["version": "1.5.2"]), .phrase(\.obstacles.notInstalled, ["package": "notes"]),
                .phrase(\.obstacles.unfinished, ["package": "notes"]), .phrase(\.obstacles.noCommand),
                .phrase(\.obstacles.noVersion), .phrase(\.obstacles.missing, ["package": "notes"]),
                .phrase(\.obstacles.several, ["package": "notes", "path": "/opt/notes"]),
                .phrase(\.obstacles.ambiguous, ["package": "notes"]),
                .phrase(\.obstacles.elsewhere, ["installed": "notes 1.4.0"]),
                .phrase(
                    \.obstacles.stranger,
                    [
                        "installed": "notes 1.4.0", "package": "notes", "maintainer": .phrase(\.obstacles.unknownMaintainer),
                    ]),
            ]
    }()

    static func offer(_ report: UpdateReport, _ phrases: OverlayPhrases) -> OverlayContent {
        changed(update(phrases)) { ($0.message, $0.update, $0.program) = (nil, report, .running) }
    }

    private static func updates(_ phrases: OverlayPhrases) -> [LanguageSample] {
        let changes: [(String, (inout OverlayContent) -> Void)] = [
            ("go back", { $0.requiredVersion = "1.3.0" }),
            ("go back, silent", { ($0.requiredVersion, $0.message) = ("1.3.0", nil) }),
            ("update, silent", { $0.message = nil }),
            ("update, failing", fail),
            ("update without help", { ($0.link, $0.app.updateCommand) = (nil, nil) }),
            ("update, only a command", { $0.link = nil }),
            ("version unknown", { $0.app.version = nil }),
        ]
        return changes.map { LanguageSample(name: $0.0, content: changed(update(phrases), $0.1)) }
            + reports.map { LanguageSample(name: $0.name, content: offer($0.report, phrases)) }
    }

    // MARK: Questions and answers

    private static func questions(_ phrases: OverlayPhrases) -> [LanguageSample] {
        func restarting(_ program: CoveredProgram, _ action: UpdateAction) -> OverlayContent {
            changed(update(phrases)) { content in
                content.program = program
                content.update = UpdateReport(.ready("1.5.2"), source: "apt", action: action)
            }
        }
        let command = UpdateAction.run(UpdateCommand("sudo apt-get install notes", restarts: true))
        let worthless = changed(paused(phrases)) { $0.app.mayLoseWork = false }
        return [
            LanguageSample(name: "help of the kill view", content: paused(phrases), key: .character("?")),
            LanguageSample(name: "end without work", content: worthless, key: .character("q")),
            LanguageSample(name: "run", content: update(phrases), key: .character("u")),
            LanguageSample(name: "run and restart", content: restarting(.running, command), key: .character("u")),
            LanguageSample(name: "run and start", content: restarting(.notStarted, command), key: .character("u")),
            LanguageSample(
                name: "restart", content: restarting(.running, .restart(version: "1.5.2")), key: .character("u")),
            LanguageSample(
                name: "restart the installed", content: restarting(.running, .restart(version: nil)), key: .character("u")),
            LanguageSample(name: "open", content: update(phrases), key: .character("o")),
        ]
    }

    /// What is said after a key, in the line above the keys.
    private static func answers(_ phrases: OverlayPhrases) -> [LanguageSample] {
        let words = phrases.answers
        let named = [words.message, words.link, words.address, words.command].flatMap { name in
            [words.nothingToCopy, words.sent, words.tooLong, words.noRoom].map { $0.with(["name": name]) }
        }
        let withdrawals = [
            phrases.questions.notEnded.with(["name": "notes"]), phrases.questions.notRun, phrases.questions.notOpened,
        ]
        let texts =
            named + withdrawals + withdrawals.map { words.noRoomSo.with(["withdrawal": $0]) }
            + [
                words.noClipboard, words.opening.with(["name": "xdg-open"]), words.noBrowserCopied, words.noBrowser, words.noLink,
                words.noCommandFor.with(["source": "apt"]), words.noCommand, words.keysIgnored,
                words.noMeaning + words.keyForHelp.with(["key": "?"]),
                words.keyWithoutMeaning.with(["key": "Ctrl-C"]) + words.keyForHelp.with(["key": "?"]),
            ]
        return texts.enumerated().map { index, text in
            LanguageSample(
                name: "answer \(index)", content: changed(paused(phrases)) { $0.presentation.notice = text }, columns: 80)
        }
    }

    private static func changed(_ content: OverlayContent, _ change: (inout OverlayContent) -> Void) -> OverlayContent {
        var content = content
        change(&content)
        return content
    }

    // MARK: Phrases

    /// The texts of phrases, or of a part of them, by their place in it.
    nonisolated static func texts(of value: Any, at path: String = "") -> [String: [String]] {
        if let text = value as? String { return path == ".tag" ? [:] : [path: [text]] }
        if let list = value as? [String] { return [path: list] }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return [:] }
        if mirror.displayStyle == .collection {
            return [path: mirror.children.flatMap { texts(of: $0.value).values.flatMap(\.self) }]
        }
        return mirror.children.reduce(into: [:]) { all, child in
            all.merge(texts(of: child.value, at: "\(path).\(child.label ?? "")")) { first, _ in first }
        }
    }
}
