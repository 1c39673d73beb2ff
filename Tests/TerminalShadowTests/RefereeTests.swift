import Foundation
import TerminalShadow
import TestSupport
import Testing

/// libvterm judges whether covering and uncovering leaves the terminal as it would be without them.
@Suite("Referee", .enabled(if: RefereeTerminal.isAvailable, "libvterm is not installed"))
struct RefereeTests {
    /// The cuts of a recording: fewer in `make test`, because there are 23 recordings.
    private static let cuts =
        ProcessInfo.processInfo.environment["GUARD_CUTS"].flatMap { Int($0) } ?? (Seed.proof == nil ? 24 : 200)

    @Test(arguments: Recording.all) func coveringLeavesNoTrace(recording: Recording) {
        var random = SplitMix64(seed: 1)
        let stretches = (0..<Self.cuts).map { _ in
            let cut = Int.random(in: 0...recording.bytes.count, using: &random)
            return cut..<cut
        }
        expectNone(CoverTrial(stream: recording.bytes).findings(stretches: stretches))
    }

    @Test(arguments: Recording.all) func outputUnderTheCoverIsCaughtUp(recording: Recording) {
        var random = SplitMix64(seed: 2)
        let stretches = (0..<Self.cuts).map { _ in
            Self.stretch(of: recording.bytes.count, atMost: 8192, using: &random)
        }
        expectNone(CoverTrial(stream: recording.bytes).findings(stretches: stretches))
    }

    @Test(arguments: Seed.range("streams below covers", default: 0..<100)) func randomOutputIsCaughtUp(seed: UInt64) {
        let stream = RandomStream.bytes(seed: seed, columns: 40, rows: 12)
        var random = SplitMix64(seed: ~seed)
        let stretches = (0..<20).map { Self.stretch(of: stream.count, atMost: $0 % 2 * 1024, using: &random) }
        let findings = CoverTrial(stream: stream, columns: 40, rows: 12).findings(stretches: stretches)
        expectNone(findings)
    }

    /// A cover that says that it is inexact makes the program draw its screen again. No ordinary program should need that.
    @Test(arguments: Recording.all) func onlySideMarginsAreInexact(recording: Recording) {
        var live = LiveRelay(columns: Recording.columns, rows: Recording.rows)
        live.relay(recording.bytes[...])
        let isInexact = live.cover.isInexact
        #expect(isInexact == recording.name.hasSuffix("-margins"))
    }

    // MARK: What the referee would find

    @Test func aCoverThatStaysIsFound() throws {
        let recording = try #require(Recording.all.first)
        let cut = recording.bytes.count / 2
        let direct = RefereeTerminal(columns: Recording.columns, rows: Recording.rows)
        direct.feed(recording.bytes[..<cut])
        var live = LiveRelay(columns: Recording.columns, rows: Recording.rows)
        live.relay(recording.bytes[..<cut])
        var run = CoveredRun(of: live)
        run.coverScreen(with: CoveredRun.painting(columns: Recording.columns, rows: Recording.rows))
        let found = Set(run.terminal.snapshot().differences(from: direct.snapshot()).map(\.field))
        #expect(found.isSuperset(of: [.cells]))
    }

    @Test(arguments: [
        (RefereeSnapshot.Field.cells, "x\r"), (.cells, "\u{1B}[41m\u{1B}[K\u{1B}[m"), (.cells, " \r"),
        (.cells, "\u{1B}[1mx\u{1B}[m\r"),
        (.scrollback, "\u{1B}[30;1H\n\u{1B}[H"), (.cursorPlace, "\u{1B}[3;4H"), (.cursorVisibility, "\u{1B}[?25l"),
        (.cursorBlink, "\u{1B}[?12l"), (.cursorShape, "\u{1B}[4 q"), (.screen, "\u{1B}[?1049h"), (.reverse, "\u{1B}[?5h"),
        (.mouse, "\u{1B}[?1002h"), (.title, "\u{1B}]2;other\u{07}"), (.settings, "\u{1B}[?2004h"),
        (.settings, "\u{1B}[4;9r\u{1B}[H"),
        (.settings, "\u{1B}[35m"), (.settings, "\u{1B}[?7l"), (.settings, "\u{1B}[?1006h"),
    ])
    func aDifferenceIsFound(field: RefereeSnapshot.Field, output: String) {
        let one = RefereeTerminal(columns: 100, rows: 30), other = RefereeTerminal(columns: 100, rows: 30)
        #expect(one.snapshot().differences(from: other.snapshot()).isEmpty)
        one.feed(Array(output.utf8))
        #expect(one.snapshot().differences(from: other.snapshot()).map(\.field).contains(field))
    }

    // MARK: Parts

    private static func stretch(of count: Int, atMost length: Int, using random: inout SplitMix64) -> Range<Int> {
        let start = Int.random(in: 0...count, using: &random)
        return start..<min(start + Int.random(in: 0...length, using: &random), count)
    }

    /// Expects no findings, and reports the number of each kind and the first of it.
    private func expectNone(_ findings: [CoverTrial.Finding], sourceLocation: SourceLocation = #_sourceLocation) {
        guard !findings.isEmpty else { return }
        let kinds = Dictionary(grouping: findings) { "\($0.moment.rawValue), \($0.difference.field.rawValue)" }
        let lines = kinds.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.count), the first: \($0.value[0])" }
        Issue.record("\(lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
    }
}
