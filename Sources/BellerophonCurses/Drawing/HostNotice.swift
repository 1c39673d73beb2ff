import Bellerophon
import CNcurses
import TerminalUI

/// The row of a notice over the screen of a host, in the memory of the host's own curses.
///
/// curses paints the notice like anything else, so it always knows what the terminal shows, and places the host's cursor itself.
/// The cells below the notice are kept. A cell that the host draws meanwhile takes the place of the notice's cell until
/// ``show(_:_:)`` is called again. An attribute that no terminal draws marks the cells of the notice, so that every other cell is
/// known to be the host's.
@MainActor
struct HostNotice {
    /// What is over the host's screen.
    private struct Laid {
        var banner: Banner
        var glyphs: GlyphStyle
        var size: Size
        var row: Int
        /// The columns that the notice takes.
        var columns: Range<Int>
        /// The host's cells of the row.
        var below: [cchar_t]
    }

    private var laid: Laid?

    /// The size of the whole screen, and the cursor that the host has placed there; nil without a screen.
    static var screen: (size: Size, cursor: Point)? {
        guard let screen = cncurses_newscr() else { return nil }
        return (
            Size(columns: Int(getmaxx(screen)), rows: Int(getmaxy(screen))),
            Point(column: Int(getcurx(screen)), row: Int(getcury(screen)))
        )
    }

    /// Puts the notice into the memory of the current curses screen, or takes it out with nil.
    /// - Returns: whether the next update changes the terminal.
    mutating func show(_ banner: Banner?, _ glyphs: GlyphStyle) -> Bool {
        guard !isShown(banner, glyphs) else { return false }
        lift()
        if let banner { lay(banner, glyphs) }
        return true
    }

    /// Whether all cells of this notice, and no others, are in the memory of the screen.
    func isShown(_ banner: Banner?, _ glyphs: GlyphStyle) -> Bool {
        guard let laid else { return banner == nil }
        guard let screen = Self.screen, laid.banner == banner, laid.glyphs == glyphs, laid.size == screen.size else {
            return false
        }
        return Self.cells(laid.row).map { cells in laid.columns.allSatisfy { Self.isMarked(cells[$0]) } } ?? false
    }

    /// Puts the host's cells back in place of those of the notice.
    private mutating func lift() {
        guard let laid else { return }
        self.laid = nil
        // A screen of another size has kept its cells at their places.
        guard let cells = Self.cells(laid.row) else { return }
        for column in cells.indices.prefix(laid.below.count) where Self.isMarked(cells[column]) {
            // The right half of a wide character comes with the left one.
            guard !Self.isRightHalf(laid.below[column]) else { continue }
            Self.write(laid.below[column], column, laid.row)
        }
    }

    private mutating func lay(_ banner: Banner, _ glyphs: GlyphStyle) {
        guard let size = Self.screen?.size, size.rows > 1 else { return }
        let area = banner.area(in: size)
        guard !area.isEmpty, let below = Self.cells(area.row) else { return }
        var first = area.column
        // A wide character that the notice would cut gives way as a whole.
        while first > 0, Self.isRightHalf(below[first]) { first -= 1 }
        for column in first..<area.column { Self.write(Self.cell([" "], Style()), column, area.row) }
        var frame = Frame(Size(columns: area.columns, rows: 1))
        frame.write(Array(banner.rows.prefix(1)), in: frame.bounds)
        for column in 0..<area.columns where frame[column, 0].width > 0 {
            let cell = frame[column, 0]
            let clusters = Glyph.scalars(of: cell, glyphs) { Int(cncurses_width(wchar_t(bitPattern: $0.value))) }
            for (offset, cluster) in clusters.enumerated() {
                Self.write(Self.cell(cluster, cell.style), area.column + column + offset, area.row)
            }
        }
        laid = Laid(
            banner: banner, glyphs: glyphs, size: size, row: area.row, columns: first..<size.columns, below: below)
    }

    // MARK: Cells

    /// The cells of a row of the screen that curses shows with the next update; nil if there is none.
    private static func cells(_ row: Int) -> [cchar_t]? {
        guard let screen = cncurses_newscr(), row < getmaxy(screen) else { return nil }
        var cells = [cchar_t](repeating: cchar_t(), count: Int(getmaxx(screen)))
        _ = cncurses_read_row(screen, Int32(row), &cells, Int32(cells.count))
        return cells
    }

    private static func write(_ cell: cchar_t, _ column: Int, _ row: Int) {
        guard let screen = cncurses_newscr() else { return }
        withUnsafePointer(to: cell) { cncurses_write_cell(screen, Int32(row), Int32(column), $0) }
    }

    /// A cell of a notice.
    private static func cell(_ scalars: [Unicode.Scalar], _ style: Style) -> cchar_t {
        let text = scalars.map { wchar_t(bitPattern: $0.value) } + [0]
        let reverse = style.attributes.contains(.reverse) ? cncurses_a_reverse() : 0
        return cncurses_cell(text, reverse | cncurses_a_mark())
    }

    private static func isMarked(_ cell: cchar_t) -> Bool { withUnsafePointer(to: cell, cncurses_is_marked) }

    private static func isRightHalf(_ cell: cchar_t) -> Bool { withUnsafePointer(to: cell, cncurses_is_right_half) }
}
