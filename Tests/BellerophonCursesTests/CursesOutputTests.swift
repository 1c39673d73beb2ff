import Testing

@testable import BellerophonCurses

@Suite("The terminal and the programs beside it")
struct CursesOutputTests {
    @Test(arguments: [
        (TerminalFacts.fit(input: false), TerminalError.notATerminal), (.fit(output: false), .notATerminal),
        (.fit(environment: [:]), .noTerm), (.fit(environment: ["TERM": ""]), .noTerm),
        (.fit(environment: ["TERM": "dumb"]), .dumbTerm("dumb")), (.fit(known: false), .unknownTerm("xterm")),
        (.fit(cursor: false), .dumbTerm("xterm")),
        (.fit(environment: ["TERM": "xterm", "LANG": "de_DE"], utf8: false), .notUTF8(locale: "de_DE")),
        (.fit(environment: ["TERM": "xterm", "LC_ALL": "", "LANG": ""], utf8: false), .notUTF8(locale: "C")),
        (.fit(environment: ["TERM": "x\u{1B}[2Jy"], known: false), .unknownTerm("x[2Jy")),
    ])
    func aTerminalThatWillNotDoIsRefusedWithTheFirstReasonInOneLineThatSaysWhatToDo(facts: TerminalFacts, reason: TerminalError) {
        #expect(throws: reason) { try facts.check() }
        #expect(!reason.description.contains("\n") && !reason.description.contains("\u{1B}"))
    }

    @Test func aFitTerminalIsAccepted() throws {
        try TerminalFacts.fit().check()
    }

    @Test func theBrowserIsBROWSERsFirstAndNoneWithoutADisplay() {
        #expect(Browser(environment: ["BROWSER": "/usr/bin/w3m -N:firefox"])?.name == "w3m")
        #expect(Browser(environment: ["PATH": "/nowhere", "DISPLAY": ":0"]) == nil)
    }

    @Test(arguments: [
        (ChildProcess.End.exit(0), "finished"), (.exit(3), "failed with exit code 3"), (.signal(2), "was interrupted"),
    ])
    func howACommandEndedIsSaidInWords(end: ChildProcess.End, words: String) {
        #expect(end.description == words)
    }
}

extension TerminalFacts {
    /// A suitable terminal, except for the given values.
    fileprivate static func fit(
        input: Bool = true, output: Bool = true, environment: [String: String] = ["TERM": "xterm"],
        known: Bool = true, cursor: Bool = true, utf8: Bool = true
    ) -> TerminalFacts {
        TerminalFacts(
            isInputTerminal: input, isOutputTerminal: output, environment: environment, isKnown: known,
            canPlaceCursor: cursor, isUTF8: utf8)
    }
}
