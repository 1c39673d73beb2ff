import TerminalUI
import Testing

@testable import TerminalGuard
@testable import TerminalShadow

/// Terminals of the same name draw emoji of several characters differently. Only few of them can be installed for a test, so these
/// terminals are values that reply as the real ones do.
@Suite("Guard machine: how the terminal draws emoji")
struct GuardMachineEmojiTests {
    private static let heart = "\u{2764}\u{FE0F}", couple = "\u{1F468}\u{200D}\u{1F469}"
    private static let place = "\u{1B}[?1049;2$y\u{1B}[2;1R"
    /// The reply of a terminal that widens and joins: a heart and two couples in two columns each.
    private static let reply = "\u{1B}[2;7R"

    private func terminal(widens: Bool, joins: Bool, _ family: TerminalDialect.Family = .xterm) -> PersonsTerminal {
        var dialect = TerminalDialect(family)
        (dialect.widensEmoji, dialect.joinsEmoji) = (widens, joins)
        return PersonsTerminal(GuardUnderTest.size, dialect: dialect)
    }

    /// A guard whose terminal has said where the cursor is, and not yet how it draws emoji.
    private func asking(_ claim: AlternateScreenClaim = .askable, _ events: GuardEvent...) -> GuardUnderTest {
        var test = GuardUnderTest(alternateScreen: claim)
        test.send([.begun(isForeground: true)] + events)
        if claim == .askable {
            test.type(Self.place)
        } else {
            test.type("\u{1B}[2;1R")
            test.type("\u{1B}[2;1R")
        }
        return test
    }

    private func learns(_ test: GuardUnderTest) -> Bool {
        let dialect = test.machine.cover.shadow.dialect
        return dialect.widensEmoji && dialect.joinsEmoji
    }

    // MARK: What is learnt

    @Test(
        "The guard learns how the terminal draws emoji, leaves no trace, and brings a screen with them back",
        arguments: [TerminalDialect.Family.xterm, .tmux, .screen, .libvterm],
        [AlternateScreenClaim.askable, .described, .optional])
    func emojiAreLearnt(family: TerminalDialect.Family, claim: AlternateScreenClaim) {
        for (widens, joins) in [(false, false), (false, true), (true, false), (true, true)] {
            let terminal = terminal(widens: widens, joins: joins, family)
            var test = GuardUnderTest.running(in: terminal, dialect: TerminalDialect(family), alternateScreen: claim)
            #expect(test.machine.cover.shadow.dialect == terminal.dialect)
            #expect(test.terminal.lines == ["$ guard", "work"] && test.timers == [:] && test.typed == [])
            test.output("\u{1B}[?1049h\u{1B}[H\(Self.heart)|\(Self.couple)|\r\n\(Self.couple)x")
            let before = test.terminal
            test.send([.kill, .unblock])
            #expect(test.terminal.shows(before) && !test.machine.cover.isInexact)
            test.output("\u{1B}[6n")
            #expect(test.takeReplies() == Array("\u{1B}[2;\(joins ? 4 : 6)R".utf8), "the cursor is where it was")
        }
    }

    /// A program that shows the alternate screen by mode 47 finds what is left on it.
    @Test func theQuestionErasesItsText() {
        var test = GuardUnderTest.running()
        test.output("\u{1B}[?47h")
        #expect(test.terminal.showsAlternate && test.terminal.lines == [])
    }

    @Test(
        "A place that no known way of drawing leads to changes nothing",
        arguments: ["\u{1B}[2;1R", "\u{1B}[2;8R", "\u{1B}[2;12R", "\u{1B}[2;20R", "\u{1B}[1;7R", "\u{1B}[3;7R"])
    func anUnknownPlaceChangesNothing(reply: String) {
        var test = asking(.askable, .startAllowed)
        test.type(reply)
        #expect(test.hasStarted && test.typed == [])
        #expect(test.machine.cover.shadow.dialect == TerminalDialect())
    }

    @Test("A terminal that could not draw them apart, or would keep a mark, is not asked")
    func notEveryTerminalIsAsked() {
        let size = GuardUnderTest.size
        let tests: [(PersonsTerminal, AlternateScreenClaim, String)] = [
            (PersonsTerminal(size, hasAlternateScreen: false, reportsModes: false), .described, "no other screen"),
            (PersonsTerminal(size), .none, "no other screen is known"),
            (PersonsTerminal(size, dialect: TerminalDialect(.xterm, isUTF8: false)), .askable, "no UTF-8"),
        ]
        for (terminal, claim, reason) in tests {
            var test = GuardUnderTest(terminal, alternateScreen: claim)
            var sent: [UInt8] = []
            func record(_ actions: [GuardAction]) {
                for case .sendToTerminal(let bytes) in actions { sent += bytes }
            }
            record(test.send(.begun(isForeground: true)))
            record(test.send(.startAllowed))
            while case let replies = test.takeReplies(), !replies.isEmpty { record(test.send(.typed(replies))) }
            #expect(test.hasStarted && sent.firstRange(of: Array(Self.heart.utf8)) == nil, "\(reason)")
        }
        var shown = GuardUnderTest()
        shown.send([.begun(isForeground: true), .startAllowed])
        shown.type("\u{1B}[?1049;1$y\u{1B}[2;1R")
        #expect(asking(.askable, .startRefused).end == .refused(), "the guard is about to end")
        #expect(shown.hasStarted, "the terminal shows the other screen, and would not come back to it")
        #expect(
            !TerminalDialect().canAskForEmoji(columns: 12, rows: 24) && !TerminalDialect().canAskForEmoji(columns: 80, rows: 1))
    }

    // MARK: The time

    @Test("The question does not lengthen the time of the questions before it")
    func theStartIsNotSlower() {
        var test = GuardUnderTest()
        test.send([.begun(isForeground: true), .startAllowed])
        let actions = test.send(.typed(Array(Self.place.utf8)))
        #expect(actions == [.sendToTerminal(TerminalDialect.emojiQuestion)], "the 0.2 seconds from the beginning go on")
        #expect(!test.hasStarted && test.timers == [.cursorReport: .milliseconds(200)])
        test.fire(.cursorReport)
        #expect(test.hasStarted)
        #expect(asking(.described).timers == [.cursorReport: .milliseconds(200)], "the trial has 2 seconds")
    }

    @Test("A terminal that does not reply leaves the rest as it was asked for: the place, the notice and the cover")
    func aSilentTerminalHasTheRest() {
        var test = asking(.described, .notice(Banner(["NOTICE"])), .kill, .startAllowed)
        #expect(test.terminal.lines == ["$ guard", "", "", "NOTICE"] && !test.hasStarted)
        test.fire(.cursorReport)
        #expect(test.hasStarted && test.terminal.isFull(of: "A") && test.machine.cover.shadow.isAnchored)
        test.fire(.lateReport)
        test.send(.unblock)
        test.output("work")
        #expect(test.terminal.lines == ["$ guard", "work", "", "NOTICE"])
        #expect(test.machine.cover.shadow.dialect == TerminalDialect() && test.faults == [])
    }

    @Test("A late reply counts, and reaches neither the program nor the cover", arguments: [false, true])
    func aLateReplyCounts(isCovered: Bool) {
        var test = asking(.askable, .startAllowed)
        test.fire(.cursorReport)
        #expect(test.timers == [.lateReport: .seconds(5)])
        test.output("work \u{1F468}")
        if isCovered { test.send(.kill) }
        test.type(Self.reply)
        #expect(learns(test) && test.timers == [:])
        #expect(test.takeTyped() == "" && test.takePressed() == [])
        #expect(!test.machine.cover.isInexact)
    }

    @Test("What a program has drawn with such emoji before a late reply is not painted from the record")
    func emojiBeforeALateReplyAreInexact() {
        for (reply, isInexact) in [(Self.reply, true), ("\u{1B}[2;10R", false)] {
            var test = asking(.askable, .startAllowed)
            test.fire(.cursorReport)
            test.output("\u{1B}[?1049h\(Self.heart)")
            test.type(reply)
            #expect(test.machine.cover.isInexact == isInexact)
            test.output("\u{1B}[2J")
            #expect(!test.machine.cover.isInexact)
        }
    }

    @Test("A reply after a change of the size says nothing, and reaches nobody")
    func aChangedSizeDropsTheReply() {
        var test = asking(.askable, .startAllowed)
        test.send(.resized(Size(columns: 30, rows: 5)))
        #expect(test.hasStarted)
        test.type(Self.reply)
        #expect(!learns(test) && test.takeTyped() == "")
    }

    // MARK: Who gets the reply

    @Test("A reply in two parts reaches nobody", arguments: 1..<reply.count, [false, true])
    func aReplyInTwoParts(length: Int, isLate: Bool) {
        for isCovered in [false, true] {
            var test = asking(.askable, .startAllowed)
            if isLate { test.fire(.cursorReport) }
            test.type(String(Self.reply.prefix(length)))
            if isCovered { test.send(.kill) }
            test.type(Self.reply.dropFirst(length) + (isCovered ? "" : "x"))
            #expect(test.hasStarted && learns(test))
            #expect(test.takeTyped() == (isCovered ? "" : "x") && test.takePressed() == [])
            #expect(test.timers[.escapeKey] == nil)
        }
    }

    @Test("The next report belongs to the program that has asked for it")
    func theNextReportIsTheProgram() {
        var test = asking(.askable, .startAllowed)
        test.type(Self.reply)
        test.output("\u{1B}[6n")
        test.type("\u{1B}[3;3R")
        #expect(test.takeTyped() == "\u{1B}[3;3R")
    }

    @Test("A guard that ends waits for the reply, so that no shell gets it")
    func theEndWaitsForTheReply() {
        var refused = asking()
        refused.send(.startRefused)
        #expect(refused.end == nil)
        refused.type(Self.reply)
        #expect(refused.end == .refused())

        var late = asking(.askable, .startAllowed)
        late.fire(.cursorReport)
        late.send([.programEnded(.exited(0)), .outputEnded])
        #expect(late.end == nil)
        late.type("a\(Self.reply)b")
        #expect(late.end == .program(.exited(0)) && late.givenBack == Array("ab".utf8))
    }
}
