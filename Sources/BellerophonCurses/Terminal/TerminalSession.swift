import Bellerophon
import BellerophonBase
import CNcurses
import CPty
import Foundation
import TerminalIO
import TerminalShadow
import TerminalUI

/// The terminal of a program with a full screen: its input, signals and output, and its restoration.
///
/// The screen belongs to this library, or to a host that has opened ncurses itself (a guest session). All output is requested
/// with ``setNeedsPaint(whole:)``, so that one place decides what is shown and when it is painted. While a view is up, the
/// program's standard descriptors lead to a ``StandInTerminal``.
@MainActor
final class TerminalSession {
    let terminal: OuterTerminal
    /// The standard descriptor that leads to the terminal while no view is up.
    let standardDescriptor: Int32
    let output: TerminalOutput
    /// Whether a host opened the screen.
    let isGuest: Bool
    let kind: TerminalKind
    private let options: TerminalOptions
    /// The screen that is painted; nil for a guest before its first view.
    var screen: CursesScreen?
    var look: LookSettings {
        didSet {
            guard look != oldValue else { return }
            screen?.use(look)
            setNeedsPaint()
        }
    }
    private var signals: SignalWatch?
    private(set) var guardsProcess = false

    /// Supplies the program's frame; nil for a guest, whose host draws by itself.
    var drawBase: (() -> Frame)?
    /// Supplies the view's frame while one is up.
    var drawCover: (() -> Frame?)?
    /// Supplies the row of a notice over the program's screen of this size, with the program's cursor; nil without a notice.
    var drawNotice: ((Size, Point?) -> Banner?)?
    /// The notice on the screen of a guest.
    var hostNotice = HostNotice()
    /// Called after every paint.
    var onPaint: (() -> Void)?
    /// Called with every frame that was painted, before ``onPaint``.
    var onFrame: ((Frame) -> Void)?

    var onKey: ((Key) -> Void)?
    var onPaste: ((String) -> Void)?
    /// Called when the screen has a new size.
    var onResize: (() -> Void)?
    var overlayDidResume: (() -> Void)?
    var onResume: (() -> Void)?
    var onEnd: (() -> Void)?
    /// Called when a guest has its terminal back after a view.
    var onUncovered: (() -> Void)?
    /// Called after the terminal was restored, before the signal ends the process.
    var onTermination: ((Int32) -> Void)?

    /// What is on the terminal.
    var coverage = Coverage.none {
        didSet { updateDeputy() }
    }
    /// Covers the program while its main queue is not served.
    let deputy: StaticCover
    var standIn: StandInTerminal? { deputy.standIn }
    /// The terminal's modes before the view.
    var modesBeforeCover: TerminalModes?
    /// Whether another program is using the terminal. Nothing is drawn meanwhile.
    var isLent = false {
        didSet { updateDeputy() }
    }
    var isClosed = false {
        didSet { updateDeputy() }
    }
    private(set) var size: Size
    var hasNewSize = false

    var pacer = PaintPacer()
    var needsPaint = false
    var needsWholePaint = false
    /// What a requested paint waits for: its time or the terminal. At most one of the two exists.
    var paintTimer: (any DispatchSourceTimer)?
    var outputWatch: (any DispatchSourceWrite)?

    var keys = KeyStream()
    /// Whether the program wants keys. A view always does.
    var wantsKeys = false
    var inputWatch: (any DispatchSourceRead)?
    /// Called once when a line has been entered; nil while keys are read.
    var onLine: (@MainActor () -> Void)?
    var keyTimer: (any DispatchSourceTimer)?
    var pastesAreMarked = false
    /// The title that the program shows; nil before the first.
    var title: String?
    /// Whether the terminal was asked for its background.
    var background: BackgroundQuery
    var lastResume = ContinuousClock.now

    /// What a view is to the terminal.
    enum Coverage {
        /// No view is up.
        case none
        /// A view is up.
        case covered
        /// The view is gone, and the terminal has not taken the last of it yet.
        case uncovering
    }

    /// Opens a full screen on the terminal of this process.
    static func open(_ options: TerminalOptions) throws(TerminalError) -> TerminalSession {
        let session: TerminalSession
        do throws(SystemError) {
            session = try TerminalSession(options: options, isGuest: false)
        } catch {
            throw .cannotOpen(getenv("TERM").map { String(cString: $0) } ?? "", error.reason)
        }
        try session.openScreen()
        session.terminal.set(session.programModes)
        session.watchSignals(guarding: true)
        session.updateDeputy()
        return session
    }

    /// Attaches to the screen that a host has opened; nil if there is none.
    static func attach(guarding: Bool) -> TerminalSession? {
        guard cncurses_stdscr() != nil, isatty(STDOUT_FILENO) == 1 || isatty(STDERR_FILENO) == 1 else { return nil }
        // Without the locale, a host would show characters outside ASCII as garbage.
        _ = cncurses_set_locale()
        let session = try? TerminalSession(options: TerminalOptions(mouse: false), isGuest: true)
        session?.watchSignals(guarding: guarding)
        session?.updateDeputy()
        return session
    }

    private init(options: TerminalOptions, isGuest: Bool) throws(SystemError) {
        standardDescriptor = isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDERR_FILENO
        terminal = try OuterTerminal(input: standardDescriptor, output: standardDescriptor)
        output = TerminalOutput(terminal.outputDescriptor, mayWait: !terminal.outputDescriptor.isOwn)
        let environment = ProcessInfo.processInfo.environment
        self.isGuest = isGuest
        self.options = options
        kind = TerminalKind(environment: environment)
        let isUTF8 = cncurses_set_locale()
        look = LookSettings(
            color: options.color ?? (ColorDepth.isRefused(in: environment) ? .mono : nil),
            theme: options.theme ?? TerminalBackground(environment: environment)?.theme ?? .dark,
            glyphs: options.glyphs ?? GlyphStyle(environment: environment, isUTF8: isUTF8))
        keys = KeyStream(upperHalf: isUTF8 ? nil : Self.upperHalf)
        // A terminal may not know its size. The view of a guest then has the size that its curses has assumed.
        let assumed = isGuest ? (Int(cncurses_columns()), Int(cncurses_lines())) : (80, 24)
        let known = terminal.size.flatMap { $0.columns > 0 && $0.rows > 0 ? $0 : nil }
        size = (known ?? TerminalSize(columns: assumed.0, rows: assumed.1)).cells
        // A reply that arrives in a host's hands would be taken for keys.
        let asks = options.theme == nil && !isGuest && kind.takesOperatingSystemCommands
        background = BackgroundQuery(isWanted: asks)
        var colors: Int32 = -1
        var hasAlternate = false
        let name = environment["TERM"] ?? ""
        let isKnown = cncurses_term_facts(name, &colors, &hasAlternate)
        let depth = look.color ?? ColorDepth(environment: environment, terminfoColors: isKnown ? Int(colors) : nil)
        deputy = StaticCover(
            StaticCover.Terminal(
                input: terminal.input, output: terminal.output, standard: standardDescriptor,
                look: TerminalLook(depth: depth, theme: look.theme, glyphs: look.glyphs), isASCIIOnly: !isUTF8,
                dialect: TerminalDialect(environment: environment), hasAlternateScreen: hasAlternate, isGuest: isGuest,
                screenModes: !isGuest && kind.takesOperatingSystemCommands ? "\u{1B}[?2004h" : ""),
            output: output)
    }

    // A session may be released without having been closed. Its descriptors then belong to others.
    deinit { deputy.setSession(.away) }

    /// The characters of the upper half in a locale with one byte for each character.
    private static var upperHalf: [Character?] {
        (0x80...0xFF).map { byte in
            UInt32(exactly: cncurses_character(Int32(byte))).flatMap(Unicode.Scalar.init).map(Character.init)
        }
    }

    private func openScreen() throws(TerminalError) {
        do throws(TerminalError) {
            screen = try CursesScreen(term: nil, size: size, isOverlay: false, options: options, look: look)
        } catch {
            terminal.close()
            throw error
        }
        if screen?.depth == .mono { background = BackgroundQuery(isWanted: false) }
    }

    /// Makes the screen of a guest's views. Tried again at the next paint if it fails.
    func openOverlayScreen() {
        guard screen == nil else { return }
        let name = cncurses_term_name().map { String(cString: $0) }
        screen = try? CursesScreen(term: name, size: size, isOverlay: true, options: options, look: look)
    }

    var glyphs: GlyphStyle { look.glyphs }
    var wantsLinks: Bool { options.hyperlinks && kind.takesOperatingSystemCommands }

    /// The modes of the terminal while the program of this library shows its screen.
    var programModes: TerminalModes {
        let modes = OriginalModes.value ?? terminal.originalModes
        return modes.screen(interrupts: coverage != .covered, stops: coverage != .covered)
    }

    // MARK: Signals and crashes

    /// Watches for a new size and a continuation in any case, and for the other signals only if guarding.
    private func watchSignals(guarding: Bool) {
        guardsProcess = guarding
        let reset = Array(resetBytes.utf8)
        ExitRestoration.setTerminal(terminal.output, output, reset: reset)
        if guarding, var modes = (OriginalModes.value ?? terminal.originalModes).system as termios? {
            _ = reset.withUnsafeBytes { cncurses_guard_crashes(terminal.output, &modes, $0.baseAddress, reset.count) }
        }
        // Under nohup, for example, a signal stays ignored.
        let guarded = guarding ? [SIGTSTP, SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { !cpty_was_ignored($0) } : []
        let ends = guarded.filter { $0 != SIGTSTP }
        let handler: @MainActor (Int32) -> Void = { [weak self] number in self?.received(number) }
        signals = SignalWatch([SIGWINCH, SIGCONT] + guarded, handler: handler, urgent: ends) { number in
            ExitRestoration.restore()
            cncurses_raise_default(number, false)
        }
    }

    /// The bytes that restore a shell's terminal state from any state, including an incomplete sequence (CAN).
    var resetBytes: String {
        let mouse = "\u{18}\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1006l", paste = "\u{1B}[?2004l"
        let names = ["sgr0", "op", "rmkx", "cnorm", "rmcup"]
        let strings = names.compactMap { cncurses_capability($0).map { String(cString: $0) } }
        return (kind.takesOperatingSystemCommands ? mouse + paste : "") + strings.joined() + "\r\n"
    }

    /// Takes back the handling of signals.
    func unwatchSignals() {
        // Replace the signal handlers of ncurses, which would end the process in their own way.
        if !isGuest { [SIGWINCH, SIGTSTP, SIGINT, SIGTERM].forEach(cncurses_set_default) }
        signals?.cancel()
        if guardsProcess { cncurses_unguard_crashes() }
    }

    // MARK: Size

    /// Adopts the terminal's present size. False if it did not change.
    func synchronizeSize() -> Bool {
        guard let present = terminal.size, present.columns > 0, present.rows > 0 else { return false }
        standIn?.resize(to: present)
        guard present.cells != size else { return false }
        size = present.cells
        hasNewSize = true
        if isGuest, cncurses_stdscr() != nil { resizeterm(Int32(size.rows), Int32(size.columns)) }
        screen?.resize(to: size)
        return true
    }
}
