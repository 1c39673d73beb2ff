/// Turns frames into the bytes that show them on a terminal, without a terminal library. A pure value.
///
/// The first frame is painted completely. Of a later one only the cells that differ from the frame before are sent, each run
/// of them at an absolute address, so the terminal never wraps or scrolls and need not erase with a background colour.
/// The bytes leave the terminal without attributes and links. They presume automatic wrapping and the usual character set,
/// and no margins, origin mode or insert mode.
package struct FrameWriter: Sendable {
    let look: TerminalLook
    private let writesLinks: Bool
    let isASCIIOnly: Bool
    /// What the terminal shows; nil if unknown.
    private var shown: Frame?
    /// Whether the terminal shows its cursor; nil if unknown.
    private var showsCursor: Bool?

    /// - Parameters:
    ///   - look: the terminal's colours, their theme and the characters of drawings.
    ///   - hyperlinks: whether linked text is written as a hyperlink (OSC 8). Only addresses that are safe in an escape
    ///     sequence are.
    ///   - asciiOnly: whether the terminal's character set is ASCII. All other characters are then replaced.
    package init(_ look: TerminalLook, hyperlinks: Bool, asciiOnly: Bool = false) {
        self.look = asciiOnly ? TerminalLook(depth: look.depth, theme: look.theme, glyphs: .ascii) : look
        writesLinks = hyperlinks
        isASCIIOnly = asciiOnly
    }

    /// The characters of drawings.
    package var glyphs: GlyphStyle { look.glyphs }

    /// Makes the next frame be painted completely, because something else has drawn on the terminal.
    package mutating func invalidate() {
        shown = nil
        showsCursor = nil
    }

    /// The bytes that turn what the terminal shows into the frame; empty if it shows the frame already.
    ///
    /// A frame of another size than the one before is painted completely. A cursor outside the frame is hidden.
    package mutating func bytes(for frame: Frame) -> [UInt8] {
        if shown?.size != frame.size { invalidate() }
        var output = TerminalBytes(look, writesLinks: writesLinks)
        let paints = shown?.cells != frame.cells
        // A visible cursor would be seen moving over the screen while it is painted.
        if paints || showsCursor == nil { showCursor(false, in: &output) }
        if paints { paint(frame, in: &output) }
        output.end()
        placeCursor(of: frame, in: &output)
        shown = frame
        return output.bytes
    }

    /// The bytes that paint all cells of a frame at a place of the terminal. They leave the terminal without attributes, and the
    /// cursor anywhere. The writer does not remember them.
    /// - Parameter columns: the columns of the terminal.
    package func bytes(painting frame: Frame, at origin: Point, columns: Int) -> [UInt8] {
        var output = TerminalBytes(look, writesLinks: writesLinks)
        for row in 0..<frame.size.rows {
            for column in 0..<frame.size.columns where frame[column, row].width > 0 {
                let cell = frame[column, row], point = Point(column: origin.column + column, row: origin.row + row)
                write(cell, at: point, columns: columns, in: &output)
            }
        }
        output.end()
        return output.bytes
    }

    private mutating func placeCursor(of frame: Frame, in output: inout TerminalBytes) {
        guard let cursor = frame.cursor, frame.bounds.contains(cursor) else { return showCursor(false, in: &output) }
        if cursor != shown?.cursor || showsCursor != true { output.move(to: cursor) }
        showCursor(true, in: &output)
    }

    private mutating func showCursor(_ isVisible: Bool, in output: inout TerminalBytes) {
        guard showsCursor != isVisible else { return }
        output.append(isVisible ? "\u{1B}[?25h" : "\u{1B}[?25l")
        showsCursor = isVisible
    }

    private func paint(_ frame: Frame, in output: inout TerminalBytes) {
        for row in 0..<frame.size.rows {
            let cells = frame.row(row), old = shown?.row(row)
            if cells == old { continue }
            let changes = RowChanges(cells, old: old, reach: reach(of:)) { output.look(of: $0.style).isErased($0) }
            for column in changes.columns {
                write(frame[column, row], at: Point(column: column, row: row), columns: frame.size.columns, in: &output)
            }
            if let column = changes.erasedFrom {
                output.move(to: Point(column: column, row: row))
                output.eraseRow()
            }
        }
    }
}
