public import Foundation

/// A kill switch with everything in its usual place: a window on the screen that the program has opened, the stock views,
/// and a file in the user's state folder, so that a restart does not escape a kill.
///
/// Start it after `initscr` or `newterm`, and read keys from its ``window`` in place of `getch`:
/// ```swift
/// let killSwitch = KillSwitch.start(statusURL: URL(string: "https://status.example.com/status")!)
/// while let key = killSwitch.window.nextKey() { app.handle(key); app.draw() }
/// ```
/// Keep it for as long as the program is to be killable.
@MainActor
public final class KillSwitch {
    /// Covers the program, and supplies its keys.
    public let window: CursesOverlayWindow
    /// Checks the status and decides what covers the program.
    public let manager: BellerophonManager

    private init(window: CursesOverlayWindow, manager: BellerophonManager) {
        self.window = window
        self.manager = manager
    }

    /// Makes a kill switch and starts to check the status.
    /// - Parameters:
    ///   - statusURL: the `http` or `https` address of the status document. A stream beside it is used where the server
    ///     names one.
    ///   - app: what the views say of the program. Its name also names the folder of the kept status, below
    ///     `$XDG_STATE_HOME` or `~/.local/state`.
    ///   - verifier: accepts only signed statuses. A status that was accepted without a signature is kept apart.
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
}
