import Testing

@testable import BellerophonCurses

@Suite("The terminal and the programs beside it")
struct CursesOutputTests {
    @Test(
        "An unfit terminal is refused with the first reason in one line",
        arguments: [
            ("xterm", -1, .unknownTerm("xterm")), ("xterm", 0, .unknownTerm("xterm")), ("xterm", 1, .dumbTerm("xterm")),
            (nil, 2, .noTerm), ("", 2, .noTerm), ("dumb", 2, .dumbTerm("dumb")), ("x\u{1B}[2Jy", 0, .unknownTerm("x[2Jy")),
        ] as [(String?, Int32, TerminalError)])
    func unfitTerminalIsRefused(name: String?, knowledge: Int32, reason: TerminalError) {
        #expect(throws: reason) { try TerminalError.verify(isTerminal: true, name: name) { _ in knowledge } }
        #expect(throws: TerminalError.notATerminal) { try TerminalError.verify(isTerminal: false, name: name) { _ in knowledge } }
        #expect(!reason.description.contains("\n") && !reason.description.contains("\u{1B}"))
    }

    @Test func aFitTerminalIsAccepted() throws {
        try TerminalError.verify(isTerminal: true, name: "xterm") { _ in 2 }
    }

    @Test("The background colour is requested once, and a late reply is ignored")
    func backgroundIsQueriedOnce() {
        let start = ContinuousClock.now
        var query = BackgroundQuery(isWanted: true), sent = 0
        query.askOnce(at: start) { sent += 1 }
        query.askOnce(at: start) { sent += 1 }
        #expect(sent == 1)
        var late = query
        #expect(late.receive(Self.white, at: start + .seconds(1)) == nil)
        #expect(query.receive(Self.white, at: start + .milliseconds(5)) == .light)
        #expect(query.receive(Self.white, at: start + .milliseconds(6)) == nil)
    }

    private static let white = Array("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\".utf8)

    @Test("A reply is outstanding until the terminal has answered the last question, so that no shell gets it")
    func repliesAreAwaitedUpToTheLast() {
        let start = ContinuousClock.now
        var query = BackgroundQuery(isWanted: true)
        #expect(!query.isOutstanding(at: start))
        query.askOnce(at: start) {}
        #expect(BackgroundQuery.bytes.hasSuffix("\u{1B}[c"), "every terminal answers this one")
        _ = query.receive(Self.white, at: start + .seconds(2))
        _ = query.receive(Array("\u{1B}[?2026;2$y".utf8), at: start + .seconds(2))
        #expect(query.isOutstanding(at: start + .seconds(2)))
        var silent = query
        #expect(!silent.isOutstanding(at: start + .seconds(5)), "a terminal that answers nothing is not waited for later")
        _ = silent.receive(Array("\u{1B}[?62;4c".utf8), at: start + .seconds(9))
        _ = query.receive(Array("\u{1B}[?62;4c".utf8), at: start + .seconds(2))
        #expect(!query.isOutstanding(at: start + .seconds(2)))
    }

    @Test func aThemeThatWasChosenIsNotAskedFor() {
        var query = BackgroundQuery(isWanted: false)
        query.askOnce(at: .now) { Issue.record("asked") }
        #expect(query.receive(Self.white, at: .now) == nil, "an unexpected reply changes nothing")
    }
}
