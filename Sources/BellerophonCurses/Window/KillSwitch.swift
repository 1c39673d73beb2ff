public import Foundation

/// A kill switch with the default parts: a window on the screen that the program has opened, the provided views, and a
/// file in the user's state folder, so that a kill survives a restart.
///
/// Start it after `initscr` or `newterm`, and read keys from its ``window`` instead of `getch`:
/// ```swift
/// let killSwitch = KillSwitch.start(statusURL: URL(string: "https://status.example.com/status")!)
/// while let key = killSwitch.window.nextKey() { app.handle(key); app.draw() }
/// ```
/// The program must keep a reference to it: without one, checks stop.
@MainActor
public final class KillSwitch {
    /// The window that covers the program and supplies its keys.
    public let window: CursesOverlayWindow
    /// The manager that checks the status and decides which view covers the program.
    public let manager: BellerophonManager

    private init(window: CursesOverlayWindow, manager: BellerophonManager) {
        self.window = window
        self.manager = manager
    }

    /// Creates a kill switch and starts to check the status.
    /// - Parameters:
    ///   - statusURL: the `http` or `https` address of the status document. If the server names a stream, it is used too.
    ///   - app: the program's name, version and update information. The name is also the name of the folder of the stored
    ///     status, in `$XDG_STATE_HOME` or `~/.local/state`.
    ///   - verifier: accepts only signed statuses. Statuses accepted without a verifier are stored in another file.
    ///   - configure: changes the configuration before the first check, such as the poll policy or the views.
    public static func start(
        statusURL: URL, app: AppInfo = .current, verifier: (any StatusVerifier)? = nil,
        configure: (inout BellerophonConfig) -> Void = { _ in }
    ) -> KillSwitch {
        let window = CursesOverlayWindow()
        var config = BellerophonConfig(
            window: window, killSwitchView: KillSwitchView(), forceUpdateView: ForceUpdateView(),
            source: URLSessionStatusSource(url: statusURL, verifier: verifier)
        )
        config.app = app
        config.store = FileStatusStore.userState(app.name, of: statusURL.absoluteString + (verifier == nil ? "" : " signed"))
        configure(&config)
        let manager = BellerophonManager(config: config)
        manager.checkAppStatus()
        return KillSwitch(window: window, manager: manager)
    }

    /// Stops the checks, writes a deferred save and gives the terminal back. Call it in place of `endwin()`.
    public func close() {
        manager.suspend()
        window.close()
    }
}
