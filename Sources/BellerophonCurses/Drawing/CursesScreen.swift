import CNcurses
import Foundation
import TerminalIO
import TerminalUI

/// An ncurses screen that writes into memory: frames go in, the bytes for the terminal come out.
///
/// A host's screen is never changed: this one is current only inside its own methods. It never waits for a terminal.
@MainActor
final class CursesScreen {
    private let opened: cncurses_captured
    private let capture: CapturePipe
    private var handle: OpaquePointer { opened.screen }
    private let canvas: Canvas
    private var shownLinks: [LinkRun] = []
    private var showsCursor: Bool?

    /// - Parameters:
    ///   - term: the name of the terminal's description; nil takes `TERM`.
    ///   - isOverlay: whether the terminal shows another program's full screen already. The bytes that switch to a full screen
    ///     and back are then not made.
    init(term: String?, size: Size, isOverlay: Bool, options: TerminalOptions, look: LookSettings) throws(TerminalError) {
        let name = term ?? getenv("TERM").map { String(cString: $0) } ?? ""
        let capture: CapturePipe
        do throws(SystemError) { capture = try CapturePipe() } catch { throw .cannotOpen(name, error.reason) }
        let host = cncurses_current_screen()
        var opened = cncurses_captured()
        guard cncurses_open_captured(term, capture.input, &opened) else { throw .cannotOpen(name, nil) }
        defer { if let host { set_term(host) } }
        Self.prepare(size, mouse: options.mouse && !isOverlay)
        if options.color == .direct, Canvas.availableDepth < .direct {
            if !isOverlay { endwin() }
            cncurses_close_captured(opened)
            throw .noDirectColors(name)
        }
        if isOverlay { refresh() }
        self.opened = opened
        self.capture = capture
        canvas = Canvas(cncurses_stdscr(), look)
        if isOverlay { _ = capture.drain() }
    }

    private static func prepare(_ size: Size, mouse: Bool) {
        // The input is not read by ncurses.
        typeahead(-1)
        nonl()
        if has_colors() {
            start_color()
            use_default_colors()
        }
        resizeterm(Int32(size.rows), Int32(size.columns))
        if mouse { mousemask(cncurses_mouse_press() | cncurses_mouse_release() | cncurses_mouse_wheel(), nil) }
    }

    /// The number of colours in use.
    var depth: ColorDepth { canvas.look.depth }

    /// Frees the screen, which can't be used any more.
    func close() { cncurses_close_captured(opened) }

    /// Makes this screen the current one for the closure.
    /// - Returns: the bytes that ncurses wrote meanwhile.
    private func output(_ body: () -> Void) -> [UInt8] {
        let before = set_term(handle)
        defer { if let before, before != handle { set_term(before) } }
        body()
        return capture.drain()
    }

    /// The columns and rows of the screen.
    func resize(to size: Size) {
        _ = output { resizeterm(Int32(size.rows), Int32(size.columns)) }
        canvas.invalidate()
    }

    /// Draws a frame.
    /// - Parameters:
    ///   - whole: whether every cell is sent, whatever the terminal shows.
    ///   - links: whether linked text is written as hyperlinks.
    /// - Returns: the bytes for the terminal.
    func paint(_ frame: Frame, whole: Bool, links wantsLinks: Bool) -> [UInt8] {
        let links = wantsLinks ? LinkRun.runs(in: frame) : []
        let linksChange = links != shownLinks
        var bytes = output {
            canvas.draw(frame)
            // ncurses does not rewrite an unchanged cell, which would keep its old link; mark the row as changed.
            if linksChange { shownLinks.forEach { wredrawln(cncurses_newscr(), Int32($0.at.row), 1) } }
            if whole { clearok(cncurses_curscr(), true) }
            wnoutrefresh(cncurses_stdscr())
            showCursor(frame.cursor != nil)
            doupdate()
        }
        bytes += Array(LinkRun.lastCellOfOneColumn(frame, canvas.look, width: Self.width).utf8)
        if linksChange || (whole && !links.isEmpty) {
            for link in links { bytes += Array(link.sequence(canvas.look, width: Self.width).utf8) }
        }
        shownLinks = links
        return bytes
    }

    private func showCursor(_ isShown: Bool) {
        guard isShown != showsCursor else { return }
        curs_set(isShown ? 1 : 0)
        showsCursor = isShown
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        Int(cncurses_width(wchar_t(bitPattern: scalar.value)))
    }

    /// The bytes that leave the full screen. The next paint enters it again.
    func leave() -> [UInt8] {
        showsCursor = nil
        return output { endwin() }
    }

    /// Draws with other settings from now on: all cells are drawn again by the next paint.
    func use(_ look: LookSettings) {
        canvas.use(look)
        // The cells of links are sent again in the new look, without their links.
        shownLinks = []
    }

    /// The bytes that hide the cursor, whatever the terminal shows. The next paint shows it if its frame has one.
    func hideCursor() -> [UInt8] {
        showsCursor = false
        return output {
            // curses does not send what it believes to be so.
            curs_set(1)
            curs_set(0)
        }
    }
}

/// How a screen draws what the terminal's description does not decide.
struct LookSettings: Equatable {
    /// The highest colour depth to use; nil uses all colours of the terminal.
    var color: ColorDepth?
    var theme: ColorTheme
    var glyphs: GlyphStyle
}
