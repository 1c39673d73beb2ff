import CNcurses
import TerminalUI

/// Draws frames into one ncurses window. Only changed cells are written. The colour pairs for them are created on demand.
@MainActor
final class Canvas {
    private let window: UnsafeMutablePointer<WINDOW>
    private(set) var look: TerminalLook
    /// The highest colour depth that the terminal and the options allow.
    private let depth: ColorDepth
    /// Whether a pair may use the terminal's default colours.
    private let hasTerminalColors: Bool
    private var pairs: [Colors: Int32] = [:]
    private var nextPair: Int32 = 1
    private let endOfPairs: Int32
    private var last: Frame?
    private var latest: (style: Style, attributes: attr_t, pair: Int32)?
    /// One character and a terminating zero, as ncurses expects text.
    private var text: [wchar_t] = [0, 0]

    private struct Colors: Hashable {
        var foreground: Int32
        var background: Int32
    }

    /// - Parameter window: a window of the current screen.
    init(_ window: UnsafeMutablePointer<WINDOW>, _ settings: LookSettings) {
        self.window = window
        let available = Self.availableDepth
        depth = min(available, settings.color ?? available)
        look = TerminalLook(depth: depth, theme: settings.theme, glyphs: settings.glyphs)
        var foreground: Int32 = 0, background: Int32 = 0
        _ = cncurses_pair_content(0, &foreground, &background)
        hasTerminalColors = foreground < 0
        endOfPairs = max(1, cncurses_color_pairs())
    }

    /// The number of colours of the open screen.
    static var availableDepth: ColorDepth {
        has_colors() ? ColorDepth(colors: Int(cncurses_colors()), isDirect: cncurses_has_direct_color()) : .mono
    }

    /// Takes the colours of roles and the characters of drawings from other settings from now on.
    func use(_ settings: LookSettings) {
        look = TerminalLook(depth: depth, theme: settings.theme, glyphs: settings.glyphs)
        invalidate()
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
        let paint = paint(for: cell.style)
        return paint.attributes == 0 && paint.pair == 0
    }

    private func put(_ cell: Cell, column: Int, row: Int) {
        let paint = paint(for: cell.style)
        if let scalar = cell.plainScalar {
            text[0] = wchar_t(bitPattern: scalar.value)
            _ = cncurses_put(window, Int32(row), Int32(column), text, paint.attributes, paint.pair)
            return
        }
        let scalars = Glyph.scalars(of: cell, look.glyphs) { Int(cncurses_width(wchar_t(bitPattern: $0.value))) }
        for (offset, cluster) in scalars.enumerated() {
            var text = cluster.map { wchar_t(bitPattern: $0.value) }
            text.append(0)
            _ = cncurses_put(window, Int32(row), Int32(column + offset), text, paint.attributes, paint.pair)
        }
    }

    /// The attributes and the colour pair of a style. The last style is cached, because neighbouring cells often share
    /// it.
    private func paint(for style: Style) -> (attributes: attr_t, pair: Int32) {
        if let latest, latest.style == style { return (latest.attributes, latest.pair) }
        let resolved = ResolvedStyle(style, look)
        let paint = (attributes: attributes(of: resolved), pair: pair(for: resolved))
        latest = (style, paint.attributes, paint.pair)
        return paint
    }

    /// The colour pair of a resolved style; 0, the terminal's default, if no more pairs can be created.
    private func pair(for style: ResolvedStyle) -> Int32 {
        if style.foreground == nil, style.background == nil { return 0 }
        let colors = Colors(
            foreground: Int32(style.foreground ?? (hasTerminalColors ? -1 : 7)),
            background: Int32(style.background ?? (hasTerminalColors ? -1 : 0))
        )
        if let pair = pairs[colors] { return pair }
        guard nextPair < endOfPairs, cncurses_init_pair(nextPair, colors.foreground, colors.background) == OK else { return 0 }
        defer { nextPair += 1 }
        pairs[colors] = nextPair
        return nextPair
    }

    /// The attribute bits of a resolved style.
    private func attributes(of style: ResolvedStyle) -> attr_t {
        var bits: attr_t = 0
        if style.attributes.contains(.bold) { bits |= cncurses_a_bold() }
        if style.attributes.contains(.dim) { bits |= cncurses_a_dim() }
        if style.attributes.contains(.underline) { bits |= cncurses_a_underline() }
        if style.attributes.contains(.reverse) { bits |= cncurses_a_reverse() }
        if style.attributes.contains(.italic) { bits |= cncurses_a_italic() }
        return bits
    }
}

extension Cell {
    /// The one printable ASCII character of the cell; nil for every other cell.
    fileprivate var plainScalar: Unicode.Scalar? {
        guard width == 1, text.utf8.count == 1, let byte = text.utf8.first, (0x20..<0x7F).contains(byte) else { return nil }
        return Unicode.Scalar(byte)
    }
}
