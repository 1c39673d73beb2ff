import Bellerophon
import BellerophonBase
import CNcurses
import Foundation
import TerminalIO
import TerminalUI

/// All output to the terminal.
extension TerminalSession {
    /// Requests a paint of the current state. The paint is immediate, unless the terminal or ``PaintPacer`` delays it. It shows
    /// all changes made until then.
    /// - Parameter whole: whether every cell is sent, regardless of the assumed content of the terminal.
    func setNeedsPaint(whole: Bool = false) {
        needsPaint = true
        needsWholePaint = needsWholePaint || whole
        guard paintTimer == nil, outputWatch == nil else { return }
        paintIfPossible()
    }

    private func paintIfPossible() {
        guard needsPaint, !isLent, !isClosed, coverage != .uncovering else { return }
        // At most one paint waits for the terminal. What it is too slow for is not painted.
        guard takesOutput else { return whenOutputIsTaken { [weak self] in self?.paintIfPossible() } }
        let now = ContinuousClock.now
        if let wait = pacer.wait(at: now) { return paint(after: wait) }
        pacer.painted(at: now)
        paint()
        onPaint?()
    }

    /// Whether the terminal has taken everything and takes more.
    var takesOutput: Bool { output.isIdle && DescriptorIO.waitForOutput(terminal.output, milliseconds: 0) }

    private func paint(after wait: Duration) {
        paintTimer = Self.timer(after: wait) { [weak self] in
            self?.paintTimer?.cancel()
            self?.paintTimer = nil
            self?.paintIfPossible()
        }
    }

    /// A timer that calls a closure on the main queue.
    static func timer(after wait: Duration, _ call: @escaping @MainActor () -> Void) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + wait / .seconds(1), leeway: .milliseconds(1))
        timer.setEventHandler { MainActor.assumeIsolated(call) }
        timer.resume()
        return timer
    }

    /// Calls the closure when the terminal takes output and has taken all that waits. A later call replaces an earlier one.
    func whenOutputIsTaken(_ call: @escaping @MainActor () -> Void) {
        outputWatch?.cancel()
        let source = terminal.outputDescriptor.writeSource(on: .main)
        source.setEventHandler { [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.output.isIdle else { return }
                self.outputWatch?.cancel()
                self.outputWatch = nil
                call()
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
        if isGuest, coverage == .none { return paintHost(whole: whole) }
        if isGuest { openOverlayScreen() }
        guard let screen, let frame = coverage == .covered ? drawCover?() : programFrame else { return }
        output.write(screen.paint(frame, whole: whole, links: wantsLinks))
        onFrame?(frame)
        background.askOnce(at: .now) { output.write(BackgroundQuery.bytes) }
    }

    /// The frame of the program, with the notice over it.
    private var programFrame: Frame? {
        guard var frame = drawBase?() else { return nil }
        // On a single row, the notice would hide the row of the cursor.
        if frame.size.rows > 1 { drawNotice?(frame.size, frame.cursor)?.draw(in: &frame) }
        return frame
    }

    /// Lets a host's curses paint its screen from its own memory, with the notice over it.
    private func paintHost(whole: Bool) {
        // A host that has left its screen paints it, with the notice, when it comes back.
        guard !isendwin() else { return }
        let isChanged = hostNotice.show(hostBanner, glyphs)
        guard whole || isChanged else { return }
        if whole { clearok(cncurses_curscr(), true) }
        doupdate()
    }

    /// Paints the notice again if the host has drawn over it, or has painted it although it is over.
    func restoreHostNotice() {
        guard isGuest, coverage == .none, !isLent, !isClosed, !isendwin() else { return }
        if !hostNotice.isShown(hostBanner, glyphs) { setNeedsPaint() }
    }

    private var hostBanner: Banner? { HostNotice.screen.flatMap { drawNotice?($0.size, $0.cursor) } }

    /// Sends bytes after what was painted.
    func write(_ text: String) { output.write(text) }

    /// Drops what the terminal has not taken, so that what is sent next is not behind it.
    func dropUnsentOutput() {
        guard output.discard() else { return }
        output.write(CancelSequence.bytes)
        needsWholePaint = true
    }

    /// Asks the terminal to copy a text to the clipboard (OSC 52). The text is sanitised, because it may be pasted into a
    /// terminal.
    /// - Returns: false if the terminal is not known to support it.
    func copy(_ text: String) -> Bool {
        guard kind.takesOperatingSystemCommands, !isLent, !isClosed else { return false }
        write(Clipboard.request(text))
        return true
    }
}
