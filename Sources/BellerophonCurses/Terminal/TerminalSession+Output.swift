import CNcurses
import Foundation
import TerminalUI

/// All output to the terminal.
extension TerminalSession {
    /// Requests a paint of the current state, with the overlay above everything. The paint is immediate, unless the
    /// terminal or ``PaintPacer`` delays it. It shows all changes made until then.
    /// - Parameter whole: whether every cell is sent, regardless of the assumed content of the terminal.
    func setNeedsPaint(whole: Bool = false) {
        needsPaint = true
        needsWholePaint = needsWholePaint || whole
        guard paintTimer == nil, outputWatch == nil else { return }
        paintIfPossible()
    }

    private func paintIfPossible() {
        guard needsPaint, !isLent, !isClosed else { return }
        // Writing to a terminal that accepts no output would block the main actor.
        guard cncurses_takes_output(STDOUT_FILENO) else { return paintWhenOutputIsTaken() }
        let now = ContinuousClock.now
        if let wait = pacer.wait(at: now) { return paint(after: wait) }
        pacer.painted(at: now)
        paint()
        onPaint?()
    }

    private func paint(after wait: Duration) {
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + wait / .seconds(1), leeway: .milliseconds(1))
        timer.setEventHandler { [weak self] in
            MainActor.assumeIsolated {
                self?.paintTimer?.cancel()
                self?.paintTimer = nil
                self?.paintIfPossible()
            }
        }
        timer.resume()
        paintTimer = timer
    }

    private func paintWhenOutputIsTaken() {
        let source = DispatchSource.makeWriteSource(fileDescriptor: STDOUT_FILENO, queue: .main)
        source.setEventHandler { [weak self] in
            MainActor.assumeIsolated {
                self?.outputWatch?.cancel()
                self?.outputWatch = nil
                self?.paintIfPossible()
            }
        }
        source.resume()
        outputWatch = source
    }

    /// Cancels all pending paints.
    func stopPainting() {
        paintTimer?.cancel()
        outputWatch?.cancel()
        (paintTimer, outputWatch) = (nil, nil)
    }

    private func paint() {
        let whole = needsWholePaint
        (needsPaint, needsWholePaint) = (false, false)
        if let drawCover { drawCover() }
        if cover == nil, let drawBase { base?.draw(drawBase()) }
        let visible = cover?.canvas.frame ?? base?.frame
        let links = wantsLinks ? visible.map(LinkRun.runs) ?? [] : []
        let linksChange = links != shownLinks
        // ncurses does not rewrite an unchanged cell, which would keep its old link; mark the row as changed.
        if linksChange { shownLinks.forEach { wredrawln(cncurses_newscr(), Int32($0.at.row), 1) } }
        if whole { clearok(cncurses_curscr(), true) }
        compose()
        showCursor(visible)
        doupdate()
        if let visible {
            onFrame?(visible)
            write(LinkRun.lastCellOfOneColumn(visible, palette.look, width: Self.width))
        }
        if linksChange || (whole && !links.isEmpty) {
            write(links.map { $0.sequence(palette.look, width: Self.width) }.joined())
        }
        shownLinks = links
        background.askOnce(at: .now) { write(TerminalBackground.query) }
    }

    private func compose() {
        if let cover {
            cover.raise()
            update_panels()
        } else if base != nil {
            update_panels()
            wnoutrefresh(cncurses_stdscr())
        }
    }

    private func showCursor(_ visible: Frame?) {
        guard let visible else { return }
        let wanted: Int32 = visible.cursor == nil ? 0 : 1
        guard wanted != shownCursor else { return }
        let before = curs_set(wanted)
        if isGuest, let cover, cover.hostCursor == nil { cover.hostCursor = before }
        shownCursor = wanted
    }

    /// Restores a host's cursor.
    func restoreCursor(_ visibility: Int32?) {
        shownCursor = nil
        guard isGuest, !isLent, !isClosed, let visibility, visibility >= 0 else { return }
        // In some terminfo entries "very visible" only changes the shape.
        if visibility > 1 { curs_set(1) }
        curs_set(visibility)
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        Int(cncurses_width(wchar_t(bitPattern: scalar.value)))
    }

    /// Writes bytes directly, after the flushed output of ncurses.
    func write(_ text: String) {
        guard !text.isEmpty else { return }
        FileDescriptorOutput.write(text)
    }

    /// Asks the terminal to copy a text to the clipboard (OSC 52). The text is sanitised, because it may be pasted into a
    /// terminal.
    /// - Returns: false if the terminal is not known to support it.
    func copy(_ text: String) -> Bool {
        guard kind.takesOperatingSystemCommands, !isLent, !isClosed else { return false }
        write("\u{1B}]52;c;\(Data(TextSanitizer.printable(text).utf8).base64EncodedString())\u{7}")
        return true
    }
}
