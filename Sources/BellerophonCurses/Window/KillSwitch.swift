import CNcurses
public import Foundation

/// A kill switch with the default parts: a window on the screen that the program has opened, the provided views, and a
/// file in the user's state folder, so that a kill survives a restart.
///
/// Check the address before `initscr` or `newterm`, start the kill switch after it, and read keys from its ``window`` instead
/// of `getch`:
/// ```swift
/// let url = try KillSwitch.statusURL("https://status.example.com/status")
/// initscr()
/// let killSwitch = try KillSwitch.start(statusURL: url)
/// while let key = killSwitch.window.nextKey() { app.handle(key); app.draw() }
/// exit(killSwitch.close().exitStatus)
/// ```
/// The program must keep a reference to it: without one, checks stop.
@MainActor
public final class KillSwitch {
    /// The window that covers the program and supplies its keys.
    public let window: CursesOverlayWindow
    /// The manager that checks the status and decides which view covers the program.
    public let manager: BellerophonManager
    private var outcome: Outcome?

    private init(window: CursesOverlayWindow, manager: BellerophonManager) {
        self.window = window
        self.manager = manager
    }

    // MARK: Before the screen is open

    /// Reads the address of a status, such as an argument of the program. Call it before `initscr`, so that the error can be
    /// read.
    /// - Throws: ``KillSwitchError/unusableAddress(_:)`` if it is not an `http` or `https` address with a host.
    public nonisolated static func statusURL(_ text: String) throws(KillSwitchError) -> URL {
        guard let url = URL(string: text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            let shown = TextSanitizer.sanitize(text, keepingNewlines: false, limit: 200)
            throw .unusableAddress("\"\(shown)\" can't be read; write an address such as https://status.example.com/status")
        }
        try validate(statusURL: url)
        return url
    }

    /// Checks the address of a status. Call it before `initscr`, so that the error can be read.
    /// - Throws: ``KillSwitchError/unusableAddress(_:)`` if it is not an `http` or `https` address with a host.
    public nonisolated static func validate(statusURL: URL) throws(KillSwitchError) {
        if let problem = StatusAddress.problem(of: statusURL) { throw .unusableAddress(problem) }
    }

    // MARK: From the start to the end

    /// Creates a kill switch and starts to check the status.
    ///
    /// Call it after `initscr` or `newterm`. If it throws, it leaves the screen as `endwin` does, so that an error that the
    /// program prints can be read; `refresh` shows the screen again.
    /// - Parameters:
    ///   - statusURL: the `http` or `https` address of the status document. If the server names a stream, it is used too.
    ///   - app: the program's name, version and update information. The name is also the name of the folder of the stored
    ///     status, in `$XDG_STATE_HOME` or `~/.local/state`.
    ///   - verifier: accepts only signed statuses. Statuses accepted without a verifier are stored in another file.
    ///   - configure: changes the configuration before the first check, such as the poll policy or the views.
    /// - Throws: why the status cannot be checked, or why a view could not cover the program.
    public static func start(
        statusURL: URL, app: AppInfo = .current, verifier: (any StatusVerifier)? = nil,
        configure: (inout BellerophonConfig) -> Void = { _ in }
    ) throws(KillSwitchError) -> KillSwitch {
        let window = try windowOrLeaveScreen(for: statusURL)
        var config = BellerophonConfig(
            window: window, killSwitchView: KillSwitchView(), forceUpdateView: ForceUpdateView(),
            source: URLSessionStatusSource(url: statusURL, verifier: verifier)
        )
        config.app = app
        config.store = FileStatusStore.userState(app, statusURL: statusURL, isSigned: verifier != nil)
        configure(&config)
        let manager = BellerophonManager(config: config)
        manager.checkAppStatus()
        return KillSwitch(window: window, manager: manager)
    }

    private static func windowOrLeaveScreen(for url: URL) throws(KillSwitchError) -> CursesOverlayWindow {
        do throws(KillSwitchError) {
            try validate(statusURL: url)
            guard cncurses_stdscr() != nil else { throw .noScreen }
            let window = CursesOverlayWindow()
            guard window.session != nil else { throw .noTerminal }
            return window
        } catch {
            if cncurses_stdscr() != nil, !isendwin() { endwin() }
            throw error
        }
    }

    /// Stops the checks, writes a deferred save and gives the terminal back. Call it in place of `endwin()`.
    ///
    /// If the person quit from a view, the shell's screen then shows what the view said, in a line on standard error. A second
    /// call does nothing and returns the same.
    /// - Returns: how the program ended, with the exit status to use: `exit(killSwitch.close().exitStatus)`.
    @discardableResult
    public func close() -> Outcome {
        if let outcome { return outcome }
        let outcome = Outcome(line: window.quitLine)
        self.outcome = outcome
        manager.suspend()
        window.close(saying: outcome.line)
        return outcome
    }

    /// How a program with a kill switch ended.
    public struct Outcome: Equatable, Sendable {
        /// What the view said when the person quit from it, as it was printed: `notes is paused (status.example.com)`. nil if the
        /// person did not quit from a view.
        public let line: String?

        /// Whether the person quit while a view covered the program.
        public var didQuitFromView: Bool { line != nil }

        /// The exit status to use: 75 (`EX_TEMPFAIL`, as that of `bellerophon guard`) if the person quit from a view, so that a
        /// script does not take the end for a success; otherwise 0.
        public var exitStatus: Int32 { didQuitFromView ? EX_TEMPFAIL : 0 }
    }
}
