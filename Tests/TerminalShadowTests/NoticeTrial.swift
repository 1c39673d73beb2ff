import TerminalUI

@testable import TerminalShadow

/// Compares a terminal on which a notice comes and goes with one that gets the same output without notices.
struct NoticeTrial {
    let stream: [UInt8]
    let columns: Int
    let rows: Int
    /// How many times the notice was seen.
    private(set) var shown = 0
    private(set) var findings: [String] = []

    init(stream: [UInt8], columns: Int = Recording.columns, rows: Int = Recording.rows) {
        (self.stream, self.columns, self.rows) = (stream, columns, rows)
    }

    /// - Parameters:
    ///   - period: the notice comes or goes each time this many bytes were sent.
    ///   - chunk: the most bytes that are sent at a time.
    mutating func run(period: Int, chunk: Int) {
        let boundaries = StreamBoundaries(of: stream), judge = CoverTrial(stream: stream, columns: columns, rows: rows)
        let direct = RefereeTerminal(columns: columns, rows: rows), terminal = RefereeTerminal(columns: columns, rows: rows)
        var cover = ScreenCover(columns: columns, rows: rows, dialect: TerminalDialect(.libvterm), keepsMainScreen: true)
        cover.anchor(column: 0, row: 0)
        var taken = 0, fed = 0, isOn = false, steps = 0
        while taken < stream.count {
            let next = min(taken + chunk, stream.count, (taken / period + 1) * period)
            let end = judge.judgeable([next..<next])[0].lowerBound
            let isDue = end / period != taken / period || end == stream.count
            terminal.feed(cover.output(Array(stream[taken..<end])).terminal)
            taken = end
            direct.feed(stream[fed..<boundaries.boundary(atOrBefore: end)])
            fed = boundaries.boundary(atOrBefore: end)
            _ = (terminal.takeReplies(), direct.takeReplies())
            if isDue {
                isOn.toggle()
                terminal.feed(cover.setNotice(isOn && taken < stream.count ? Self.notice : nil))
            }
            steps += 1
            if isDue || steps % 8 == 0 { compare(terminal, direct, cover, at: taken) }
        }
        guard !cover.isInexact else { return }
        findings += judge.probe(terminal, comparedWith: direct).map { "after the probe, \($0)" }
    }

    private mutating func compare(_ terminal: RefereeTerminal, _ direct: RefereeTerminal, _ cover: ScreenCover, at place: Int) {
        let expected = direct.snapshot()
        var actual = terminal.snapshot()
        if let laid = cover.laid {
            shown += 1
            if !actual.row(laid.row).hasSuffix("the notice") { findings.append("\(place): the notice is missing") }
            actual = actual.replacing(row: laid.row, laid.first..<laid.end, from: expected)
        }
        findings += actual.differences(from: expected).filter { !cover.isInexact || !$0.field.isDrawn }
            .map { "\(place): \($0)" }
    }

    private static let notice: ScreenNotice = {
        var frame = Frame(Size(columns: 15, rows: 1))
        frame.write("    the notice", in: frame.bounds, style: Style(.reverse), alignment: .right)
        return ScreenNotice(frame, writer: FrameWriter(TerminalLook(depth: .indexed), hyperlinks: false))
    }()
}

extension RefereeSnapshot {
    /// The snapshot with some cells of another one.
    func replacing(row: Int, _ range: Range<Int>, from other: RefereeSnapshot) -> RefereeSnapshot {
        let first = row * columns
        let part = (first + range.lowerBound) * Self.wordsPerCell..<(first + range.upperBound) * Self.wordsPerCell
        var words = words
        words.replaceSubrange(part, with: other.words[part])
        return RefereeSnapshot(columns: columns, words: words, state: state, title: title, settings: settings)
    }
}
