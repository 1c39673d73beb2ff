import CNcurses
import Foundation
import TerminalUI

/// One open ncurses screen, ours or a host's: its input, its signals, its output and the way back out of it.
///
/// Everything that reaches the terminal goes through ``setNeedsPaint(whole:)``, so that one place decides what stands on
/// top and when it is painted.
@MainActor
final class TerminalSession {
    let palette: Palette
    /// Whether a host opened the screen.
    let isGuest: Bool
    let kind: TerminalKind
    let wantsLinks: Bool
    private let reader: KeyReader
    private let input = InputWatch()
    private var signals: SignalWatch?
    private(set) var guardsProcess = false

    /// The program's own drawing surface; nil for a guest, whose host draws by itself.
    var base: Canvas?
    /// The overlay while it stands.
    var cover: OverlayPanel? {
        didSet { updatePasteMode() }
    }

    /// Supplies what ``base`` shows. Asked by every paint that nothing covers.
    var drawBase: (() -> Frame)?
    /// Draws the overlay. Called by every paint, before anything is shown.
    var drawCover: (() -> Void)?
    /// The screen has just been painted.
    var onPaint: (() -> Void)?

    var onKey: ((Key) -> Void)?
    var onPaste: ((String) -> Void)?
    /// The screen has its new size; the overlay's observer is called before the owner's.
    var overlayDidResize: (() -> Void)?
    var onResize: (() -> Void)?
    var overlayDidResume: (() -> Void)?
    var onResume: (() -> Void)?
    var onEnd: (() -> Void)?
    /// The terminal has been given back and the signal is about to end the process.
    var onTermination: ((Int32) -> Void)?

    /// Whether another program has the terminal for a while. Nothing is drawn meanwhile.
    private(set) var isLent = false
    private(set) var isClosed = false
    var shownLinks: [LinkRun] = []
    var shownCursor: Int32?
    var pacer = PaintPacer()
    var needsPaint = false
    var needsWholePaint = false
    /// What a requested paint waits for, its time or the terminal; at most one of the two exists.
    var paintTimer: (any DispatchSourceTimer)?
    var outputWatch: (any DispatchSourceWrite)?
    private var pastesAreMarked = false
    var lastResume = ContinuousClock.now

    /// Attaches to the open screen; nil where there is none.
    init?(options: TerminalOptions, isGuest: Bool, guarding: Bool) {
        guard cncurses_stdscr() != nil, let reader = KeyReader() else { return nil }
        let environment = ProcessInfo.processInfo.environment
        self.isGuest = isGuest
        self.reader = reader
        kind = TerminalKind(environment: environment)
        wantsLinks = options.hyperlinks && kind.takesOperatingSystemCommands
        let wanted = options.color ?? (ColorDepth.isRefused(in: environment) ? .mono : nil)
        palette = Palette(wanted: wanted, isGuest: isGuest)
        watchSignals(guarding: guarding)
        updatePasteMode()
    }

    var size: Size { Size(columns: Int(cncurses_columns()), rows: Int(cncurses_lines())) }

    /// A new size and the end of a stop must be seen in any case; the rest is the guard's.
    private func watchSignals(guarding: Bool) {
        guardsProcess = guarding
        if guarding { guardCrashes() }
        let ends = [SIGTSTP, SIGINT, SIGTERM, SIGHUP, SIGQUIT]
        signals = SignalWatch([SIGWINCH, SIGCONT] + (guarding ? ends : [])) { [weak self] number in
            self?.received(number)
        }
    }

    private func guardCrashes() {
        var modes = termios()
        guard cncurses_original_modes(&modes) else { return }
        let reset = resetBytes
        _ = reset.withCString { cncurses_guard_crashes(1, &modes, $0, reset.utf8.count) }
    }

    /// What brings the terminal back to a shell's state from any state of ours, a sequence that was cut off included (CAN).
    private var resetBytes: String {
        let mouse = "\u{18}\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1006l", paste = "\u{1B}[?2004l"
        let names = ["sgr0", "op", "rmkx", "cnorm", "rmcup"]
        let strings = names.compactMap { cncurses_capability($0).map { String(cString: $0) } }
        return (kind.takesOperatingSystemCommands ? mouse + paste : "") + strings.joined() + "\r\n"
    }

    /// Pastes are told from keys in a program of ours, and while the overlay stands in a host's.
    private func updatePasteMode() {
        setPasteMode(!isLent && !isClosed && (!isGuest || cover != nil))
    }

    private func setPasteMode(_ marked: Bool) {
        guard kind.takesOperatingSystemCommands, marked != pastesAreMarked else { return }
        pastesAreMarked = marked
        write(marked ? "\u{1B}[?2004h" : "\u{1B}[?2004l")
    }

    // MARK: Input

    func startReading() {
        guard !input.isWatching, !isLent, !isClosed else { return }
        input.start(readable: { [weak self] in self?.readKeys() }, ended: { [weak self] in self?.ended() })
    }

    var isReading: Bool { input.isWatching }

    private func readKeys() {
        for item in reader.read() {
            switch item {
            case .key(let key): onKey?(key)
            case .paste(let text): onPaste?(text)
            case .mouse: break
            }
        }
    }

    private func ended() {
        if let onEnd { onEnd() } else { die(by: SIGHUP) }
    }

    // MARK: Leaving and coming back

    /// Leaves the screen for a while.
    func leaveScreen() {
        guard !isLent else { return }
        def_prog_mode()
        endScreen()
    }

    /// Leaves the alternate screen empty. tmux would otherwise wrap its full-width lines into the shell's screen when
    /// the window has become larger since.
    func endScreen() {
        setPasteMode(false)
        if cncurses_capability("rmcup") != nil, let clear = cncurses_capability("clear") {
            write(String(cString: clear))
        }
        endwin()
    }

    func enterScreen() {
        reset_prog_mode()
        shownCursor = nil
        updatePasteMode()
        if synchronizeSize() {
            overlayDidResize?()
            onResize?()
        }
        setNeedsPaint(whole: true)
    }

    /// Gives the terminal, in a shell's modes, to another program. Timers and signals go on.
    func lend() {
        guard !isLent, !isClosed else { return }
        leaveScreen()
        isLent = true
        input.stop()
        restoreOriginalModes()
    }

    /// Ends ``lend()`` and draws everything again.
    func takeBack(reading: Bool) {
        guard isLent, !isClosed else { return }
        isLent = false
        enterScreen()
        if reading { startReading() }
    }

    /// Calls back when a line has been entered, while the terminal is lent.
    func awaitLine(_ entered: @escaping @MainActor () -> Void) {
        input.start(
            readable: { [weak self] in
                guard FileDescriptorInput.readsLineEnd() else { return }
                self?.input.stop()
                entered()
            }, ended: { [weak self] in self?.ended() })
    }

    func restoreOriginalModes() {
        var modes = termios()
        if cncurses_original_modes(&modes) { tcsetattr(0, TCSADRAIN, &modes) }
    }

    /// Gives the terminal back for good. May be called twice.
    func close() {
        guard !isClosed else { return }
        // Output that somebody has stopped with Control-S would keep us waiting for ever.
        tcflow(1, TCOON)
        input.stop()
        if !isLent, !isendwin() { endScreen() }
        isClosed = true
        stopPainting()
        restoreOriginalModes()
        // What ncurses set for them would end the process in its own way.
        if !isGuest { [SIGWINCH, SIGTSTP, SIGINT, SIGTERM].forEach(cncurses_set_default) }
        signals?.cancel()
        if guardsProcess { cncurses_unguard_crashes() }
    }
}
