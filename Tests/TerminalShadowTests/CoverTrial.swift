import TerminalShadow

/// Compares a terminal whose program was covered for a while with one that got the same output directly.
///
/// The relay holds an unfinished sequence back, which has no effect on a terminal before its end. So the direct terminal gets
/// the output up to the last complete sequence or character, which the test finds by itself, and the cover may have held back
/// no more than that.
struct CoverTrial {
    let stream: [UInt8]
    let boundaries: StreamBoundaries
    let columns: Int
    let rows: Int

    init(stream: [UInt8], columns: Int = Recording.columns, rows: Int = Recording.rows) {
        self.stream = stream
        (self.columns, self.rows) = (columns, rows)
        boundaries = StreamBoundaries(of: stream)
    }

    /// Where a difference was seen.
    enum Moment: String, Sendable {
        /// The program's output has reached the cover's screen, or the program got other answers.
        case whileCovered
        case afterUncovering, afterTheProbe, atTheEnd
    }

    struct Finding: CustomStringConvertible, Sendable {
        let stretch: Range<Int>
        let moment: Moment
        let difference: RefereeSnapshot.Difference

        var description: String {
            "covered from \(stretch.lowerBound) to \(stretch.upperBound), \(moment.rawValue), \(difference)"
        }
    }

    /// What differs after the program was covered during each stretch of the stream, one at a time.
    ///
    /// Where the cover says that it is inexact, the program draws its screen again, and the screen is not judged.
    func findings(stretches: [Range<Int>]) -> [Finding] {
        let stretches = judgeable(stretches)
        let expected = snapshots(at: stretches.map(\.upperBound) + [stream.count])
        let painting = CoveredRun.painting(columns: columns, rows: rows)
        var live = LiveRelay(columns: columns, rows: rows)
        var findings: [Finding] = []
        for (index, stretch) in stretches.enumerated() {
            live.relay(stream[live.taken..<stretch.lowerBound])
            var run = CoveredRun(of: live)
            func add(_ moment: Moment, _ differences: [RefereeSnapshot.Difference]) {
                findings += differences.filter { moment == .whileCovered || !run.isInexact || !$0.field.isDrawn }
                    .map { Finding(stretch: stretch, moment: moment, difference: $0) }
            }
            run.coverScreen(with: painting)
            add(.whileCovered, relay(stretch, to: &run, chunk: 1 + index * 37 % 4096))
            run.uncoverScreen()
            add(.afterUncovering, run.terminal.snapshot().differences(from: expected[stretch.upperBound]))
            if index % 8 == 7 {
                let direct = RefereeTerminal(columns: columns, rows: rows)
                add(.whileCovered, answers(of: run, during: stretch, comparedWith: direct))
                add(.afterTheProbe, probe(run.terminal, comparedWith: direct))
            } else {
                run.finish(stream[run.taken...])
                add(.atTheEnd, run.terminal.snapshot().differences(from: expected[stream.count]))
            }
        }
        return findings
    }

    /// What the direct terminal shows at the positions.
    private func snapshots(at positions: [Int]) -> [Int: RefereeSnapshot] {
        let terminal = RefereeTerminal(columns: columns, rows: rows)
        var snapshots: [Int: RefereeSnapshot] = [:], fed = 0
        for position in Set(positions).sorted() {
            let end = boundaries.boundary(atOrBefore: position)
            terminal.feed(stream[fed..<end])
            fed = end
            _ = terminal.takeReplies()
            snapshots[position] = terminal.snapshot()
        }
        return snapshots
    }

    // MARK: While covered

    /// Relays output to a covered terminal. Only the title may change there.
    private func relay(_ stretch: Range<Int>, to run: inout CoveredRun, chunk: Int) -> [RefereeSnapshot.Difference] {
        guard !stretch.isEmpty else { return [] }
        let start = run.terminal.snapshot()
        run.relay(stream[stretch], chunk: chunk)
        return run.terminal.snapshot().differences(from: start).filter { $0.field != .title }
    }

    /// Compares the answers that a covered program got with the direct terminal's. Their order is free. The direct terminal
    /// has got the stream up to the end of the stretch then.
    private func answers(
        of run: CoveredRun, during stretch: Range<Int>, comparedWith direct: RefereeTerminal
    ) -> [RefereeSnapshot.Difference] {
        let start = boundaries.boundary(atOrBefore: stretch.lowerBound)
        direct.feed(stream[..<start])
        _ = direct.takeReplies()
        direct.feed(stream[start..<boundaries.boundary(atOrBefore: stretch.upperBound)])
        let expected = RefereeSnapshot.replies(direct.takeReplies()).sorted()
        let actual = RefereeSnapshot.replies(run.answers).sorted()
        guard actual != expected else { return [] }
        return [RefereeSnapshot.Difference(field: .answers, detail: "\(actual) instead of \(expected)")]
    }

    // MARK: Afterwards

    /// Makes visible what a snapshot does not show: the pending wrap, insert mode, character sets, tab stops, margins, the
    /// saved cursors.
    func probe(_ terminal: RefereeTerminal, comparedWith direct: RefereeTerminal) -> [RefereeSnapshot.Difference] {
        Self.probes.flatMap { bytes -> [RefereeSnapshot.Difference] in
            // Without a saved cursor a terminal goes home. After a cover it goes where the cover has saved the cursor.
            if bytes == Self.restoringProbe, !direct.hasSavedCursor { return [] }
            // Where cells are not kept, the character that makes such a wrap is not known any more.
            if bytes == Self.restoringProbe, direct.hasSavedWrap, !direct.place.isAlternate { return [] }
            direct.feed(bytes)
            terminal.feed(bytes)
            _ = (direct.takeReplies(), terminal.takeReplies())
            return terminal.snapshot().differences(from: direct.snapshot())
        }
    }

    private static let restoringProbe = Array("\u{1B}8qx".utf8)
    private static let probes: [[UInt8]] =
        ["qx", "\u{0E}q\u{0F}q", "\r\n\t|\t|\t|", "\u{1B}[1;1Ho\u{1B}[99;99Hl\r\n\n"].map { Array($0.utf8) }
        + [restoringProbe, Array("\u{1B}[?1047l".utf8), restoringProbe]
}
