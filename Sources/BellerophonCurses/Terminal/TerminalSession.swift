import CNcurses
import Foundation
import TerminalUI

/// One open ncurses screen, opened by this library or by a host: its input, signals and output, and its restoration.
///
/// All output to the terminal is requested with ``setNeedsPaint(whole:)``, so that one place decides what is on top and
/// when it is painted.
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

    /// The program's drawing surface; nil for a guest, whose host draws by itself.
    var base: Canvas?
    /// The overlay while it is shown.
    var cover: OverlayPanel? {
        didSet { updatePasteMode() }
    }

    /// Supplies the frame of ``base``. Called by every paint while no overlay is shown.
    var drawBase: (() -> Frame)?
    /// Draws the overlay. Called first by every paint.
    var drawCover: (() -> Void)?
    /// Called after every paint.
    var onPaint: (() -> Void)?
    /// Called with every frame that was painted, before ``onPaint``.
    var onFrame: ((Frame) -> Void)?

    var onKey: ((Key) -> Void)?
    var onPaste: ((String) -> Void)?
    /// Called when the screen has a new size, the overlay's callback before the owner's.
    var overlayDidResize: (() -> Void)?
    var onResize: (() -> Void)?
    var overlayDidResume: (() -> Void)?
    var onResume: (() -> Void)?
    var onEnd: (() -> Void)?
    /// Called after the terminal was restored, before the signal ends the process.
    var onTermination: ((Int32) -> Void)?

    /// Whether another program is using the terminal. Nothing is drawn meanwhile.
    private(set) var isLent = false
    private(set) var isClosed = false
    var shownLinks: [LinkRun] = []
    var shownCursor: Int32?
    var pacer = PaintPacer()
    var needsPaint = false
    var needsWholePaint = false
    /// What a requested paint waits for: its time or the terminal. At most one of the two exists.
    var paintTimer: (any DispatchSourceTimer)?
    var outputWatch: (any DispatchSourceWrite)?
    private var pastesAreMarked = false
    /// The title that the program shows; nil before the first.
    var title: String?
    /// Whether the terminal was asked for its background.
    var background: BackgroundQuery
    var lastResume = ContinuousClock.now

    /// Attaches to the open screen; nil if there is none.
    init?(options: TerminalOptions, isGuest: Bool, guarding: Bool) {
        guard cncurses_stdscr() != nil, let reader = KeyReader() else { return nil }
        let environment = ProcessInfo.processInfo.environment
        self.isGuest = isGuest
        self.reader = reader
        kind = TerminalKind(environment: environment)
        wantsLinks = options.hyperlinks && kind.takesOperatingSystemCommands
        let wanted = options.color ?? (ColorDepth.isRefused(in: environment) ? .mono : nil)
        palette = Palette(
            wanted: wanted, theme: options.theme ?? TerminalBackground(environment: environment)?.theme ?? .dark,
            glyphs: options.glyphs ?? GlyphStyle(environment: environment, isUTF8: cncurses_set_locale()), isGuest: isGuest)
        // A reply that arrives in a host's hands would be taken for keys.
        let asks = options.theme == nil && !isGuest && kind.takesOperatingSystemCommands && palette.look.depth > .mono
        background = BackgroundQuery(isWanted: asks)
        watchSignals(guarding: guarding)
        updatePasteMode()
    }

    var size: Size { Size(columns: Int(cncurses_columns()), rows: Int(cncurses_lines())) }

    /// Watches for a new size and a continuation in any case, and for the other signals only if guarding.
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

    /// The bytes that restore a shell's terminal state from any state, including an incomplete sequence (CAN).
    private var resetBytes: String {
        let mouse = "\u{18}\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1006l", paste = "\u{1B}[?2004l"
        let names = ["sgr0", "op", "rmkx", "cnorm", "rmcup"]
        let strings = names.compactMap { cncurses_capability($0).map { String(cString: $0) } }
        return (kind.takesOperatingSystemCommands ? mouse + paste : "") + strings.joined() + "\r\n"
    }

    /// Enables bracketed paste in a program with ``CursesTerminal``, and in a host while the overlay is shown.
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
            case .reply(let text): backgroundReplied(text)
            case .mouse: break
            }
        }
    }

    private func backgroundReplied(_ text: String) {
        guard background.takeReply(at: .now), let theme = TerminalBackground(reply: text)?.theme else { return }
        use(theme)
    }

    func use(_ theme: ColorTheme) {
        guard theme != palette.look.theme else { return }
        palette.use(theme)
        lookChanged()
    }

    func use(_ glyphs: GlyphStyle) {
        guard glyphs != palette.look.glyphs else { return }
        palette.use(glyphs)
        lookChanged()
    }

    private func lookChanged() {
        base?.invalidate()
        cover?.canvas.invalidate()
        // The cells of links are sent again in the new look, without their links.
        shownLinks = []
        setNeedsPaint()
    }

    /// Takes the terminal's reply out of the input before another program reads it. Waits for a tenth of a second at most.
    private func takeOutstandingReply() {
        let end = ContinuousClock.now + .milliseconds(100)
        while background.isOutstanding(at: .now) {
            let rest = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
            guard rest > 0, poll(&input, 1, Int32(rest.rounded(.up))) > 0, input.revents & Int16(POLLIN) != 0 else { return }
            for case .reply in reader.read() { _ = background.takeReply(at: .now) }
        }
    }

    private func ended() {
        if let onEnd { onEnd() } else { die(by: SIGHUP) }
    }

    // MARK: Leaving and restoring the screen

    /// Leaves the screen temporarily.
    func leaveScreen() {
        guard !isLent else { return }
        def_prog_mode()
        endScreen()
    }

    /// Clears the alternate screen and leaves it. Without clearing, tmux would wrap its full-width lines into the shell's
    /// screen if the window has become larger.
    func endScreen() {
        takeOutstandingReply()
        restoreTitle()
        setPasteMode(false)
        if cncurses_capability("rmcup") != nil, let clear = cncurses_capability("clear") {
            write(String(cString: clear))
        }
        endwin()
    }

    func enterScreen() {
        reset_prog_mode()
        shownCursor = nil
        showTitleAgain()
        updatePasteMode()
        if synchronizeSize() {
            overlayDidResize?()
            onResize?()
        }
        setNeedsPaint(whole: true)
    }

    /// Hands the terminal, in a shell's modes, to another program. Timers and signals continue.
    func lend() {
        guard !isLent, !isClosed else { return }
        leaveScreen()
        isLent = true
        input.stop()
        restoreOriginalModes()
    }

    /// Ends ``lend()`` and redraws everything.
    func takeBack(reading: Bool) {
        guard isLent, !isClosed else { return }
        isLent = false
        enterScreen()
        if reading { startReading() }
    }

    /// Calls the closure when a line has been entered, while the terminal is lent.
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

    /// Restores the terminal permanently. May be called twice.
    func close() {
        guard !isClosed else { return }
        // Output that was stopped with Control-S would block this call.
        tcflow(1, TCOON)
        input.stop()
        if !isLent, !isendwin() { endScreen() }
        isClosed = true
        stopPainting()
        restoreOriginalModes()
        // Replace the signal handlers of ncurses, which would end the process in their own way.
        if !isGuest { [SIGWINCH, SIGTSTP, SIGINT, SIGTERM].forEach(cncurses_set_default) }
        signals?.cancel()
        if guardsProcess { cncurses_unguard_crashes() }
    }
}
