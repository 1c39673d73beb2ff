import CNcurses
import Foundation
public import TerminalUI

/// The terminal of a full-screen program of ours: keys in, frames out, and always given back.
///
/// ```swift
/// let terminal = try CursesTerminal.open(TerminalOptions())
/// terminal.onKey = { key in if key == .character("q") { terminal.stop() } }
/// terminal.present(frame)
/// terminal.run()
/// terminal.close()
/// ```
/// Open it before other threads start: signals are taken from those that start later only.
@MainActor
public final class CursesTerminal: Screen {
    let session: TerminalSession
    private var isStopped = false

    /// Called with every key, the mouse and a new size included. Control-C and Control-Z never arrive: they end and
    /// stop the program.
    public var onKey: ((Key) -> Void)?
    /// Called with a pasted text, which is no key press. Its line ends and control characters are as they came.
    public var onPaste: ((String) -> Void)?
    /// Called when the program goes on after Control-Z. The screen has been drawn again.
    public var onResume: (() -> Void)?
    /// Called when the terminal is gone, in place of ending the process as SIGHUP would.
    public var onHangUp: (() -> Void)? {
        didSet { session.onEnd = onHangUp }
    }

    /// Called when a signal is about to end the process, after the terminal has been given back: the last moment to
    /// finish a file. The signal is raised again when it returns.
    public var onTermination: ((Int32) -> Void)? {
        didSet { session.onTermination = onTermination }
    }

    /// Opens the terminal and takes its screen.
    /// - Throws: why it can't be had; the terminal is as it was then.
    public static func open(_ options: TerminalOptions = TerminalOptions()) throws(TerminalError) -> CursesTerminal {
        try check()
        let name = getenv("TERM").map { String(cString: $0) } ?? ""
        guard cncurses_open() != nil else { throw .cannotOpen(name) }
        prepareScreen(options)
        guard let session = TerminalSession(options: options, isGuest: false, guarding: true),
            let screen = cncurses_stdscr()
        else {
            endwin()
            throw .cannotOpen(name)
        }
        return CursesTerminal(session: session, screen: screen)
    }

    /// Finds out whether a full-screen program can run here, without touching the terminal.
    ///
    /// For a host that opens its own screen: `initscr` ends the process where it can't. Sets the character locale from
    /// the environment, as ncurses needs it.
    public static func check() throws(TerminalError) {
        try TerminalFacts.current().check()
    }

    private static func prepareScreen(_ options: TerminalOptions) {
        // Not raw: Control-C and Control-Z come as signals, so they work whatever the program does with its keys.
        cbreak()
        noecho()
        nonl()
        intrflush(cncurses_stdscr(), false)
        keepOutputFlowing()
        if has_colors() {
            start_color()
            use_default_colors()
        }
        guard options.mouse else { return }
        mouseinterval(0)
        let events =
            cncurses_mouse_press() | cncurses_mouse_release()
            | cncurses_mouse_wheel_up() | cncurses_mouse_wheel_down()
        mousemask(events, nil)
    }

    /// Control-S is a key: a screen that stands still by it would also keep the program from being ended.
    private static func keepOutputFlowing() {
        var modes = termios()
        guard tcgetattr(0, &modes) == 0 else { return }
        modes.c_iflag &= ~tcflag_t(IXON)
        tcsetattr(0, TCSANOW, &modes)
        def_prog_mode()
    }

    private init(session: TerminalSession, screen: UnsafeMutablePointer<WINDOW>) {
        self.session = session
        session.base = Canvas(window: screen, palette: session.palette)
        session.onKey = { [weak self] key in self?.onKey?(key) }
        session.onPaste = { [weak self] text in self?.onPaste?(text) }
        session.onResume = { [weak self] in self?.onResume?() }
        session.onResize = { [weak self] in self?.onKey?(.resize) }
        session.startReading()
    }

    public var size: Size { session.size }

    /// How many colours are used.
    public var colorDepth: ColorDepth { session.palette.depth }

    /// Called when the screen has just been painted.
    public var onPaint: (() -> Void)? {
        didSet { session.onPaint = onPaint }
    }

    /// Draws the frame, below an overlay while one stands.
    public func present(_ frame: Frame) {
        present { frame }
    }

    /// Draws the frame that the closure returns, below an overlay while one stands: now, and at every later paint until the
    /// next call.
    ///
    /// The first changes on a quiet screen are painted at once. Of many in a row the last state is painted, at most every
    /// 16 ms and not before the terminal takes it; the closure runs only then.
    public func present(drawing frame: @escaping @MainActor () -> Frame) {
        session.drawBase = frame
        session.setNeedsPaint()
    }

    /// Sends every cell again, for a screen that something else has written on.
    public func repaint() { session.setNeedsPaint(whole: true) }

    /// Asks the terminal to put a text on the clipboard. False where it is not known to do that.
    @discardableResult
    public func copy(_ text: String) -> Bool { session.copy(text) }

    /// Stops the program as Control-Z does, until its shell continues it.
    public func suspend() { session.suspend() }

    /// Turns the main run loop until ``stop()``.
    ///
    /// Call it from top-level main-thread code: inside a main-queue block the queue would stand still.
    public func run() {
        while !isStopped, !session.isClosed {
            _ = RunLoop.main.run(mode: .default, before: .distantFuture)
        }
    }

    /// Lets ``run()`` return.
    public func stop() {
        isStopped = true
        // Wakes the run loop when called from a timer, which does not end its turn.
        DispatchQueue.main.async {}
    }

    /// Gives the terminal back as it was. May be called twice.
    public func close() { session.close() }
}

extension TerminalFacts {
    /// The facts of this process. Sets the character locale from the environment.
    @MainActor
    static func current() -> TerminalFacts {
        let environment = ProcessInfo.processInfo.environment
        let isOutputTerminal = isatty(1) == 1
        let name = environment["TERM"] ?? ""
        let answer = isOutputTerminal && !name.isEmpty ? cncurses_knows_term(name) : 0
        return TerminalFacts(
            isInputTerminal: isatty(0) == 1, isOutputTerminal: isOutputTerminal, environment: environment,
            isKnown: answer > 0, canPlaceCursor: answer > 1, isUTF8: cncurses_set_locale()
        )
    }
}
