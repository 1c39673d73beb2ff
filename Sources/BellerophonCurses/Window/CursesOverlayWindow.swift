public import Bellerophon
import BellerophonViews
import CNcurses
import Foundation
import ProgramUpdates
import TerminalIO
import TerminalUI

/// A full-screen ncurses view above everything that the app draws.
///
/// While a view is up, the app's descriptors 0, 1 and 2 do not lead to the terminal: nothing that the app draws or prints at
/// that time is seen, from whichever timer or thread. Afterwards curses paints the app's screen from its own memory, with the
/// modes that the app has set meanwhile. An app that starts editors, opens the terminal by itself or reads keys by itself is
/// guarded from outside: `bellerophon guard`.
///
/// In a program that opens its own ncurses screen, create the window after `initscr` or `newterm`, and read keys with
/// ``nextKey()`` instead of `getch`:
/// ```swift
/// let window = CursesOverlayWindow()
/// while let key = window.nextKey() { app.handle(key); app.draw() }
/// ```
/// In a program with a ``CursesTerminal``, create the window with it, and offer the window every key first:
/// `if window.handle(key) { return }`.
@MainActor
public final class CursesOverlayWindow: DeputizedWindow {
    private let terminal: CursesTerminal?
    private let installsGuards: Bool
    private var attached: TerminalSession?
    private let deputySlot = DeputySlot()
    /// What covers the app; nil for nothing.
    package private(set) var display: (view: any OverlayView, content: OverlayContent)?
    /// What the person has opened on the overlay, and what a key does there.
    package var interaction = OverlayInteraction()
    package let time: any ManagerClock = DispatchClock()
    /// What the person is told in a line over the app; nil for nothing.
    var notice: OverlayNotice?
    /// Looks whether the host has drawn over the notice, in a host that does not wait in ``nextEvent(timeout:whileCovered:)``.
    var noticeLook: ScheduledCall?
    /// Handles the commands that the window cannot handle by itself. Held weakly.
    public weak var responder: (any OverlayResponder)?
    var host = HostQueue()
    /// Whether the host waits for its keys in ``nextEvent(timeout:whileCovered:)``.
    var waitsInLoop = false
    /// The iterator of ``events`` that is waiting.
    var hostWaiter: CheckedContinuation<HostEvent?, Never>?
    /// What the view said when the person quit from it, in a line for the shell; nil if the person did not.
    var quitLine: String?

    /// An accessory on the overlay. It handles keys first and is drawn last. Held weakly.
    package weak var accessory: (any OverlayAccessory)? {
        didSet { refresh() }
    }
    /// Called when the person quits from the overlay.
    ///
    /// If nil, ``nextKey()`` returns nil; a program that does not use ``nextKey()``,
    /// ``nextEvent(timeout:whileCovered:)`` or ``events`` is ended as by SIGTERM.
    public var onQuit: (() -> Void)?
    /// Called when the program continues after it was stopped, for example by Control-Z, whether or not the overlay is
    /// shown.
    public var onResume: (() -> Void)?

    /// Saves the person's work before the program starts again as the version that an update has installed. It returns arguments for
    /// the new version, such as the open document; they follow those that the program was started with.
    ///
    /// With a closure the program starts again right after an update, by execve(2) with the path that it was started by. It keeps its
    /// process identifier, its terminal and its place in the shell's job control. nil: the view says that the new version is installed, and
    /// the person decides when the program is ended for it. Called on the main actor.
    public var prepareForRestart: (() -> [String])? {
        didSet { adoptRestart() }
    }
    /// Runs the updates of the app under the view; nil if it has none.
    package var updates: UpdateDriver?
    /// Looks whether the update command still has to wait for a line; nil if no line is waited for.
    var lineLook: ScheduledCall?
    /// How this process starts again. Taken at the start, because an update replaces the file.
    let processRestart = ProgramRestart()

    /// Creates a window on the ncurses screen that the host has opened.
    /// - Parameter installingGuards: whether to restore the terminal when a signal or a crash ends the program, and to
    ///   handle Control-Z. Signals for which the program has its own handler are left to it, except SIGTERM, SIGINT,
    ///   SIGHUP and SIGQUIT. Pass false in a program that does all this itself.
    public init(installingGuards: Bool = true) {
        terminal = nil
        installsGuards = installingGuards
        attach()
    }

    /// Creates a window on a terminal that this library has opened.
    public init(terminal: CursesTerminal) {
        self.terminal = terminal
        installsGuards = false
        attach()
    }

    /// The session of the screen; nil until a host has opened one.
    var session: TerminalSession? {
        if attached == nil { attach() }
        return attached
    }

    private func attach() {
        let new = terminal?.session ?? guestSession()
        attached = new
        deputySlot.fill(new?.deputy)
        new?.overlayDidResume = { [weak self] in self?.programDidResume() }
        new?.drawCover = { [weak self] in self?.session.flatMap { self?.frame($0.size) } }
        new?.drawNotice = { [weak self] size, cursor in self?.banner(size, cursor) }
        if isPresented { new?.cover() } else if notice != nil { new?.setNeedsPaint() }
    }

    private func guestSession() -> TerminalSession? {
        let session = TerminalSession.attach(guarding: installsGuards)
        session?.onKey = { [weak self] key in self?.handleOrQueue(key) }
        session?.onEnd = { [weak self] in self?.inputEnded() }
        session?.onResize = { [weak self] in
            self?.host.needsLayout = true
            self?.resumeHost()
        }
        session?.onUncovered = { [weak self] in self?.resumeHost() }
        return session
    }

    /// Whether the overlay covers the app.
    public var isPresented: Bool { display != nil }

    /// Covers the app with a view, or replaces the current view, which starts with its status page.
    public func present(_ view: any OverlayView, content: OverlayContent) {
        display = (view, content)
        // The first paint must not name keys that do not count yet.
        beginInteraction()
        session?.cover()
    }

    /// Redraws the current view with new content. Does nothing while the overlay is not shown.
    public func update(_ content: OverlayContent) {
        guard let view = display?.view else { return }
        display = (view, content)
        refresh()
    }

    /// Removes the overlay and restores the app's display.
    public func dismiss() {
        guard isPresented else { return }
        display = nil
        interaction.reset()
        session?.uncover()
    }

    /// Covers the app while its main queue is not served.
    package var deputy: any OverlayDeputy { deputySlot }

    package func mainQueueReturns() { session?.mainQueueReturns() }

    package func mainQueueReturned() { session?.mainQueueReturned(isCovered: isPresented) }

    /// Whether the terminal shows the app, and not a view or another program.
    var showsHost: Bool { session.map { $0.coverage == .none && !$0.isLent } ?? true }

    /// Redraws the overlay after a change of its accessory.
    public func refresh() { draw(everyCell: false) }

    /// The frame that the overlay shows; nil while it is not shown.
    func frame(_ size: Size) -> Frame? {
        guard let (view, content) = display else { return nil }
        let below = rowsBelow(size)
        var frame = Frame(Size(columns: size.columns, rows: size.rows - below))
        let glyphs = session?.glyphs ?? .unicode
        interaction.draw(view, content, accessoryKeys: accessory?.keyHints ?? [], glyphs: glyphs, in: &frame)
        accessory?.draw(in: &frame)
        guard below > 0 else { return frame }
        var whole = frame.extended(by: below)
        accessory?.drawBelow(in: &whole, whole.bounds.split(top: frame.size.rows).rest)
        return whole
    }

    /// The rows that the accessory takes below the view.
    private func rowsBelow(_ size: Size) -> Int {
        min(max(0, accessory?.rowsBelow(size) ?? 0), size.rows)
    }

    /// The size of the view, above the accessory's rows.
    func viewSize(_ size: Size) -> Size { Size(columns: size.columns, rows: size.rows - rowsBelow(size)) }

    private func programDidResume() {
        onResume?()
        beginInteraction()
        responder?.overlayDidResume()
    }

    /// Restores the terminal permanently, as after the host's own `endwin`.
    public func close() { session?.close() }

    /// Restores the terminal permanently, and then writes a line for the shell.
    func close(saying text: String?) {
        let text = text.map { TextSanitizer.printable($0) }
        if let session, !session.isClosed { return session.close(saying: text) }
        if let text { FileDescriptorOutput.write(text + "\n", to: STDERR_FILENO, patience: FileDescriptorOutput.lastPatience) }
    }
}
