import CNcurses
import TerminalUI

/// The overlay's panel: a window of the screen's size above all others, and a copy of what it covers if necessary.
@MainActor
final class OverlayPanel {
    let canvas: Canvas
    private let panel: UnsafeMutablePointer<PANEL>
    /// A copy of the host's screen, if the panel library cannot restore it because the host has its own windows over
    /// `stdscr`.
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

    /// A copy of the screen if a host draws in its own windows without panels; otherwise nil.
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

    /// Records what a host has drawn over the overlay, for example from a timer. The next flush shows the overlay again.
    private func keepWhatTheHostDrew() {
        guard isShown, let kept, let screen = cncurses_newscr() else { return }
        cncurses_keep_differences(screen, canvas.window, kept)
    }

    /// Whether a host has drawn over the overlay since it was last shown.
    var isPaintedOver: Bool {
        guard isShown, let screen = cncurses_newscr() else { return false }
        return !cncurses_same_cells(screen, canvas.window)
    }

    /// Moves the overlay to the top and marks every cell for comparison with the screen.
    func raise() {
        keepNothingOfOldSize()
        top_panel(panel)
        touchwin(canvas.window)
        isShown = true
    }

    /// Adopts the screen's new size.
    func resize(to size: Size) {
        drop()
        wresize(canvas.window, Int32(size.rows), Int32(size.columns))
        replace_panel(panel, canvas.window)
        canvas.invalidate()
    }

    /// Removes the panel and restores what it covered.
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
