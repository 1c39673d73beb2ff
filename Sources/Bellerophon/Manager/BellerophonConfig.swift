public import Foundation
import StatusModel

/// What the manager shows, where, and whom it asks and tells.
///
/// Both views are optional. Without one the delegate's `shouldKillSwitch` or `shouldForceUpdate` still fires.
@MainActor
public struct BellerophonConfig {
    /// The window that covers the app.
    public var window: (any OverlayWindow)?
    /// The view for a killed service; nil shows none.
    public var killSwitchView: (any OverlayView)?
    /// The view for a required update; nil shows none.
    public var forceUpdateView: (any OverlayView)?
    /// Supplies the status when ``source`` is nil, and is told of what the manager does. Held weakly.
    public weak var delegate: (any BellerophonManagerDelegate)?
    /// Where the status comes from, in place of the delegate.
    public var source: (any StatusSource)?
    /// How statuses come: asked for, pushed, or both.
    public var transport = Transport.auto
    /// Where statuses are pushed from. Without one, `auto` listens where an answer says, and `stream` beside the source.
    public var stream: (any StatusStream)?
    /// Lets signed statuses only count, from whatever source or stream; nil takes the ``source``'s own.
    public var verifier: (any StatusVerifier)?
    /// The status that ships with the app, as a server would send it, signed where a ``verifier`` asks for that. It counts
    /// where no run of the app has kept one.
    public var bundledStatus: Data?
    /// For how long a status may be relied on, and what holds after that.
    public var freshness = FreshnessPolicy()
    /// How often to ask.
    public var policy = PollPolicy()
    /// What the app says of itself on the views.
    public var app = AppInfo.current
    /// Keeps the last known status, so that a restart does not escape it; nil forgets at exit.
    public var store: (any StatusStore)?
    /// Whether a barricade answers in the server's place; the views say so.
    public var isSimulated = false
    /// Used to print wall-clock times.
    public var timeZone = TimeZone.current

    /// The original's initialiser: the delegate fetches the status.
    public init(
        window: any OverlayWindow, killSwitchView: (any OverlayView)? = nil,
        forceUpdateView: (any OverlayView)? = nil, delegate: any BellerophonManagerDelegate
    ) {
        self.window = window
        self.killSwitchView = killSwitchView
        self.forceUpdateView = forceUpdateView
        self.delegate = delegate
    }

    /// A configuration with a ready-made source, such as ``StatusSource/url(_:)``; a delegate is optional then.
    public init(
        window: (any OverlayWindow)?, killSwitchView: (any OverlayView)? = nil,
        forceUpdateView: (any OverlayView)? = nil, source: any StatusSource,
        delegate: (any BellerophonManagerDelegate)? = nil
    ) {
        self.window = window
        self.killSwitchView = killSwitchView
        self.forceUpdateView = forceUpdateView
        self.source = source
        self.delegate = delegate
    }

    /// The views that there are.
    public func allViews() -> [any OverlayView] {
        [killSwitchView, forceUpdateView].compactMap { $0 }
    }

    /// The event that a stage shows; nil where nothing covers the app or no view is configured for it.
    func event(for stage: Stage) -> BellerophonEvent? {
        switch stage {
        case .unknown, .active: nil
        case .killed: killSwitchView.map { .killSwitch(view: $0) }
        case .updateRequired: forceUpdateView.map { .forceUpdate(view: $0) }
        }
    }
}
