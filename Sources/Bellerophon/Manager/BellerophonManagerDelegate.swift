import StatusModel

/// The app's callbacks. Only ``bellerophonStatus(_:completion:)`` is required.
@MainActor
public protocol BellerophonManagerDelegate: AnyObject {
    /// Fetches the current status and passes it to the completion. Called only without a ``BellerophonConfig/source``.
    ///
    /// The completion may be called from any thread, with a status or an error. Passing neither is an error. A second
    /// call, or a call after the check's deadline (``PollPolicy/checkTimeout``), is ignored.
    func bellerophonStatus(
        _ manager: BellerophonManager,
        completion: @escaping @Sendable (_ status: (any BellerophonObservable)?, _ error: (any Error)?) -> Void
    )

    /// The sender of the statuses that ``bellerophonStatus(_:completion:)`` passes on, such as the host of the server. The views
    /// name it as the sender of the message. Nil, the default, names the app. Ignored with a ``BellerophonConfig/source``.
    var statusSender: String? { get }

    /// A check failed. The display does not change, and the next check is scheduled.
    func receivedError(error: any Error)

    /// The stage became "update required", with or without a view for it.
    func shouldForceUpdate()

    /// The stage became "killed", with or without a view for it.
    func shouldKillSwitch()

    /// A view is about to cover the app, or to replace the other view.
    func bellerophonWillEngage(_ manager: BellerophonManager, event: BellerophonEvent)

    /// The view is about to be removed from the app.
    func bellerophonWillDisengage(_ manager: BellerophonManager, event: BellerophonEvent)
}

extension BellerophonManagerDelegate {
    /// Nil: the views name the app.
    public var statusSender: String? { nil }
    /// Does nothing.
    public func receivedError(error: any Error) {}
    /// Does nothing.
    public func shouldForceUpdate() {}
    /// Does nothing.
    public func shouldKillSwitch() {}
    /// Does nothing.
    public func bellerophonWillEngage(_ manager: BellerophonManager, event: BellerophonEvent) {}
    /// Does nothing.
    public func bellerophonWillDisengage(_ manager: BellerophonManager, event: BellerophonEvent) {}
}

/// Why a view covers the app, with that view.
@MainActor
public enum BellerophonEvent {
    /// The service is stopped.
    case killSwitch(view: any OverlayView)
    /// A newer version of the app is required.
    case forceUpdate(view: any OverlayView)

    /// The view that covers the app.
    public var view: any OverlayView {
        switch self {
        case .killSwitch(let view), .forceUpdate(let view): view
        }
    }
}
