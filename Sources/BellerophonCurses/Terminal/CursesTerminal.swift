import CNcurses
import Foundation
public import TerminalUI

/// The terminal of a full-screen program: reads keys, shows frames, and restores the terminal at the end.
///
/// ```swift
/// let terminal = try CursesTerminal.open(TerminalOptions())
/// terminal.onKey = { key in if key == .character("q") { terminal.stop() } }
/// terminal.present(frame)
/// terminal.run()
/// terminal.close()
/// ```
/// Open it before other threads start, because signals can only be blocked in threads that start later.
@MainActor
public final class CursesTerminal: Screen {
    let session: TerminalSession
    private var isStopped = false

    /// Called for every key, including mouse events and `.resize`. Control-C and Control-Z are not reported: they end and
    /// stop the program.
    public var onKey: ((Key) -> Void)?
    /// Called with a pasted text. Its line ends and control characters are unchanged.
    public var onPaste: ((String) -> Void)?
    /// Called when the program continues after Control-Z. The screen has been redrawn.
    public var onResume: (() -> Void)?
    /// Called when the terminal is gone. If nil, the process ends as by SIGHUP.
    public var onHangUp: (() -> Void)? {
        didSet { session.onEnd = onHangUp }
    }

    /// Called before a signal ends the process, after the terminal was restored. It is the last opportunity to finish a
    /// file. The signal is raised again when the closure returns.
    public var onTermination: ((Int32) -> Void)? {
        didSet { session.onTermination = onTermination }
    }

    /// Opens the terminal and enters the full screen.
    /// - Throws: why the terminal cannot be opened; its state is then unchanged.
    public static func open(_ options: TerminalOptions = TerminalOptions()) throws(TerminalError) -> CursesTerminal {
        try check()
        return CursesTerminal(session: try TerminalSession.open(options))
    }

    /// Checks whether a full-screen program can run in this terminal, without changing the terminal.
    ///
    /// For a host that opens its own screen, because `initscr` ends the process on failure. Sets the character locale
    /// from the environment, which ncurses requires.
    /// - Throws: the first reason why it cannot.
    public static func check() throws(TerminalError) {
        _ = cncurses_set_locale()
        let name = ProcessInfo.processInfo.environment["TERM"]
        try TerminalError.verify(isTerminal: isatty(0) == 1 && isatty(1) == 1, name: name) { cncurses_knows_term($0) }
    }

    private init(session: TerminalSession) {
        self.session = session
        session.onKey = { [weak self] key in self?.onKey?(key) }
        session.onPaste = { [weak self] text in self?.onPaste?(text) }
        session.onResume = { [weak self] in self?.onResume?() }
        session.onResize = { [weak self] in self?.onKey?(.resize) }
        session.setPasteMode(true)
        session.startReading()
    }

    /// The current size of the terminal.
    public var size: Size { session.size }

    /// The colour depth in use.
    public var colorDepth: ColorDepth { session.screen?.depth ?? .mono }

    /// Called after every paint.
    package var onPaint: (() -> Void)? {
        didSet { session.onPaint = onPaint }
    }

    /// Called with every frame that was painted: the program's, or the overlay's while one is shown.
    package var onFrame: ((Frame) -> Void)? {
        didSet { session.onFrame = onFrame }
    }

    /// Draws the frame, below the overlay while one is shown.
    public func present(_ frame: Frame) {
        present { frame }
    }

    /// Draws the frame that the closure returns, below the overlay while one is shown: now, and at every later paint
    /// until the next call.
    ///
    /// The first changes on a quiet screen are painted immediately. Of many consecutive changes, the latest state is
    /// painted at most every 16 ms and only when the terminal accepts output; the closure is called only then.
    package func present(drawing frame: @escaping @MainActor () -> Frame) {
        session.drawBase = frame
        session.setNeedsPaint()
    }

    /// Sends every cell again, for example after another program has written on the screen.
    public func repaint() { session.setNeedsPaint(whole: true) }

    /// Asks the terminal to copy a text to the clipboard. Returns false if the terminal is not known to support it.
    @discardableResult
    public func copy(_ text: String) -> Bool { session.copy(text) }

    /// The colours of roles.
    package var theme: ColorTheme { session.look.theme }

    /// Takes the colours of roles from another theme from now on.
    package func use(_ theme: ColorTheme) { session.look.theme = theme }

    /// Draws lines, marks and drawings with other characters from now on.
    package func use(_ glyphs: GlyphStyle) { session.look.glyphs = glyphs }

    /// The characters of lines, marks and drawings.
    package var glyphs: GlyphStyle { session.glyphs }

    /// Rings the terminal's bell.
    package func ringBell() { session.ringBell() }

    /// Shows a title for the terminal's window or tab, until the terminal is closed. Does nothing if the terminal is not known
    /// to support it.
    package func setTitle(_ title: String) { session.setTitle(title) }

    /// Requests a notification of the desktop. Most terminals show it only while their window is in the background. Does
    /// nothing if the terminal is not known to support it.
    package func notify(title: String, text: String) { session.notify(title: title, text: text) }

    /// Stops the program as by Control-Z, until its shell continues it.
    public func suspend() { session.stopGroup() }

    /// Runs the main run loop until ``stop()``.
    ///
    /// Call it from top-level code on the main thread: inside a main-queue block the queue would be blocked.
    public func run() {
        while !isStopped, !session.isClosed {
            _ = RunLoop.main.run(mode: .default, before: .distantFuture)
        }
    }

    /// Makes ``run()`` return.
    public func stop() {
        isStopped = true
        // Wakes the run loop if called from a timer, which does not end the loop's pass.
        DispatchQueue.main.async {}
    }

    /// Restores the terminal permanently. May be called twice.
    public func close() { session.close() }
}
