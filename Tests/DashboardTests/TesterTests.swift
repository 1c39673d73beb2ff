import Barricade
import Bellerophon
import BellerophonBase
import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard
@testable import ProgramKit
@testable import ScenarioKit

/// What a tester does again and again: bookmarks, and a session that is saved as a scenario.
@Suite struct TesterTests {
    // MARK: Bookmarks

    @Test("Bookmarked scenarios come first, and the cursor stays on them")
    func bookmarksComeFirst() {
        var session = DashboardSession.afterAPause(columns: 120, rows: 36)
        session.press(.down, .down, .character("m"))
        let name = session.model.itemAtCursor?.name ?? ""
        #expect(session.takeEffects() == [.saveBookmarks(["status/\(name)"])])
        #expect(session.lines(with: "Bookmarks").count == 1)
        #expect(session.row(of: "▸   \(name)") == session.row(of: " Bookmarks") + 1)
        session.press(.character("m"))
        #expect(session.takeEffects() == [.saveBookmarks([])])
        #expect(!session.screen.contains("Bookmarks"))
        #expect(session.model.itemAtCursor?.name == name)
    }

    @Test func aKeyPicksOneMarkedScenarioAfterTheOther() {
        var session = DashboardSession.afterAPause()
        session.press(.character("'"))
        #expect(session.footer == " ! nothing is marked; m marks a scenario")
        session.model.bookmarks = ["status/offline", "status/paused"]
        for response in ["offline", "paused", "offline"] {
            session.press(.character("'"))
            #expect(session.takeEffects() == [.barricade(.select(request: "status", response: response)), .checkAfresh])
        }
    }

    @Test func thePickerMarksToo() {
        var session = DashboardSession.afterAPause()
        session.press(.character("s"), .down, .character("m"))
        #expect(session.takeEffects() == [.saveBookmarks(["status/paused"])])
        #expect(session.model.hasPicker && session.screen.contains("Bookmarks"))
        session.filter("m")
        #expect(session.takeEffects() == [], "a letter of the search")
    }

    @Test func bookmarksOfOtherFilesAreKept() {
        var session = DashboardSession.afterAPause()
        session.model.bookmarks = ["status/of another file"]
        #expect(!session.screen.contains("Bookmarks"))
        session.press(.character("m"))
        #expect(session.takeEffects() == [.saveBookmarks(["status/of another file", "status/live"])])
    }

    @Test func theFileKeepsTheNames() throws {
        let folder = try TestFolder()
        let url = folder.url.appendingPathComponent("state/bookmarks.json")
        #expect(BookmarkFile(url).names == [])
        #expect(BookmarkFile(url).save(["status/paused", "status/offline"]) == nil)
        #expect(BookmarkFile(url).names == ["status/paused", "status/offline"])
        try Data("{".utf8).write(to: url)
        #expect(BookmarkFile(url).names == [], "a damaged file is no reason not to start")
        try folder.write("", to: "file")
        #expect(BookmarkFile(folder.url.appendingPathComponent("file/x.json")).save(["a/b"]) != nil)
    }

    // MARK: A session as a scenario

    @MainActor
    @Test func aSavedSessionIsPlayedWithTheSameChanges() throws {
        let request = try #require(StatusScenarios.file.request("status"))
        var session = SessionTimeline()
        for response in ["live", "live", "paused", "update required", "live"] { answer(response, &session) }
        for (from, to) in [
            (Stage.unknown, Stage.active), (.active, .killed), (.killed, .updateRequired), (.updateRequired, .active),
        ] {
            session.follow(
                .stageChanged(Transition(from: from, to: to, cause: .status(httpStatus: 200), lasted: nil)), response: nil)
        }
        let saved = try #require(session.file(of: request, date: Date(timeIntervalSince1970: 0)))
        #expect(saved.requests.first?.responses.map(\.name) == ["live", "paused", "update required"])
        // What a person does with the file.
        let file = try ScenarioFile(json: Data(saved.json.utf8), file: "saved.json")
        let timeline = try #require(file.timelines.first)
        #expect(timeline.steps.map(\.length) == [.times(2), .times(1), .times(1), .untilTold])
        let run = try TimelineRun(timeline, of: file)
        #expect(run.changes.map(\.from.rawValue) == timeline.expectations.map(\.from))
        #expect(run.changes.map(\.to.rawValue) == timeline.expectations.map(\.to))
    }

    @MainActor
    @Test("A change of who the app is, which no check has seen, is a step of the saved session")
    func aChangeOfTheAppIsAStep() throws {
        let rule = #"{"id":"old","effect":"update","only":{"versions":[{"below":"1.0.0"}]},"to":"1.0.0"}"#
        let body = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"rules":[\#(rule)]}"#
        let story = try ScenarioFile(
            json: Data(#"{"requests":{"status":{"responses":{"rules":{"json":\#(body)}}}}}"#.utf8), file: "story.json")
        let request = try #require(story.request("status"))
        var session = SessionTimeline()
        answer("rules", &session)
        session.follow(
            .stageChanged(Transition(from: .unknown, to: .active, cause: .status(httpStatus: 200), lasted: nil)), response: nil)
        let barricade = BarricadeServer()
        barricade.change(ClientChange(version: .known("0.9.0")))
        session.follow(
            .stageChanged(Transition(from: .active, to: .updateRequired, cause: .facts, lasted: nil)), response: nil,
            world: barricade.world)
        let saved = try #require(session.file(of: request, date: Date(timeIntervalSince1970: 0)))
        let file = try ScenarioFile(json: Data(saved.json.utf8), file: "saved.json")
        let timeline = try #require(file.timelines.first)
        let run = try TimelineRun(timeline, of: file)
        #expect(run.changes.map(\.to) == [.active, .updateRequired])
        #expect(run.changes.map(\.to.rawValue) == timeline.expectations.map(\.to))
    }

    private func answer(_ response: String, _ session: inout SessionTimeline) {
        session.follow(.checkStarted(1, .start), response: response)
        session.follow(.checkFailed(1, StatusError(.noStatus)), response: "another")
    }

    @Test func aPickThatNoCheckHasSeenIsNoStep() throws {
        var session = SessionTimeline()
        #expect(session.file(of: ScenarioRequest("status", responses: []), date: Date()) == nil)
        session.follow(.checkStarted(1, .start), response: "offline")
        let request = try #require(StatusScenarios.file.request("status"))
        #expect(session.file(of: request, date: Date()) == nil, "the check has not ended")
    }

    @Test func theKeyWSavesTheSession() {
        var session = DashboardSession.afterAPause()
        session.press(.character("w"))
        #expect(session.takeEffects() == [.exportScenario])
        session = DashboardSession.afterAPause(isSimulated: false)
        session.press(.character("w"), .character("m"))
        #expect(session.takeEffects() == [], "nothing is simulated")
    }

    @Test func aBodyInAFileIsSavedWithTheSession() throws {
        let folder = try TestFolder()
        try folder.write("{}", to: "body.json")
        try folder.write(
            #"{"requests": {"status": {"responses": {"a": {"file": "body.json"}}}}}"#, to: "story.json")
        let request = ScenarioSource.request("status", of: [try ScenarioSource(path: folder.path("story.json"))])
        guard case .reply(let reply)? = request["a"]?.answer else { throw TestError("no reply") }
        #expect(reply.body == .data(Array("{}".utf8)))
    }

    // MARK: Settings in the palette

    @Test func thePaletteChangesSettings() {
        var session = DashboardSession.afterAPause()
        for (letters, change) in [
            ("motion", { $0.reducesMotion = true }), ("glyphs", { $0.glyphs = .ascii }), ("bell", { $0.ringsBell = false }),
            ("notification", { $0.notifies = false }),
        ] as [(String, (inout LiveSettings) -> Void)] {
            var expected = session.model.screen.live
            change(&expected)
            session.choose(letters)
            #expect(session.takeEffects() == [.settings(expected)])
            #expect(session.model.screen.live == expected)
        }
        session.choose("motion: full")
        #expect(!session.model.screen.live.reducesMotion)
    }
}
