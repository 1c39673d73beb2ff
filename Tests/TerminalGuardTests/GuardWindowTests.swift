import Bellerophon
import BellerophonViews
import Foundation
import TerminalUI
import Testing

@testable import TerminalGuard

/// The window of a guard, on a clock that the test moves.
@MainActor @Suite("Guard window")
struct GuardWindowTests {
    private let clock = ManualClock()
    private let window: GuardWindow
    private let events = Events()

    private final class Events {
        var all: [GuardEvent] = []

        /// The text of the last frame.
        var screen: String {
            for case .block(let frame, _) in all.reversed() { return frame.text }
            return ""
        }

        /// What was posted besides frames.
        var others: [GuardEvent] {
            all.filter { event in
                if case .block = event { false } else { true }
            }
        }
    }

    init() {
        let clock = clock, events = events
        window = GuardWindow(.ofTest, clock: clock)
        window.post = { events.all.append($0) }
    }

    private static func content(_ stage: Stage) -> OverlayContent {
        OverlayContent(
            stage: stage, app: AppInfo(name: "vim", updateCommand: "make update"), source: "demo.local/status",
            host: "demo.local", message: "Back soon.")
    }

    /// Presses a key when the view has stood for so long that keys count.
    private func pressLater(_ key: Character) {
        clock.advance(by: .seconds(1))
        window.press([.character(key)])
    }

    private func cover(_ fate: CoveredProgram = .running) {
        window.show(fate)
        window.present(KillSwitchView(), content: Self.content(.killed))
    }

    @Test func keysOfAPersonWhoWritesDoNothing() {
        cover()
        for character in "you quit" {
            window.press([.character(character)])
            clock.advance(by: .milliseconds(150))
        }
        #expect(events.others == [] && events.screen.contains("keys ignored"))
        clock.advance(by: .seconds(1))
        #expect(events.screen.contains("q quit") && !events.screen.contains("keys ignored"))
    }

    @Test func aCoverIsDrawnAgainWhenTheTerminalChanges() {
        cover()
        window.resize(Size(columns: 60, rows: 20))
        let sizes = events.all.compactMap { event in
            if case .block(let frame, _) = event { frame.size } else { nil }
        }
        #expect(sizes == [Size(columns: 80, rows: 24), Size(columns: 60, rows: 20)])
    }

    @Test func theProgramEndsAfterTheQuestionOnly() {
        cover()
        clock.advance(by: .seconds(1))
        window.press([.character("q"), .character("q"), .character("y")])
        #expect(events.others == [])
        clock.advance(by: .seconds(1))
        #expect(events.screen.contains("End vim?") && events.screen.contains("y end vim"))
        window.press([.character("y")])
        #expect(events.others == [.quit])
    }

    @Test("After the update command the first view says that keys do not count yet")
    func keysAfterTheCommand() throws {
        cover()
        clock.advance(by: .seconds(1))
        window.runUpdate(UpdateCommand("make update"))
        window.update(Self.content(.killed))
        #expect(events.screen.contains("q quit"))
        events.all = []
        window.updateEnded()
        let end = try #require(events.all.firstIndex(of: .takeBack))
        #expect(end > 0 && events.screen.contains("keys count in a moment"))
        clock.advance(by: .seconds(1))
        #expect(events.screen.contains("q quit"))
    }

    @Test("The quit question is withdrawn when the status clears or another view appears")
    func quitQuestionIsWithdrawn() {
        cover()
        pressLater("q")
        window.present(ForceUpdateView(), content: Self.content(.updateRequired))
        clock.advance(by: .seconds(2))
        window.press([.character("y")])
        window.press([.character("q")])
        window.dismiss()
        clock.advance(by: .seconds(2))
        window.press([.character("y")])
        cover()
        clock.advance(by: .seconds(2))
        window.press([.character("y")])
        #expect(!events.others.contains(.quit))
    }

    @Test func newContentOfTheSameViewKeepsTheQuestion() {
        cover()
        pressLater("q")
        clock.advance(by: .seconds(1))
        window.update(Self.content(.killed))
        window.press([.character("y")])
        #expect(events.others == [.quit])
    }

    @Test func theUpdateCommandRunsAfterTheQuestionOnly() {
        window.show(.running)
        window.present(ForceUpdateView(), content: Self.content(.updateRequired))
        pressLater("u")
        clock.advance(by: .seconds(1))
        #expect(events.screen.contains("Run this command?") && events.screen.contains("make update"))
        #expect(events.others == [])
        window.press([.character("y")])
        #expect(events.others == [.lend])
    }

    @Test func aCoverThatComesBackWithTheJobBeginsAnew() {
        cover()
        clock.advance(by: .seconds(5))
        window.beginInteraction()
        window.press([.character("r"), .character("q")])
        #expect(events.screen.contains("keys ignored"))
    }

    @Test func itSaysWhatHappensToTheProgram() {
        let texts: [(CoveredProgram, String)] = [
            (.notStarted, "vim has not started"), (.running, "vim continues underneath, and unsaved work is kept"),
            (.paused, "vim is stopped and continues afterwards"), (.stopped, "vim was stopped, and stays stopped"),
            (.ended, "vim is being ended"),
        ]
        cover()
        for (fate, text) in texts {
            window.show(fate)
            #expect(events.screen.contains(text))
        }
    }

    @Test func theTimeUntilTheEndIsCountedDown() {
        cover(.ending(after: .seconds(17)))
        #expect(events.screen.contains("vim is asked to end, and will be ended in 00:17"))
        for second in 1..<17 {
            clock.advance(by: .seconds(1))
            #expect(events.screen.contains("in 00:\(second > 7 ? "0" : "")\(17 - second)"))
        }
        clock.advance(by: .seconds(1))
        #expect(events.screen.contains("vim is being ended"))
        clock.advance(by: .seconds(60))
        window.show(.running)
        #expect(events.screen.contains("vim continues underneath"))
    }

    @Test func aViewThatStandsStillTellsTheTimeOfTheEnd() {
        var content = Self.content(.killed)
        (content.reducesMotion, content.date, content.timeZone) = (true, clock.date, .gmt)
        window.show(.running)
        window.present(KillSwitchView(), content: content)
        clock.advance(by: .seconds(3))
        window.show(.ending(after: .seconds(17)))
        for _ in 0..<10 {
            clock.advance(by: .seconds(1))
            window.press([.character("x")])
            #expect(events.screen.contains("will be ended at 14:02:31"), "at 14:02:11 and 20 s")
        }
    }

    // MARK: A stop on this machine

    private static let stop = LocalStop(
        author: "ada", reason: "wrong folder", since: Date(timeIntervalSince1970: 0), release: "bellerophon guard continue 7")

    /// What the window does to the program besides covering it, by the last frame.
    private var response: GuardResponse? {
        for case .block(_, let response) in events.all.reversed() { return response }
        return nil
    }

    private func stopHere() {
        window.statusContent = { Self.content(.active) }
        window.setLocalStop(Self.stop)
    }

    @Test("The screen of a local stop shows its author, its reason and the command that ends it")
    func localStopScreenExplains() {
        window.show(.paused)
        stopHere()
        for text in ["STOPPED ON THIS MACHINE", "reason given by ada", "wrong folder", "bellerophon guard continue 7"] {
            #expect(events.screen.contains(text), "\(text)")
        }
        #expect(!events.screen.contains("Back soon.") && !events.screen.contains("demo.local"), "it is not the service's")
        #expect(response == .pause)
        window.setLocalStop(nil)
        #expect(events.others == [.unblock] && window.display == nil)
    }

    @Test("A status view replaces the local stop screen, which returns when the status clears")
    func statusReplacesLocalStopScreen() {
        stopHere()
        window.present(KillSwitchView(), content: Self.content(.killed))
        #expect(events.screen.contains("SERVICE PAUSED") && events.screen.contains("It stays stopped on this machine"))
        #expect(response == .pause, "the stronger of the two")
        window.dismiss()
        #expect(events.screen.contains("STOPPED ON THIS MACHINE") && window.display != nil && events.others == [])
    }

    @Test("A status stays in effect when the local stop is released")
    func statusOutlastsLocalStop() {
        cover()
        stopHere()
        window.setLocalStop(nil)
        #expect(events.screen.contains("SERVICE PAUSED") && !events.screen.contains("on this machine"))
        #expect(response == .cover && window.display != nil && events.others == [])
    }

    @Test("A locally stopped program quits after the question is confirmed")
    func locallyStoppedProgramCanQuit() {
        window.show(.paused)
        stopHere()
        pressLater("q")
        pressLater("y")
        #expect(events.others == [.quit])
    }

    @Test func theDetailsTellOfTheStopOnThisMachine() {
        cover()
        stopHere()
        pressLater("d")
        #expect(events.screen.contains("stopped here") && events.screen.contains("by ada"))
    }

    @Test(
        arguments: [
            ([.cover, .pause], .pause), ([.terminate(grace: .seconds(1)), .pause], .terminate(grace: .seconds(1))),
            ([nil, nil], nil), ([.restart(grace: .seconds(1)), .cover], .restart(grace: .seconds(1))),
            ([.restart(grace: .seconds(1)), .pause], .pause),
        ] as [([GuardResponse?], GuardResponse?)])
    func theStrongerResponseCounts(responses: [GuardResponse?], strongest: GuardResponse?) {
        #expect(GuardResponse.strongest(responses) == strongest)
    }

    @Test func aProgramThatHasNotStartedIsLeftAtOnce() {
        cover(.notStarted)
        window.press([.control("c")])
        #expect(events.others == [.quit])
    }

    // MARK: Notices

    @Test func aNoticeIsPostedAgainInTheWordsOfTheSize() {
        var facts = StatusFacts()
        facts[.message] = "Read the new terms of the service"
        let rule = Rule(id: "n1", effect: .notice, facts: facts)
        let notice = OverlayNotice(
            Verdict.Notice(rule: rule, phase: .holding), app: AppInfo(name: "vim"), date: nil, timeZone: .gmt)
        window.notify(notice)
        window.resize(Size(columns: 20, rows: 6))
        window.notify(nil)
        let wide = NoticeWords.banner(notice, size: Size(columns: 80, rows: 24))
        let narrow = NoticeWords.banner(notice, size: Size(columns: 20, rows: 6))
        #expect(wide != narrow)
        #expect(events.all == [.notice(wide), .notice(narrow), .notice(nil)])
    }

    // MARK: For people who do not see the screen

    private func plainWindow() -> GuardWindow {
        let events = events
        var setup = GuardSetup.ofTest
        setup.isPlain = true
        let window = GuardWindow(setup, clock: clock)
        window.post = { events.all.append($0) }
        return window
    }

    @Test("The last line of a plain cover stands for a second, and keys that come meanwhile do nothing")
    func plainCoverSaysItsEnd() {
        let window = plainWindow()
        var changes: [Bool] = []
        window.onChange = { changes.append($0) }
        window.show(.running)
        window.present(GuardViews.kill(isPlain: true), content: Self.content(.killed))
        window.dismiss()
        window.press([.character("q"), .control("z")])
        #expect(events.screen.contains("vim is available again.") && events.others == [] && changes == [true])
        clock.advance(by: GuardWindow.farewellTime)
        #expect(events.others == [.unblock] && changes == [true, false])
    }

    @Test("A cover that comes while another one says its end stays")
    func plainCoverComesBack() {
        let window = plainWindow()
        let view = GuardViews.kill(isPlain: true)
        window.present(view, content: Self.content(.killed))
        window.dismiss()
        window.present(view, content: Self.content(.killed))
        clock.advance(by: .seconds(10))
        #expect(events.others == [] && window.display != nil)
        #expect(events.screen.contains("vim is paused") && !events.screen.contains("available"))
    }

    @Test func aPlainCoverEndsAtOnceWhenTheTerminalChanges() {
        let window = plainWindow()
        window.present(GuardViews.kill(isPlain: true), content: Self.content(.killed))
        window.dismiss()
        window.resize(Size(columns: 60, rows: 20))
        #expect(events.others == [.unblock])
        clock.advance(by: .seconds(10))
        #expect(events.others == [.unblock])
    }

    @Test func theReleaseOfAStopIsSaidInALine() {
        let window = plainWindow()
        window.statusContent = { Self.content(.active) }
        window.setLocalStop(Self.stop)
        window.setLocalStop(nil)
        #expect(events.screen.contains("vim is released.") && events.others == [])
        clock.advance(by: GuardWindow.farewellTime)
        #expect(events.others == [.unblock])
    }

    @Test("A notice is said once: before the start in a line, later in a row and again to the shell")
    func plainNotices() {
        let window = plainWindow()
        func notice(_ id: String, at date: Date? = nil) -> OverlayNotice {
            var facts = StatusFacts()
            facts[.message] = "Read the new terms"
            return OverlayNotice(
                Verdict.Notice(rule: Rule(id: id, effect: .notice, facts: facts), phase: .holding), app: AppInfo(name: "vim"),
                date: date, timeZone: .gmt)
        }
        let line = "bellerophon: vim: Read the new terms"
        let banner = NoticeWords.banner(notice("n1"), size: Size(columns: 80, rows: 24))
        window.notify(notice("n1"))
        #expect(events.all == [.tell(line: line, banner)] && window.noticeForShell == nil)
        window.show(.running)
        window.notify(notice("n1", at: Date(timeIntervalSince1970: 60)))
        window.resize(Size(columns: 80, rows: 25))
        #expect(events.all.count == 1, "the same notice is not said again")
        window.notify(notice("n2"))
        #expect(events.all.count == 2 && window.noticeForShell == "vim: Read the new terms")
        var mark = notice("n2")
        mark.form = .mark
        window.notify(mark)
        #expect(events.all.last == .notice(nil) && window.noticeForShell == nil)
    }
}
