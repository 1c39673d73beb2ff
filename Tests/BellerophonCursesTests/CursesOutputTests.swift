import Testing

@testable import BellerophonCurses

@Suite("The terminal and the programs beside it")
struct CursesOutputTests {
    @Test(
        "An unfit terminal is refused with the first reason in one line",
        arguments: [
            (TerminalFacts.fit(input: false), TerminalError.notATerminal), (.fit(output: false), .notATerminal),
            (.fit(environment: [:]), .noTerm), (.fit(environment: ["TERM": ""]), .noTerm),
            (.fit(environment: ["TERM": "dumb"]), .dumbTerm("dumb")), (.fit(known: false), .unknownTerm("xterm")),
            (.fit(cursor: false), .dumbTerm("xterm")),
            (.fit(environment: ["TERM": "x\u{1B}[2Jy"], known: false), .unknownTerm("x[2Jy")),
        ])
    func unfitTerminalIsRefused(facts: TerminalFacts, reason: TerminalError) {
        #expect(throws: reason) { try facts.check() }
        #expect(!reason.description.contains("\n") && !reason.description.contains("\u{1B}"))
    }

    @Test func aFitTerminalIsAccepted() throws {
        try TerminalFacts.fit().check()
    }

    @Test("The background colour is requested once, and a late reply is ignored")
    func backgroundIsQueriedOnce() {
        let start = ContinuousClock.now
        var query = BackgroundQuery(isWanted: true), sent = 0
        query.askOnce(at: start) { sent += 1 }
        query.askOnce(at: start) { sent += 1 }
        #expect(sent == 1)
        #expect(query.isOutstanding(at: start + .milliseconds(999)))
        #expect(!query.isOutstanding(at: start + .seconds(1)))
        var late = query
        let isLateTaken = late.takeReply(at: start + .seconds(1))
        #expect(!isLateTaken)
        let isTaken = query.takeReply(at: start + .milliseconds(5))
        #expect(isTaken)
        let isTakenTwice = query.takeReply(at: start + .milliseconds(6))
        #expect(!isTakenTwice && !query.isOutstanding(at: start))
    }

    @Test func aThemeThatWasChosenIsNotAskedFor() {
        var query = BackgroundQuery(isWanted: false)
        query.askOnce(at: .now) { Issue.record("asked") }
        let isTaken = query.takeReply(at: .now)
        #expect(!isTaken, "an unexpected reply changes nothing")
    }
}

extension TerminalFacts {
    /// A suitable terminal, except for the given values.
    fileprivate static func fit(
        input: Bool = true, output: Bool = true, environment: [String: String] = ["TERM": "xterm"],
        known: Bool = true, cursor: Bool = true
    ) -> TerminalFacts {
        TerminalFacts(
            isInputTerminal: input, isOutputTerminal: output, environment: environment, isKnown: known,
            canPlaceCursor: cursor)
    }
}
