import StatusModel

/// The app's side of the manager. Only ``bellerophonStatus(_:completion:)`` is required.
@MainActor
public protocol BellerophonManagerDelegate: AnyObject {
    /// Fetches the present status and hands it to the completion.
    ///
    /// The completion may be called from any thread, with a status or an error. Neither counts as an error;
    /// a second call, or one that comes after the check's deadline (``PollPolicy/checkTimeout``), is ignored.
    func bellerophonStatus(
        _ manager: BellerophonManager,
        completion: @escaping @Sendable (_ status: (any BellerophonObservable)?, _ error: (any Error)?) -> Void
    )

    /// A check failed. The display stays as it is and the next check is scheduled.
    func receivedError(error: any Error)

    /// The stage became "update required", with or without a view for it.
    func shouldForceUpdate()

    /// The stage became "killed", with or without a view for it.
    func shouldKillSwitch()

    /// A view is about to cover the app, or to take the place of the other one.
    func bellerophonWillEngage(_ manager: BellerophonManager, event: BellerophonEvent)

    /// The view is about to go and the app to be uncovered.
    func bellerophonWillDisengage(_ manager: BellerophonManager, event: BellerophonEvent)
}

extension BellerophonManagerDelegate {
    public func receivedError(error: any Error) {}
    public func shouldForceUpdate() {}
    public func shouldKillSwitch() {}
    public func bellerophonWillEngage(_ manager: BellerophonManager, event: BellerophonEvent) {}
    public func bellerophonWillDisengage(_ manager: BellerophonManager, event: BellerophonEvent) {}
}

/// Why a view covers the app, with the view that does.
@MainActor
public enum BellerophonEvent {
    case killSwitch(view: any OverlayView)
    case forceUpdate(view: any OverlayView)

    /// The view of either case.
    public var view: any OverlayView {
        switch self {
        case .killSwitch(let view), .forceUpdate(let view): view
        }
    }
}

/// What a background fetch found out.
public enum BackgroundFetchResult: UInt, Sendable {
    /// A valid status came and nothing blocks the app.
    case newData
    /// A valid status came and the app is still blocked.
    case noData
    /// No valid status came.
    case failed
}

#if !canImport(UIKit)
/// The name that programs written for the original use.
public typealias UIBackgroundFetchResult = BackgroundFetchResult
#endif
