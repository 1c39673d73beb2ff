import CNcurses
import Foundation
import TerminalUI

/// One open ncurses screen, ours or a host's: its input, its signals, its output and the way back out of it.
///
/// Everything that reaches the terminal goes through ``flush(whole:)``, so that what stands on top is decided in one place.
@MainActor
final class TerminalSession {
    let palette: Palette
    /// Whether a host opened the screen.
    let isGuest: Bool
    private let kind: TerminalKind
    private let wantsLinks: Bool
    private let reader: KeyReader
    private let input = InputWatch()
    private var signals: SignalWatch?
    private var guardsProcess = false

    /// The program's own drawing surface; nil for a guest, whose host draws by itself.
    var base: Canvas?
    /// The overlay while it stands.
    var cover: Cover? {
        didSet { updatePasteMode() }
    }

    var onKey: ((Key) -> Void)?
    var onPaste: ((String) -> Void)?
    /// The screen has its new size; the overlay's observer is called before the owner's.
    var overlayDidResize: (() -> Void)?
    var onResize: (() -> Void)?
    var overlayDidResume: (() -> Void)?
    var onResume: (() -> Void)?
    var onEnd: (() -> Void)?

    /// Whether another program has the terminal for a while. Nothing is drawn meanwhile.
    private(set) var isLent = false
    private(set) var isClosed = false
    private var shownLinks: [LinkRun] = []
    private var shownCursor: Int32?
    private var pastesAreMarked = false
    private var lastResume = ContinuousClock.now

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

    /// What brings the terminal back to a shell's state from any state of ours.
    private var resetBytes: String {
        let mouse = "\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1006l", paste = "\u{1B}[?2004l"
        let names = ["sgr0", "op", "rmkx", "cnorm", "rmcup"]
        let strings = names.compactMap { cncurses_capability($0).map { String(cString: $0) } }
        return (kind.takesOperatingSystemCommands ? mouse + paste : "") + strings.joined() + "\r\n"
    }

    // MARK: Output

    /// Shows what has been drawn, the overlay above everything.
    /// - Parameter whole: whether every cell is sent, whatever the terminal is believed to show.
    func flush(whole: Bool = false) {
        guard !isLent, !isClosed else { return }
        let visible = cover?.canvas.frame ?? base?.frame
        let links = wantsLinks ? visible.map(LinkRun.runs) ?? [] : []
        let linksChange = links != shownLinks
        // A cell that stays the same would keep its link: make ncurses write the row again.
        if linksChange { shownLinks.forEach { wredrawln(cncurses_newscr(), Int32($0.at.row), 1) } }
        if whole { clearok(cncurses_curscr(), true) }
        compose()
        showCursor(visible)
        doupdate()
        if linksChange || (whole && !links.isEmpty) {
            write(links.map { $0.sequence(depth: palette.depth, width: Self.width) }.joined())
        }
        shownLinks = links
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
        if shownCursor == nil, isGuest { cover?.hostCursor = before }
        shownCursor = wanted
    }

    /// Gives a host its cursor back.
    func restoreCursor(_ visibility: Int32?) {
        shownCursor = nil
        guard isGuest, !isLent, !isClosed, let visibility, visibility >= 0 else { return }
        // In some descriptions "very visible" only changes the shape.
        if visibility > 1 { curs_set(1) }
        curs_set(visibility)
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        Int(cncurses_width(wchar_t(bitPattern: scalar.value)))
    }

    /// Writes bytes past ncurses, whose own output has gone out before.
    func write(_ text: String) {
        guard !text.isEmpty else { return }
        FileDescriptorOutput.write(text)
    }

    /// Asks the terminal to put a text on the clipboard (OSC 52).
    /// - Returns: false where the terminal is not known to do such things.
    func copy(_ text: String) -> Bool {
        guard kind.takesOperatingSystemCommands, !isLent, !isClosed else { return false }
        write("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}")
        return true
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

    // MARK: Signals

    private func received(_ number: Int32) {
        switch number {
        case SIGWINCH: resized()
        case SIGTSTP: suspend()
        case SIGCONT where lastResume.duration(to: .now) > .milliseconds(250): comeBack()
        case SIGCONT: break
        case SIGINT where isLent, SIGQUIT where isLent: break
        default: die(by: number)
        }
    }

    private func resized() {
        guard !isLent, !isClosed, synchronizeSize() else { return }
        overlayDidResize?()
        onResize?()
        flush(whole: true)
    }

    /// Gives ncurses the terminal's present size. False where it had it.
    private func synchronizeSize() -> Bool {
        var columns: Int32 = 0, rows: Int32 = 0
        guard cncurses_terminal_size(&columns, &rows), is_term_resized(rows, columns) else { return false }
        resizeterm(rows, columns)
        base?.invalidate()
        return true
    }

    /// Stops the program until its shell continues it. Where no shell could, nothing is stopped.
    func suspend() {
        guard !isClosed else { return }
        leaveScreen()
        cncurses_raise_default(SIGTSTP, guardsProcess)
        comeBack()
    }

    /// The program goes on after it was stopped.
    private func comeBack() {
        guard !isClosed else { return }
        lastResume = .now
        if !isLent {
            if !isendwin() { leaveScreen() }
            enterScreen()
        }
        overlayDidResume?()
        onResume?()
    }

    /// Gives the terminal back and ends the process by the signal, so that its exit status shows it.
    func die(by number: Int32) {
        close()
        cncurses_raise_default(number, false)
    }

    // MARK: Leaving and coming back

    private func leaveScreen() {
        guard !isLent else { return }
        setPasteMode(false)
        def_prog_mode()
        endScreen()
    }

    /// Leaves the alternate screen empty. tmux would otherwise wrap its full-width lines into the shell's screen when
    /// the window has become larger since.
    private func endScreen() {
        if cncurses_capability("rmcup") != nil, let clear = cncurses_capability("clear") {
            write(String(cString: clear))
        }
        endwin()
    }

    private func enterScreen() {
        reset_prog_mode()
        shownCursor = nil
        updatePasteMode()
        if synchronizeSize() {
            overlayDidResize?()
            onResize?()
        }
        flush(whole: true)
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

    /// Calls back when a line has been entered, while the terminal is lent. The end of the input counts as one.
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
        setPasteMode(false)
        isClosed = true
        input.stop()
        if !isLent, !isendwin() { endScreen() }
        restoreOriginalModes()
        signals?.cancel()
        guard guardsProcess else { return }
        cncurses_unguard_crashes()
        if !isGuest { [SIGWINCH, SIGTSTP, SIGINT, SIGTERM].forEach(cncurses_set_default) }
    }
}
