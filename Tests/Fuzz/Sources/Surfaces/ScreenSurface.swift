@testable import TerminalShadow

/// Whatever a program writes, its output reaches the terminal unchanged, a cover is possible at any time, and the program's
/// screen returns after it.
///
/// An input begins with the terminal's size and the steps of a ``ScreenScript``; the rest is the program's output.
enum ScreenSurface {
    static func verify(_ input: [UInt8]) throws(Violation) {
        let script = ScreenScript(input)
        try requireUnchangedOutput(script)
        try requireSameInPieces(script)
        var session = ScreenSession(script)
        try session.run(script)
        if script.floods { try requireBoundedMemory(script) }
    }

    /// Without a cover the terminal gets all bytes, and the program none.
    private static func requireUnchangedOutput(_ script: ScreenScript) throws(Violation) {
        var cover = ScreenCover(script)
        var sent: [UInt8] = []
        for piece in script.pieces {
            let output = cover.output(piece)
            try require(output.program.isEmpty, "a program that is not covered gets \(output.program)")
            sent += output.terminal
        }
        try require(sent + cover.flush() == script.stream, "the terminal gets other bytes than the program has written")
    }

    /// The state and everything that is sent depend on the output, and not on its division into chunks.
    private static func requireSameInPieces(_ script: ScreenScript) throws(Violation) {
        for isCovered in [false, true] {
            let whole = Reading([script.stream], script, isCovered: isCovered)
            for pieces in [script.pieces, script.stream.map { [$0] }] {
                let other = Reading(pieces, script, isCovered: isCovered)
                let differences = other.state.differences(from: whole.state)
                try require(differences.isEmpty, "in pieces the state differs: \(differences.joined(separator: "; "))")
                try require(other == whole, "in pieces something else is sent, or held back\(isCovered ? ", while covered" : "")")
            }
        }
    }

    /// What becomes of a program's output.
    private struct Reading: Equatable {
        var terminal: [UInt8] = []
        var program: [UInt8] = []
        var restored: [UInt8]
        var held: [UInt8]
        var state: TerminalState
        var lastWritten: ShadowCell?
        var isInexact: Bool

        init(_ pieces: [[UInt8]], _ script: ScreenScript, isCovered: Bool) {
            var cover = ScreenCover(script)
            if isCovered { _ = cover.cover() }
            for piece in pieces {
                let output = cover.output(piece)
                terminal += output.terminal
                program += output.program
            }
            state = TerminalState(cover.shadow)
            lastWritten = cover.shadow.lastWritten
            isInexact = cover.isInexact
            restored = cover.uncover()
            held = cover.flush()
        }
    }

    // MARK: Memory

    private static let chunkSize = 65536

    /// What waits while the program is covered is limited, if no more is read once the limit is reached.
    private static func requireBoundedMemory(_ script: ScreenScript) throws(Violation) {
        guard !script.stream.isEmpty else { return }
        var chunk = script.stream
        while chunk.count < chunkSize { chunk += script.stream }
        chunk = Array(chunk.prefix(chunkSize))
        var cover = ScreenCover(script)
        _ = cover.cover()
        for _ in 0..<80 where !cover.isFull { _ = cover.output(chunk) }
        let (shadow, restored) = (cover.shadow, cover.uncover().count)
        // Two repaints: that of the screen, and one that exceeds the limit of what waits.
        let limit = (4 << 20) + (1 << 20) + chunkSize + 2 * repaintLimit(shadow)
        try require(restored <= limit, "\(restored) bytes wait, of \(limit)")
        try require(cover.flush().count <= SequenceTokenizer.heldLimit + chunkSize, "too much is held back")
    }

    /// The most bytes that paint a screen with its modes.
    private static func repaintLimit(_ shadow: ShadowTerminal) -> Int {
        var longestLink = 0
        for number in 0..<UInt16(ShadowLinks.limit) { longestLink = max(longestLink, shadow.links[number].count) }
        return (shadow.columns * shadow.rows + 8) * (120 + longestLink) + shadow.columns * 16 + 4096
    }
}

/// The choices at the beginning of an input, and the program's output after them.
struct ScreenScript {
    /// What happens after a part of the output.
    enum Step {
        /// The output is cut into two chunks.
        case cut
        /// The cover comes, or goes if it has come.
        case cover
        /// The cover comes and goes with nothing between.
        case blink
        /// The terminal gets another size.
        case resize
        /// The terminal says where the cursor is.
        case cursorReport
        /// The cover leaves the terminal to another program for a while.
        case lend
    }

    let columns: Int
    let rows: Int
    let hasAlternateScreen: Bool
    /// Whether it is tested what a long output of this kind needs.
    let floods: Bool
    /// Each step with the number of bytes before it.
    private(set) var steps: [(after: Int, step: Step)] = []
    let stream: [UInt8]

    private static let sizes = [
        (24, 8), (80, 24), (1, 1), (2, 1), (1, 3), (2, 2), (5, 4), (9, 3), (132, 2), (3, 40), (0, 0), (40, 10),
    ]

    init(_ input: [UInt8]) {
        var choices = Choices(input)
        (columns, rows) = choices.next(of: Self.sizes)
        let flags = choices.next(of: Array(0...255))
        hasAlternateScreen = flags & 3 != 3
        floods = flags & 0xF8 == 0xF8 && columns * rows < 1000
        for _ in 0..<choices.next(of: Array(0...15)) {
            let step = choices.next(of: [Step.cut, .cover, .blink, .cover, .resize, .blink, .cursorReport, .lend])
            let after = choices.next(of: Array(0...255))
            steps.append((after < 128 ? after : (after - 127) * 16, step))
        }
        // A saved cursor on the main screen: without one, terminals differ in what restoring it does after a cover.
        stream = (flags & 4 == 0 ? Array("\u{1B}7".utf8) : []) + choices.payload.prefix(16384)
    }

    /// The output, divided at the steps.
    var pieces: [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = stream[...]
        for (count, _) in steps {
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces + [Array(rest)]
    }
}

extension ScreenCover {
    /// A relay for the script's terminal, whose cursor is at its top left.
    init(_ script: ScreenScript) {
        self.init(columns: script.columns, rows: script.rows, hasAlternateScreen: script.hasAlternateScreen)
        anchor(column: 0, row: 0)
    }
}
