import CNcurses
import TerminalUI

/// Draws frames into one ncurses window. Only changed cells are written.
@MainActor
final class Canvas {
    private let window: UnsafeMutablePointer<WINDOW>
    private let palette: Palette
    private var last: Frame?
    private var latest: (style: Style, attributes: attr_t, pair: Int32)?
    /// One character and a terminating zero, as ncurses expects text.
    private var text: [wchar_t] = [0, 0]

    init(window: UnsafeMutablePointer<WINDOW>, palette: Palette) {
        self.window = window
        self.palette = palette
    }

    /// Makes the next frame be drawn completely.
    func invalidate() {
        last = nil
        latest = nil
    }

    /// Writes the frame into the window. The next flush of the session shows it.
    func draw(_ frame: Frame) {
        let old = last?.size == frame.size ? last : nil
        if old == nil { werase(window) }
        let columns = min(frame.size.columns, Int(getmaxx(window)))
        for row in 0..<min(frame.size.rows, Int(getmaxy(window))) {
            if let old, old.row(row) == frame.row(row) { continue }
            for column in 0..<columns {
                let cell = frame[column, row]
                if cell.width == 0 || column + cell.width > columns { continue }
                if let old {
                    if old[column, row] == cell, !followsChange(old, frame, column, row) { continue }
                } else if isErased(cell) {
                    continue
                }
                put(cell, column: column, row: row)
            }
        }
        if let cursor = frame.cursor { wmove(window, Int32(cursor.row), Int32(cursor.column)) }
        last = frame
    }

    /// Whether the cell to the left was or became a wide one: ncurses blanks the other half of a split character.
    private func followsChange(_ old: Frame, _ new: Frame, _ column: Int, _ row: Int) -> Bool {
        column > 0 && old[column - 1, row] != new[column - 1, row]
            && (old[column - 1, row].width != 1 || new[column - 1, row].width != 1)
    }

    /// Whether a cell looks like a cell of an erased window.
    private func isErased(_ cell: Cell) -> Bool {
        guard cell.plainScalar == " " else { return false }
        let look = look(of: cell.style)
        return look.attributes == 0 && look.pair == 0
    }

    private func put(_ cell: Cell, column: Int, row: Int) {
        let look = look(of: cell.style)
        if let scalar = cell.plainScalar {
            text[0] = wchar_t(bitPattern: scalar.value)
            _ = cncurses_put(window, Int32(row), Int32(column), text, look.attributes, look.pair)
            return
        }
        let scalars = Glyph.scalars(of: cell, palette.look.glyphs) { Int(cncurses_width(wchar_t(bitPattern: $0.value))) }
        for (offset, cluster) in scalars.enumerated() {
            var text = cluster.map { wchar_t(bitPattern: $0.value) }
            text.append(0)
            _ = cncurses_put(window, Int32(row), Int32(column + offset), text, look.attributes, look.pair)
        }
    }

    /// The attributes and the colour pair of a style. The last style is cached, because neighbouring cells often share
    /// it.
    private func look(of style: Style) -> (attributes: attr_t, pair: Int32) {
        if let latest, latest.style == style { return (latest.attributes, latest.pair) }
        let paint = ResolvedStyle(style, palette.look)
        let look = (attributes: palette.attributes(of: paint), pair: palette.pair(for: paint))
        latest = (style, look.attributes, look.pair)
        return look
    }
}

extension Cell {
    /// The one printable ASCII character of the cell; nil for every other cell.
    fileprivate var plainScalar: Unicode.Scalar? {
        guard width == 1, text.utf8.count == 1, let byte = text.utf8.first, (0x20..<0x7F).contains(byte) else { return nil }
        return Unicode.Scalar(byte)
    }
}
