import TerminalUI

/// A part of the status page, which is shown or omitted as a unit.
struct OverlayBlock: Equatable {
    /// In order of importance: the last is omitted first.
    enum Kind: Comparable {
        case headline, versions, message, program, offer, countdown, art
    }

    let kind: Kind
    /// Lines, each drawn centred.
    var lines: [TextLine]
    /// For a message: the label in the rule above it. This rule and one below mark the text as the server's.
    var label: String?

    /// The rows of the rules around a message.
    var frameRows: Int { label == nil ? 0 : 2 }
    /// The fewest rows in which the block is useful.
    var leastRows: Int { rows(text: 1) }

    /// The rows of the block, with at most so many rows of text if it is a message.
    func rows(text limit: Int) -> Int { label == nil ? lines.count : frameRows + min(limit, lines.count) }
}

/// A block and its area.
struct PlacedBlock: Equatable {
    let block: OverlayBlock
    let rect: Rect

    /// Whether all of its text is visible.
    var isWhole: Bool { rect.rows >= block.rows(text: .max) }

    /// The rows of a message's text.
    var textRect: Rect { rect.inset(rows: block.frameRows / 2) }
    var text: ScrollText { ScrollText(block.lines, keepsMarkRow: false) }
}

/// Distributes the rows of a page to its blocks.
enum OverlayLayout {
    /// The lines of a message that take precedence over gaps.
    static let usualTextRows = 3

    /// Places as many blocks as fit, by importance, in the given order.
    ///
    /// A long message is cut to the remaining rows and scrolls. Gaps are added once the message has three lines, and
    /// wider gaps once all of it is visible. The remaining rows are split above and below.
    static func place(_ blocks: [OverlayBlock], in area: Rect) -> [PlacedBlock] {
        let kept = fitting(blocks, rows: area.rows)
        var free = area.rows - kept.reduce(0) { $0 + $1.leastRows }
        var heights = kept.map(\.leastRows)
        grow(&heights, of: kept, textRows: usualTextRows, free: &free)
        var gaps = Array(repeating: 0, count: max(0, kept.count - 1))
        if free >= gaps.count { widen(&gaps, free: &free) }
        grow(&heights, of: kept, textRows: .max, free: &free)
        if free >= gaps.count * 3 || gaps.first == 0 { widen(&gaps, free: &free) }
        var row = area.row + free / 2
        return zip(kept, heights).enumerated().map { index, item in
            defer { row += item.1 + (index < gaps.count ? gaps[index] : 0) }
            let rect = Rect(column: area.column, row: row, columns: area.columns, rows: item.1)
            return PlacedBlock(block: item.0, rect: rect)
        }
    }

    /// Adds a row to every gap while rows are free: first below the headline, then from the bottom up.
    private static func widen(_ gaps: inout [Int], free: inout Int) {
        let order = gaps.indices.prefix(1) + gaps.indices.dropFirst().reversed()
        for index in order where free > 0 {
            gaps[index] += 1
            free -= 1
        }
    }

    /// The blocks that fit at their smallest size. A drawing is omitted if the other blocks would lose their gaps.
    private static func fitting(_ blocks: [OverlayBlock], rows: Int) -> [OverlayBlock] {
        var free = rows, usual = 0
        var kinds: Set<OverlayBlock.Kind> = []
        for block in blocks.sorted(by: { $0.kind < $1.kind }) {
            if block.kind == .art, usual + kinds.count + block.leastRows > rows { continue }
            guard block.leastRows <= free else { continue }
            free -= block.leastRows
            usual += block.rows(text: OverlayLayout.usualTextRows)
            kinds.insert(block.kind)
        }
        return blocks.filter { kinds.contains($0.kind) }
    }

    /// Gives free rows to the message, up to this many rows of text.
    private static func grow(_ heights: inout [Int], of blocks: [OverlayBlock], textRows: Int, free: inout Int) {
        for (index, block) in blocks.enumerated() where block.label != nil {
            let more = min(max(0, block.rows(text: textRows) - heights[index]), free)
            heights[index] += more
            free -= more
        }
    }
}
