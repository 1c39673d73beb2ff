import Bellerophon
import TerminalShadow
import TerminalUI
import Testing

@testable import TerminalGuard

@Suite("Guard machine: notices")
struct GuardMachineNoticeTests {
    private var test = GuardUnderTest.running()
    private static let notice = GuardEvent.notice(Banner(["NOTICE"]))

    /// The rows of the terminal that show the notice.
    private func noticed(_ test: GuardUnderTest) -> [Int] {
        test.terminal.lines.indices.filter { test.terminal.lines[$0].hasSuffix("NOTICE") }
    }

    /// The program has cleared the screen, which shows a notice.
    init() {
        test.output("\u{1B}[H\u{1B}[2Jfirst\r\nsecond\r\n")
        test.send(Self.notice)
    }

    @Test mutating func aNoticeComesAndGoes() {
        #expect(noticed(test) == [0])
        #expect(test.machine.banner == Banner(["NOTICE"]) && test.machine.block == nil)
        test.send(.notice(nil))
        #expect(test.terminal.lines == ["first", "second"])
        #expect(test.machine.banner == nil)
    }

    @Test mutating func typingIsNotDisturbed() {
        test.send(.typed(Array("q\u{3}x".utf8)))
        #expect(test.takeTyped() == "q\u{3}x")
        #expect(test.takePressed() == [])
    }

    @Test mutating func theOutputGoesOnBelowIt() {
        test.output("third\r\n\u{1B}[Hx")
        #expect(noticed(test).count == 1 && noticed(test) != [0])
        test.output("\u{1B}[4;1H")
        #expect(noticed(test) == [0])
        test.send(.notice(nil))
        #expect(test.terminal.lines == ["xirst", "second", "third"])
    }

    @Test mutating func aScrollLeavesNoCopy() {
        for number in 0..<60 { test.output("\(number)\r\n") }
        #expect(test.terminal.scrollback.prefix(4).elementsEqual(["first", "second", "0", "1"]))
        #expect(!test.terminal.scrollback.contains { $0.contains("NOTICE") })
        #expect(noticed(test) == [0])
    }

    @Test mutating func aCoverTakesItAwayAndGivesItBack() {
        test.send(.kill)
        #expect(test.terminal.isFull(of: "A"))
        test.output("third\r\n")
        #expect(test.terminal.isFull(of: "A"))
        test.send(.unblock)
        #expect(noticed(test) == [0])
        #expect(test.machine.banner == Banner(["NOTICE"]) && test.machine.block == nil)
        test.send(.notice(nil))
        #expect(test.terminal.lines == ["first", "second", "third"])
    }

    @Test mutating func aNoticeThatEndsUnderACoverIsGone() {
        test.send([.kill, .notice(nil)])
        #expect(test.terminal.isFull(of: "A"))
        test.send(.unblock)
        #expect(test.terminal.lines == ["first", "second"])
    }

    @Test mutating func theJobsStopTakesItAway() {
        test.send(.programStopped(by: GuardSignals.terminalStop))
        #expect(test.terminal.lines == ["first", "second"])
        // The shell writes meanwhile, so the notice waits until the program clears the screen.
        test.write("$ fg\r\n")
        test.send(.resumed(isForeground: true))
        #expect(noticed(test) == [])
        test.output("\u{1B}[H\u{1B}[2J\u{1B}[3;1H")
        #expect(noticed(test) == [0])
    }

    @Test mutating func theEndTakesItAway() {
        test.send([.programEnded(.exited(0)), .outputEnded])
        #expect(test.end == .program(.exited(0)))
        #expect(test.terminal.lines == ["first", "second"])
    }

    @Test func rowsFromBeforeTheGuardAreNotCovered() {
        var test = GuardUnderTest.running()
        test.send(Self.notice)
        let rows = noticed(test)
        #expect(rows.count == 1 && rows[0] > 0, "\(rows)")
        test.send(.notice(nil))
        #expect(test.terminal.lines == ["$ guard", "work"])
    }

    @Test("A crash of the guard takes the notice off the main screen")
    mutating func crashLiftsTheNotice() {
        let former = test.machine.resetState
        test.output("third\r\nfourth\r\nfifth")
        #expect(noticed(test) == [0])
        #expect(test.machine.resetState != former, "other rows are below the notice")
        test.write(String(decoding: test.machine.emergencyReset, as: UTF8.self))
        #expect(test.terminal.lines == ["second", "third", "fourth", "fifth"])
        test.write("!")
        #expect(test.terminal.lines.last == "fifth!")
    }

    // MARK: For people who do not see the screen

    private static let news = GuardEvent.tell(line: "bellerophon: news", Banner(["NOTICE"]))

    @Test func aNoticeBeforeTheStartIsALine() {
        var test = GuardUnderTest()
        test.send([.begun(isForeground: true), .announce("blind"), Self.news, .startAllowed])
        test.reply()
        test.output("work")
        #expect(test.terminal.lines == ["$ guard", "blind", "bellerophon: news", "work"])
    }

    @Test mutating func aNoticeIsPaintedOnce() {
        test.send([.notice(nil), Self.news])
        #expect(noticed(test) == [0])
        test.output("third")
        #expect(noticed(test) == [0])
        test.output("\r\n\r\n")
        #expect(test.terminal.lines == ["second", "third"])
        test.output("\u{1B}[3;1H")
        test.send([.kill, .unblock, .resized(GuardUnderTest.size)])
        #expect(noticed(test) == [])
        test.send(Self.news)
        #expect(noticed(test) == [0], "another one is painted")
        test.send(.notice(nil))
        #expect(test.terminal.lines == ["second", "third"])
    }

    @Test mutating func aNoticeThatComesWhileTheJobIsStoppedWaitsForIt() {
        test.send(.notice(nil))
        test.send(.programStopped(by: GuardSignals.terminalStop))
        test.send(Self.news)
        #expect(noticed(test) == [])
        test.send(.resumed(isForeground: true))
        test.output("\u{1B}[H\u{1B}[2J\u{1B}[3;1H")
        #expect(noticed(test) == [0])
    }
}
