public import Bellerophon
import CNcurses
import Foundation
import TerminalUI

/// A full-screen ncurses panel above everything that the app draws.
///
/// In a program that opens its own ncurses screen, make it after `initscr` or `newterm`, and read keys with
/// ``nextKey(timeout:)`` in place of `getch`:
/// ```swift
/// let window = CursesOverlayWindow()
/// while let key = window.nextKey() { app.handle(key); app.draw() }
/// ```
/// In a program with a ``CursesTerminal``, make it with that and offer it every key first:
/// `if window.handle(key) { return }`.
@MainActor
public final class CursesOverlayWindow: OverlayWindow {
    private let terminal: CursesTerminal?
    private let installsGuards: Bool
    private var attached: TerminalSession?
    private var hostWatch: (any DispatchSourceTimer)?

    /// What is shown, as long as something is.
    private(set) var view: (any OverlayView)?
    private(set) var content: OverlayContent?
    /// What the person has opened on the overlay. Drawn with the content.
    var presentation = OverlayPresentation()
    public weak var responder: (any OverlayResponder)?
    var noticeCount = 0
    var host = HostQueue()
    /// The iterator of ``events`` that waits for the next one.
    var hostWaiter: CheckedContinuation<HostEvent?, Never>?

    /// Stands on the overlay: asked first for keys, drawn last.
    public weak var accessory: (any OverlayAccessory)? {
        didSet { refresh() }
    }
    /// Called when the person quits from the overlay.
    ///
    /// Without it ``nextKey(timeout:)`` returns nil, and a program that does not use that is ended as by SIGTERM.
    public var onQuit: (() -> Void)?
    /// Called when the program goes on after it was stopped, as by Control-Z, whether or not the overlay stands.
    public var onResume: (() -> Void)?

    /// A window on the ncurses screen that the host has opened.
    ///
    /// - Parameter installingGuards: whether the terminal is given back when a signal ends the program, a crash included,
    ///   and Control-Z is handled. Signals for which the program has a handler of its own are left to it, but for SIGTERM,
    ///   SIGINT, SIGHUP and SIGQUIT. Pass false in a program that does all that itself.
    public init(installingGuards: Bool = true) {
        terminal = nil
        installsGuards = installingGuards
        attach()
    }

    /// A window on a terminal of ours.
    public init(terminal: CursesTerminal) {
        self.terminal = terminal
        installsGuards = false
        attach()
    }

    /// The session of the screen; nil as long as a host has opened none.
    var session: TerminalSession? {
        if attached == nil { attach() }
        return attached
    }

    private func attach() {
        let new = terminal?.session ?? guestSession()
        attached = new
        new?.overlayDidResize = { [weak self] in self?.screenDidResize() }
        new?.overlayDidResume = { [weak self] in self?.programDidResume() }
        new?.drawCover = { [weak self] in self?.drawCover() }
    }

    private func guestSession() -> TerminalSession? {
        guard cncurses_stdscr() != nil else { return nil }
        // A host that has not set its locale would show every sign of ours as garbage.
        _ = cncurses_set_locale()
        GuestColors.start()
        let session = TerminalSession(options: TerminalOptions(mouse: false), isGuest: true, guarding: installsGuards)
        session?.onKey = { [weak self] key in self?.take(key) }
        session?.onEnd = { [weak self] in self?.inputEnded() }
        session?.onResize = { [weak self] in
            self?.host.resized()
            self?.resumeHost()
        }
        return session
    }

    /// Whether the overlay covers the app.
    public var isPresented: Bool { view != nil }

    /// Whether another program, the update command, has the terminal. The app must neither read nor draw meanwhile.
    public var isTerminalLent: Bool { session?.isLent ?? false }

    public func present(_ view: any OverlayView, content: OverlayContent) {
        if view !== self.view { presentation = OverlayPresentation() }
        self.view = view
        self.content = content
        refresh()
    }

    /// The overlay's panel, made when first needed: a host may have opened its screen only after the first status.
    private var cover: OverlayPanel? {
        guard isPresented, let session, !session.isClosed else { return nil }
        if session.cover == nil, let new = OverlayPanel(palette: session.palette, isGuest: session.isGuest) {
            session.cover = new
            if session.isGuest { watchHost() }
        }
        return session.cover
    }

    /// A host with timers of its own may paint over the overlay with a plain `refresh`: heals that within a tenth of
    /// a second. Comparing a screen of 80×24 takes some ten microseconds.
    private func watchHost() {
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + 0.1, repeating: 0.1, leeway: .milliseconds(10))
        timer.setEventHandler { [weak self] in
            MainActor.assumeIsolated {
                if self?.session?.cover?.isPaintedOver == true { self?.refresh() }
            }
        }
        timer.resume()
        hostWatch = timer
    }

    public func update(_ content: OverlayContent) {
        guard isPresented else { return }
        self.content = content
        refresh()
    }

    public func dismiss() {
        guard isPresented else { return }
        view = nil
        content = nil
        presentation = OverlayPresentation()
        guard let session, let cover = session.cover else { return }
        hostWatch?.cancel()
        hostWatch = nil
        session.cover = nil
        cover.remove()
        session.restoreCursor(cover.hostCursor)
        session.setNeedsPaint()
        resumeHost()
    }

    /// Draws the overlay again, after a change of its accessory.
    public func refresh() {
        guard isPresented else { return }
        session?.setNeedsPaint()
    }

    private func drawCover() {
        guard let cover, let session, let frame = frame(session.size) else { return }
        cover.draw(frame)
    }

    /// The frame that the overlay shows; nil while it does not stand.
    func frame(_ size: Size) -> Frame? {
        guard let view, var content else { return nil }
        content.presentation = presentation
        content.presentation.accessoryKeys = accessory?.keyHints ?? []
        var frame = Frame(size)
        view.draw(content, in: &frame)
        accessory?.draw(in: &frame)
        return frame
    }

    private func screenDidResize() {
        guard let session, let cover = session.cover else { return }
        cover.resize(to: session.size)
    }

    private func programDidResume() {
        onResume?()
        responder?.overlayDidResume()
    }

    /// Gives the terminal back for good, as after the host's own `endwin`.
    public func close() { session?.close() }
}

/// Colours on a host's screen.
enum GuestColors {
    /// Starts them where the host has none, in a way that leaves its screen as it looks.
    @MainActor
    static func start() {
        guard has_colors(), cncurses_color_pairs() <= 0 else { return }
        start_color()
        use_default_colors()
    }
}
