import CNcurses
import TerminalUI

/// The overlay's panel: a window of the screen's size above everything, and the memory of what it covers.
@MainActor
final class OverlayPanel {
    let canvas: Canvas
    private let panel: UnsafeMutablePointer<PANEL>
    /// What a host showed, where that is not what the panel library would bring back: its own windows over `stdscr`.
    private var kept: UnsafeMutablePointer<WINDOW>?
    private var touched: [Bool] = []
    private var isShown = false
    /// The host's cursor visibility.
    var hostCursor: Int32?

    init?(palette: Palette, isGuest: Bool) {
        let kept = isGuest ? Self.hostWindows() : nil
        guard let window = newwin(0, 0, 0, 0), let panel = new_panel(window) else { return nil }
        self.panel = panel
        self.kept = kept
        canvas = Canvas(window: window, palette: palette)
        if let standard = cncurses_stdscr() {
            touched = (0..<getmaxy(standard)).map { is_linetouched(standard, $0) }
        }
    }

    /// A copy of the screen when a host draws in windows of its own, without panels.
    private static func hostWindows() -> UnsafeMutablePointer<WINDOW>? {
        guard panel_above(nil) == nil, let screen = cncurses_newscr(), let standard = cncurses_stdscr(),
            !cncurses_same_cells(screen, standard)
        else { return nil }
        return dupwin(screen)
    }

    func draw(_ frame: Frame) {
        keepWhatTheHostDrew()
        canvas.draw(frame)
    }

    /// A host that draws by a timer paints over the overlay. The next flush heals that; this remembers it for later.
    private func keepWhatTheHostDrew() {
        guard isShown, let kept, let screen = cncurses_newscr() else { return }
        cncurses_keep_differences(screen, canvas.window, kept)
    }

    /// Whether a host has drawn over the overlay since it was last shown.
    var isPaintedOver: Bool {
        guard isShown, let screen = cncurses_newscr() else { return false }
        return !cncurses_same_cells(screen, canvas.window)
    }

    /// Puts the overlay above everything and lets every cell of it be compared with the screen.
    func raise() {
        keepNothingOfOldSize()
        top_panel(panel)
        touchwin(canvas.window)
        isShown = true
    }

    /// Takes the screen's new size.
    func resize(to size: Size) {
        drop()
        wresize(canvas.window, Int32(size.rows), Int32(size.columns))
        replace_panel(panel, canvas.window)
        canvas.invalidate()
    }

    /// Takes the panel away and puts back what it covered.
    func remove() {
        keepWhatTheHostDrew()
        del_panel(panel)
        update_panels()
        if let kept {
            restoreTouches()
            touchwin(kept)
            wnoutrefresh(kept)
        }
        drop()
        delwin(canvas.window)
    }

    private func restoreTouches() {
        guard let standard = cncurses_stdscr() else { return }
        for (row, wasTouched) in touched.enumerated() { wtouchln(standard, Int32(row), 1, wasTouched ? 1 : 0) }
    }

    private func keepNothingOfOldSize() {
        guard let kept, let screen = cncurses_newscr() else { return }
        if getmaxx(kept) != getmaxx(screen) || getmaxy(kept) != getmaxy(screen) { drop() }
    }

    private func drop() {
        if let kept { delwin(kept) }
        kept = nil
    }
}
