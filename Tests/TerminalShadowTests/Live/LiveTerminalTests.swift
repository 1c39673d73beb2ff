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
