@testable import TerminalShadow
@testable import TerminalUI

/// A program whose terminal is covered now and then, beside the same program in a terminal that never is.
///
/// Both terminals are shadows that keep both screens. An error in how the shadow understands a sequence is therefore not
/// found here, but every error of the cover is.
struct ScreenSession {
    private var relay: ScreenCover
    /// The terminal that the relay writes to.
    private var judge: JudgeTerminal
    /// The terminal that the program writes to.
    private var reference: JudgeTerminal
    private let hasAlternateScreen: Bool
    /// What the program has written since the cover came.
    private var coveredOutput: [UInt8] = []
    /// Whether the present cover is on a screen of its own.
    private var usesOwnScreen = false
    /// What terminals do not keep while the present cover is shown.
    private var losses = Losses()

    /// What is known to be lost, and does not count as a difference.
    private struct Losses {
        /// The saved cursor of the main screen: the cover's own screen needs its place.
        var savedCursor = false
        /// The cells of the alternate screen while the main screen is used.
        var alternateCells = false
        /// The main screen below a screen that is covered: the program may have left it for a while.
        var hiddenScreen = false
        /// Which character a combining mark belongs to that comes first, at the margin without automatic wrapping.
        var lastCharacter = false
        /// Everything, for a reason outside the cover.
        var everything = false
    }

    init(_ script: ScreenScript) {
        relay = ScreenCover(script)
        judge = JudgeTerminal(
            columns: script.columns, rows: script.rows, hasAlternateScreen: script.hasAlternateScreen)
        reference = judge
        hasAlternateScreen = script.hasAlternateScreen
    }

    mutating func run(_ script: ScreenScript) throws(Violation) {
        for (index, piece) in script.pieces.enumerated() {
            try write(piece)
            guard index < script.steps.count else { break }
            switch script.steps[index].step {
            case .cut: break
            case .cover: if relay.isCovered { try uncover() } else { try cover() }
            case .blink:
                if relay.isCovered { try uncover() }
                try cover()
                try uncover()
            case .resize: resize(by: index)
            case .cursorReport: relay.anchor(column: reference.shadow.column, row: reference.shadow.row)
            case .lend: try lend()
            }
        }
        if !relay.isCovered { try cover() }
        try uncover()
    }

    // MARK: Steps

    private mutating func write(_ bytes: [UInt8]) throws(Violation) {
        let output = relay.output(bytes)
        if !relay.isCovered { try require(output.program.isEmpty, "a program that is not covered gets a reply") }
        reference.feed(bytes)
        if relay.isCovered {
            coveredOutput += bytes
            try requireNothingShown(by: output.terminal)
        }
        judge.feed(output.terminal)
    }

    private mutating func cover() throws(Violation) {
        try requireOrderlyEnd(relay.reset)
        losses = Losses()
        var held = relay
        coveredOutput = held.flush()
        usesOwnScreen = hasAlternateScreen && !relay.shadow.isAlternate
        if usesOwnScreen {
            // It is not saved again where that would lose a pending wrap, and its own is lost.
            losses.savedCursor =
                reference.shadow.mainSaved == nil || !relay.shadow.isAnchored || relay.shadow.pendingWrap?.scalar == 0
                || reference.shadow.mainSaved?.pendingWrap != nil
            losses.alternateCells = !reference.shadow.alternate.isBlank
        }
        losses.lastCharacter = reference.shadow.pendingWrap != nil && !reference.shadow.wrapsAutomatically
        let bytes = relay.cover()
        try require(relay.isCovered && relay.isBetweenSequences, "a cover is not possible")
        try requireOrderlyEnd(bytes)
        try requireOrderlyEnd(relay.departure)
        judge.feed(bytes + Self.painting + ScreenCover.endOfUpdate)
    }

    private mutating func uncover() throws(Violation) {
        let bytes = relay.uncover()
        try require(!relay.isCovered, "the cover does not go")
        try requireOrderlyEnd(bytes)
        judge.feed(bytes)
        try requireSameScreen()
        // From here on the terminals are alike, also in what is known to be lost.
        judge.shadow = reference.shadow
        losses = Losses()
    }

    private mutating func resize(by index: Int) {
        let sizes = [(3, 2), (24, 8), (1, 1), (70_000, 1), (30, 9), (-1, -1), (24, 4)]
        let (columns, rows) = sizes[(index + reference.shadow.columns) % sizes.count]
        // What is only cut off by the next sequence, a terminal shows at once. The sequence's first byte may be held back.
        if !judge.isBetweenTokens { judge.feed([0x1B]) }
        relay.resize(columns: columns, rows: rows)
        reference.shadow.resize(columns: columns, rows: rows)
        judge.shadow.resize(columns: columns, rows: rows)
        // A terminal resizes the screen that is below the cover's in its own way.
        if relay.isCovered, usesOwnScreen { losses.everything = true }
        if relay.isCovered { losses.hiddenScreen = true }
    }

    private mutating func lend() throws(Violation) {
        guard relay.isCovered else { return }
        let departure = relay.leave()
        try requireOrderlyEnd(departure)
        judge.feed(departure)
        try require(!judge.shadow.isAlternate && judge.shadow.modes[25], "another program gets the cover's screen")
        judge.feed(relay.comeBack() + Self.painting + ScreenCover.endOfUpdate)
        losses.savedCursor = true
    }

    /// A small painting with rendition, a link and text in the last column.
    private static let painting = Array(
        "\u{1B}[2;1H\u{1B}[0;1;31;44mPAUSED\u{1B}]8;;https://example.com\u{1B}\\link\u{1B}]8;;\u{1B}\\\u{1B}[999;999H#\u{1B}[0m"
            .utf8)

    // MARK: Promises

    private func requireSameScreen() throws(Violation) {
        guard !relay.isInexact, !losses.everything, !hasKnownLoss() else { return }
        var expected = TerminalState(reference.shadow), actual = TerminalState(judge.shadow)
        // Without a saved cursor, a terminal that restores one goes home. After a cover it may have one.
        if losses.savedCursor || expected.mainSaved == nil { (expected.mainSaved, actual.mainSaved) = (nil, nil) }
        if expected.alternateSaved == nil { actual.alternateSaved = nil }
        // Whether a cursor blinks that the program has not changed is not known.
        if !reference.shadow.modes.isKnown(12) { actual.modes.removeAll { $0 == 12 } }
        let differences = actual.differences(from: expected)
        try require(differences.isEmpty, "the screen does not return: \(differences.prefix(4).joined(separator: "; "))")
    }

    /// Whether what the program wrote under the cover depends on what a cover does not keep.
    private func hasKnownLoss() -> Bool {
        var hasWritten = false, isLost = false
        var tokenizer = SequenceTokenizer(), sequence = ControlSequence()
        coveredOutput.withUnsafeBufferPointer { buffer in
            tokenizer.split(buffer) { token, bytes in
                switch token {
                case .text:
                    if losses.lastCharacter, !hasWritten, bytes.contains(where: { $0 >= 0x80 }) { isLost = true }
                    if bytes.contains(where: { (0x21..<0x7F).contains($0) }) { hasWritten = true }
                case .escape:
                    if losses.savedCursor, bytes.last == UInt8(ascii: "8") { isLost = true }
                    if losses.hiddenScreen, bytes.last == UInt8(ascii: "c") { isLost = true }
                    if bytes.last == UInt8(ascii: "c") { hasWritten = false }
                case .control:
                    sequence.read(bytes)
                    if isAffected(sequence, hasWritten) { isLost = true }
                    if sequence.parameters.contains(where: { [47, 1047, 1049].contains($0) }) { hasWritten = false }
                default: break
                }
            }
        }
        return isLost
    }

    private func isAffected(_ sequence: ControlSequence, _ hasWritten: Bool) -> Bool {
        switch (sequence.marker, sequence.final) {
        // REP repeats what the cover has written last.
        case (0, UInt8(ascii: "b")): !hasWritten
        case (0, UInt8(ascii: "u")): losses.savedCursor
        case (UInt8(ascii: "?"), UInt8(ascii: "h")), (UInt8(ascii: "?"), UInt8(ascii: "l")),
            (UInt8(ascii: "?"), UInt8(ascii: "r")):
            losses.alternateCells && sequence.parameters.contains { [47, 1047].contains($0) }
                || losses.hiddenScreen && sequence.parameters.contains { [47, 1047, 1049].contains($0) }
                || losses.savedCursor && sequence.parameters.contains { [1048, 1049].contains($0) }
        default: false
        }
    }

    /// While covered, only questions reach the terminal.
    private func requireNothingShown(by bytes: [UInt8]) throws(Violation) {
        guard !bytes.isEmpty else { return }
        try requireOrderlyEnd(bytes)
        var other = judge
        other.feed(bytes)
        let differences = TerminalState(other.shadow).differences(from: TerminalState(judge.shadow))
        try require(differences.isEmpty, "the cover is disturbed: \(differences.prefix(4).joined(separator: "; "))")
    }

    /// The bytes end between two sequences, so that what follows has its own meaning.
    private func requireOrderlyEnd(_ bytes: [UInt8]) throws(Violation) {
        var tokenizer = SequenceTokenizer()
        bytes.withUnsafeBufferPointer { tokenizer.split($0) { _, _ in } }
        try require(tokenizer.isBetweenTokens, "a sequence does not end in \(String(decoding: bytes.suffix(80), as: UTF8.self))")
    }
}

extension ShadowGrid {
    /// Whether every cell is erased in the default background.
    fileprivate var isBlank: Bool { (0..<rows).allSatisfy { row($0).allSatisfy(\.isBlank) } }
}
