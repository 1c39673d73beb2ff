// Names of the original Bellerophon that have a counterpart here, for programs that were written for it.

extension BellerophonManager {
    /// Checks the status and reports the result: `newData` if nothing blocks the app, `noData` if it is still blocked,
    /// `failed` without a valid status. Joins a check that is already pending.
    public func fetchAppStatus(_ completionHandler: @escaping (_ result: BackgroundFetchResult) -> Void) {
        let waiter = Waiter { [weak self] outcome in
            switch outcome {
            case .success: completionHandler(self?.machine.stage.isBlocked == true ? .noData : .newData)
            case .failure: completionHandler(.failed)
            }
        }
        waiters.append(waiter)
        checkAppStatus()
    }
}

extension BellerophonConfig {
    /// Creates a configuration whose delegate fetches the status. This is the initialiser of the original Bellerophon.
    public init(
        window: any OverlayWindow, killSwitchView: (any OverlayView)? = nil,
        forceUpdateView: (any OverlayView)? = nil, delegate: any BellerophonManagerDelegate
    ) {
        self.window = window
        self.killSwitchView = killSwitchView
        self.forceUpdateView = forceUpdateView
        self.delegate = delegate
    }

    /// The configured views.
    public func allViews() -> [any OverlayView] {
        [killSwitchView, forceUpdateView].compactMap { $0 }
    }
}

/// The result of a background fetch.
public enum BackgroundFetchResult: UInt, Sendable {
    /// A valid status was received, and nothing blocks the app.
    case newData
    /// A valid status was received, and the app is still blocked.
    case noData
    /// No valid status was received.
    case failed
}

#if !canImport(UIKit)
/// The name in the original Bellerophon, on platforms without UIKit.
public typealias UIBackgroundFetchResult = BackgroundFetchResult
#endif
