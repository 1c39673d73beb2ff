import TestSupport
import Testing

@testable import TerminalShadow

/// Real terminals judge whether a cover or a notice that was there leaves a trace.
@Suite("Live terminals", .serialized)
struct LiveTerminalTests {
    @Test(.enabled(if: Products.find("tmux") != nil, "tmux is not installed"))
    func tmuxShowsNoTrace() async throws {
        let failures = try await onOwnThread { try LiveTrial.failures(.tmux, seeds: 1..<21) }
        #expect(failures == [])
    }

    @Test(.enabled(if: XtermUnderTest.isInstalled, "xterm or Xvfb is not installed"))
    func xtermShowsNoTrace() async throws {
        let failures = try await onOwnThread { try LiveTrial.failures(.xterm, seeds: 1..<7) }
        #expect(failures == [])
    }

    /// tmux keeps the rows of a screen that is erased as a whole, up to the last one that was used.
    @Test(.enabled(if: Products.find("tmux") != nil, "tmux is not installed"))
    func aNoticeLeavesNoBlankRowsInTheHistory() async throws {
        let history = try await onOwnThread {
            let trial = try LiveTrial(.tmux)
            defer { trial.end() }
            _ = try trial.findings([.notice(true), .output(Array("\u{1B}[2J\u{1B}[2J".utf8))])
            return try [trial.covered, trial.direct].map { try $0.snapshot().history }
        }
        #expect(history[0] == history[1])
    }

    /// What the reply says is true of the same emoji in a program's output. Versions of the terminals differ in it.
    @Test(.enabled(if: Products.find("tmux") != nil && XtermUnderTest.isInstalled, "tmux, xterm or Xvfb is not installed"))
    func theTerminalsSayHowTheyDrawEmoji() async throws {
        let findings = try await onOwnThread {
            let tmux = try LiveTmux(), xterm = try LiveXterm(at: 0)
            defer { [tmux, xterm].forEach { $0.end() } }
            return try Self.findings(of: tmux, TerminalDialect(.tmux)) + Self.findings(of: xterm, TerminalDialect(.xterm))
        }
        #expect(findings == [])
    }

    /// What is wrong with the question how emoji are drawn, and with its reply.
    private static func findings(of terminal: LiveTerminal, _ dialect: TerminalDialect) throws -> [String] {
        try terminal.reset()
        try terminal.feed(Array("ab\u{1B}[3;5H\u{1B}[31mcd".utf8))
        let before = try terminal.snapshot()
        let reply = try place(terminal.feed(TerminalDialect.emojiQuestion))
        var findings = try terminal.snapshot().differences(from: before)
        try terminal.feed(Array("\u{1B}[?47h".utf8))
        if try terminal.snapshot().rows.contains(where: { !$0.isEmpty }) {
            findings.append("text is left on the alternate screen")
        }
        let learnt = dialect.withEmoji(endingAt: reply.column, row: reply.row)
        if reply.row != 1 { findings.append("the reply is \(reply)") }
        for text in ["\u{2764}\u{FE0F}", "\u{1F468}\u{200D}\u{1F469}", "\u{2764}\u{FE0F}\u{200D}\u{1F525}"] {
            try terminal.reset()
            var shadow = TestTerminal(
                columns: LiveTerminal.columns, rows: LiveTerminal.rows, dialect: learnt, hasAlternateScreen: true)
            shadow.feed(Array("\u{1B}[?1049h\u{1B}[H\(text)".utf8))
            let column = try place(terminal.feed(Array("\(text)\u{1B}[6n".utf8))).column
            if shadow.shadow.column != column { findings.append("\(text): \(column), learnt \(shadow.shadow.column)") }
        }
        return findings
    }

    private static func place(_ reply: [UInt8]) throws -> (column: Int, row: Int) {
        let numbers = String(decoding: reply.dropFirst(2).dropLast(), as: UTF8.self).split(separator: ";").compactMap { Int($0) }
        guard numbers.count == 2 else { throw TestError("no place: \(reply)") }
        return (numbers[1] - 1, numbers[0] - 1)
    }

    /// The recorded places and rows of ``DialectPlaceTests`` are those of the terminals that are installed.
    @Test(.enabled(if: Products.find("tmux") != nil && XtermUnderTest.isInstalled, "tmux, xterm or Xvfb is not installed"))
    func theTerminalsShowWhatIsRecorded() async throws {
        let differences = try await onOwnThread {
            let tmux = try LiveTmux(), xterm = try LiveXterm(at: 0)
            defer { [tmux, xterm].forEach { $0.end() } }
            return try DialectPlaceTests.recorded.flatMap { stream in
                try [tmux, xterm].compactMap { terminal -> String? in
                    try terminal.reset()
                    try terminal.feed(Array(stream.bytes.utf8))
                    let shown = try terminal.snapshot().rows.map { $0.filter { $0 != "\u{FFFF}" } }
                    let expected = terminal is LiveTmux ? stream.tmux : stream.xterm
                    let rows = Array(shown.suffix(LiveTerminal.rows)).drop { $0.isEmpty }
                    return shown.joined(separator: "|").contains(expected)
                        ? nil : "\(stream.bytes.debugDescription): \(rows), expected \(expected)"
                }
            }
        }
        #expect(differences == [])
    }
}
