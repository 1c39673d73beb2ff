import Bellerophon
import TerminalUI
import Testing

@testable import BellerophonViews

/// What asks before it ends the program or does something outside of it.
@MainActor @Suite struct OverlayQuestionTests {
    private var overlay = OverlayUnderTest(ForceUpdateView(), OverlayUnderTest.outdated)
    private static let command = "sudo apt-get install example"

    /// Every command that asks: its key, what the screen shows, and what happens.
    private static let cases: [(Key, [String], OverlayEffect)] = [
        (.character("u"), ["Run this command?", command, "y run it"], .runUpdate(UpdateCommand(command))),
        (.character("o"), ["Open this address?", "https://demo.local/get", "y open it"], .openLink("https://demo.local/get")),
        (.character("q"), ["End example?", "Unsaved work may be lost.", "y end example"], .quit),
        (.control("c"), ["End example?", "Unsaved work may be lost.", "y end example"], .quit),
    ]

    @Test(arguments: 0..<4)
    mutating func itIsDoneOnlyAfterAnotherKeyThatTheFooterNames(number: Int) {
        let (key, texts, effect) = Self.cases[number]
        #expect(overlay.press(key) == [])
        #expect(!overlay.footer.contains("any other key goes back") || !overlay.footer.contains(texts[2]))
        overlay.pass(.seconds(1))
        for text in texts { #expect(overlay.screen.contains(text)) }
        #expect(overlay.press("y") == [effect])
        #expect(!overlay.interaction.isAsking)
        #expect(overlay.press("y") != [effect], "it is asked again")
    }

    @Test(arguments: 0..<4)
    mutating func anyOtherKeyWithdrawsItAndSaysSo(number: Int) {
        let (key, _, effect) = Self.cases[number]
        let notice =
            switch effect {
            case .quit: "example was not ended"
            case .openLink: "the address was not opened"
            default: "the command was not run"
            }
        for other in [Key.escape, .enter, .character("n"), .character("Y"), .character("d"), .down, .tab] {
            overlay.press(key)
            overlay.pass(.seconds(1))
            #expect(overlay.press(other) == [])
            #expect(overlay.presentation.notice == notice && !overlay.interaction.isAsking)
            #expect(overlay.presentation.page == .status, "the key does nothing else")
        }
    }

    @Test(arguments: 0..<4)
    mutating func theKeyThatAskedNeverConfirmsHoweverLongItIsHeld(number: Int) {
        let key = Self.cases[number].0
        for _ in 0..<300 {
            #expect(overlay.press(key) == [])
            overlay.pass(.milliseconds(30))
        }
        #expect(overlay.interaction.isAsking)
    }

    @Test("The key that asks a question does not confirm it")
    mutating func askingKeyIsNotTheAnswer() {
        let keys = OverlayCommand.updateKeys.bindings.filter { $0.action != .copyLink }.map { binding in
            binding.action == .runUpdate
                ? KeyBinding(.character("y"), does: .runUpdate, hint: "update", help: "") : binding
        }
        overlay = OverlayUnderTest(ForceUpdateView(keys: KeyMap(keys)), OverlayUnderTest.outdated)
        overlay.press("y")
        overlay.pass(.seconds(2))
        #expect(overlay.footer.contains("Y run it"))
        #expect(overlay.press("y") == [])
        overlay.pass(.seconds(2))
        #expect(overlay.press("Y") == [.runUpdate(UpdateCommand(Self.command))])
    }

    @Test mutating func anAnswerThatIsTypedOnDoesNotConfirm() {
        overlay.press("u")
        for _ in 0..<20 {
            overlay.pass(.milliseconds(300))
            #expect(overlay.press("y") == [])
        }
        overlay.pass(.milliseconds(500))
        #expect(overlay.press("y") == [.runUpdate(UpdateCommand(Self.command))])
    }

    @Test("A program that has not started is left without a question")
    mutating func unstartedProgramNeedsNoQuestion() {
        overlay.content.program = .notStarted
        #expect(overlay.press("q") == [.quit])
        overlay.begin()
        #expect(overlay.press("q") == [])
        #expect(overlay.press(.control("c")) == [.quit])
    }

    @Test("A confirmed question performs the action that it showed")
    mutating func confirmedActionIsTheShownOne() {
        overlay.press("o")
        overlay.pass(.seconds(1))
        overlay.content.link = "https://elsewhere.local/"
        #expect(overlay.press("y") == [.openLink("https://demo.local/get")])
    }

    @Test("Ctrl-C replaces another question by the one about ending the program")
    mutating func controlCReplacesQuestion() {
        overlay.press("u")
        overlay.press(.control("c"))
        #expect(overlay.interaction.question?.title == "End example?")
    }

    @Test("Ctrl-L keeps the question, and Ctrl-Z withdraws it")
    mutating func controlLKeepsQuestion() {
        overlay.press("u")
        #expect(overlay.press(.control("l")) == [.redrawEveryCell])
        #expect(overlay.interaction.isAsking)
        #expect(overlay.press(.control("z")) == [.suspend])
        #expect(!overlay.interaction.isAsking)
    }

    // MARK: The screen

    @Test mutating func aLongCommandIsShownInFullAndScrolls() {
        let words = (1...300).map { "package\($0)" }
        overlay.content.app.updateCommand = "sudo apt-get install " + words.joined(separator: " ")
        overlay.press("u")
        overlay.pass(.seconds(1))
        #expect(overlay.footer.contains("scroll"))
        var seen = ""
        for _ in 0..<60 {
            seen += overlay.screen
            #expect(overlay.press(.down) == [])
        }
        for word in words { #expect(seen.contains(word)) }
        #expect(overlay.interaction.isAsking, "scrolling withdraws nothing")
        let end = overlay.screen
        overlay.press(.pageDown)
        overlay.press(.mouse(MouseEvent(.wheelDown, at: Point(column: 3, row: 3))))
        #expect(overlay.screen == end)
        overlay.press(.home)
        #expect(overlay.screen.contains("sudo apt-get install package1 "))
    }

    @Test mutating func hostileTextIsShownHarmlessly() {
        overlay.content.app.updateCommand = "echo \u{1B}[2Jgone\u{202E}txt\nrm -r x"
        overlay.press("u")
        #expect(!overlay.screen.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
        #expect(overlay.screen.contains("rm -r x"))
    }

    @Test("Nothing is asked or confirmed when the screen has no room for the question")
    mutating func tooSmallScreenAsksNothing() {
        for size in [Size(columns: 19, rows: 24), Size(columns: 80, rows: 4), Size(columns: 1, rows: 1)] {
            overlay.size = size
            for key in ["u", "o"] as [Character] {
                #expect(overlay.press(key) == [])
                #expect(!overlay.interaction.isAsking)
            }
        }
        overlay.size = Size(columns: 80, rows: 24)
        overlay.press("u")
        overlay.pass(.seconds(1))
        overlay.size = Size(columns: 10, rows: 3)
        #expect(overlay.press("y") == [], "what can't be read any longer is not confirmed")
    }

    @Test mutating func aCommandThatIsTooLongToShowIsNotRun() {
        overlay.content.app.updateCommand = String(repeating: "x", count: OverlayQuestion.textLimit + 1)
        #expect(overlay.press("u") == [])
        #expect(!overlay.interaction.isAsking && overlay.presentation.notice == "the command is too long to be shown")
    }

    /// A click in the footer beside the keys may be the second of a double click, and does nothing.
    @Test mutating func clicksAnswerTheQuestion() throws {
        overlay.press("u")
        let row = overlay.size.rows - 1
        #expect(overlay.frame.key(at: Point(column: 1, row: row)) == .character("u"), "before the answer counts")
        overlay.pass(.seconds(1))
        #expect(overlay.frame.key(at: Point(column: 1, row: row)) == .character("y"))
        #expect(overlay.frame.key(at: Point(column: 79, row: row)) == .character("u"))
        let other = try #require(overlay.footer.firstRange(of: "any other"))
        let column = overlay.footer.distance(from: overlay.footer.startIndex, to: other.lowerBound)
        #expect(overlay.frame.key(at: Point(column: column, row: row)) == .escape)
    }

    @Test mutating func aViewOfTheAppHasTheQuestionToo() {
        overlay = OverlayUnderTest(BareView(), OverlayUnderTest.paused)
        overlay.press("q")
        overlay.pass(.seconds(1))
        #expect(overlay.screen.contains("End example?") && overlay.footer.contains("y end example"))
    }

    @Test mutating func noSizeBreaksTheFrame() {
        overlay.content.app.name = "服务正在维护服务正在维护服务正在维护"
        for key in [Key.character("u"), .character("o"), .control("c")] {
            overlay.size = Size(columns: 80, rows: 24)
            overlay.interaction.reset()
            overlay.press(key)
            for isReady in [false, true] {
                if isReady { overlay.pass(.seconds(1)) }
                for columns in 0...30 {
                    for rows in 0...9 {
                        overlay.size = Size(columns: columns, rows: rows)
                        let frame = overlay.frame
                        for row in 0..<rows { #expect(frame.row(row).reduce(0) { $0 + $1.width } == columns) }
                    }
                }
            }
        }
    }
}
