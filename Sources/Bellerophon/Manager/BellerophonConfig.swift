public import Foundation
import StatusModel

/// The configuration of a ``BellerophonManager``: its window and views, the source of the status, and the policies.
///
/// Both views are optional. Without a view the delegate's `shouldKillSwitch` or `shouldForceUpdate` is still called.
@MainActor
public struct BellerophonConfig {
    /// The window that covers the app.
    public var window: (any OverlayWindow)?
    /// The view for a killed service; nil shows none.
    public var killSwitchView: (any OverlayView)?
    /// The view for a required update; nil shows none.
    public var forceUpdateView: (any OverlayView)?
    /// Supplies the status when ``source`` is nil, and receives the manager's callbacks. Held weakly.
    public weak var delegate: (any BellerophonManagerDelegate)?
    /// Supplies the status. If nil, the ``delegate`` does.
    public var source: (any StatusSource)?
    /// How statuses reach the app: polling, a stream, or both. Default: `.auto`.
    public var transport = Transport.auto
    /// The stream that pushes statuses. If nil, `.auto` connects to the stream that a reply names, and `.stream` uses the
    /// default stream of the ``source``.
    public var stream: (any StatusStream)?
    /// Requires signed statuses from every source and stream, and verifies them. If nil, the verifier of the ``source``
    /// applies.
    public var verifier: (any StatusVerifier)?
    /// The status that ships with the app, in the format of a server's reply; signed if there is a ``verifier``. It
    /// applies when no status of an earlier run is stored.
    public var bundledStatus: Data?
    /// How long a status stays valid without confirmation, and what applies after that.
    public var freshness = FreshnessPolicy()
    /// The waits between checks.
    public var policy = PollPolicy()
    /// The app's name, version and update information, for the views.
    public var app = AppInfo.current
    /// What the rules of a status may ask about the app, in place of what it says of itself and what is found out; nil for that.
    package var appFacts: AppFacts?
    /// Finds out the fact `source`, which rules may ask for. It is called on another thread, and not if ``app`` states the fact.
    package var findSource: @Sendable () -> String = { MachineFacts.complete.source ?? MachineFacts.unknown }
    /// Saves the last known status, so that a kill survives a restart. If nil, nothing is saved.
    public var store: (any StatusStore)?
    /// Whether a barricade simulates the server; the views show it. Default: false.
    public var isSimulated = false
    /// Whether the views stand still between two changes: no bar that moves, times of day in place of countdowns and ages.
    public var reducesMotion = false
    /// Whether the views draw their title in large letters on terminals with room for them. Default: true.
    public var usesLargeTitles = true
    /// The languages that the person reads, for the views and the messages of a status. Default: those of the environment.
    public var languages = LanguagePreference.current
    /// Whether notices offer newer versions. Default: true, and false if the environment variable `NO_UPDATE_NOTIFIER` is set. Other
    /// notices are always shown.
    public var showsOffers = OfferPreference.isAllowed(in: ProcessInfo.processInfo.environment)
    /// The time zone for wall-clock times on the views.
    public var timeZone = TimeZone.current

    /// Creates a configuration with a source, such as ``StatusSource/url(_:)``; the delegate is optional.
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

    /// Creates the configuration of a program without a window.
    nonisolated init(source: any StatusSource, app: AppInfo) {
        self.source = source
        self.app = app
    }

    /// The verifier that applies.
    nonisolated var effectiveVerifier: (any StatusVerifier)? { verifier ?? source?.verifier }

    /// The event that a stage shows; nil if the stage blocks nothing or has no view.
    func event(for stage: Stage) -> BellerophonEvent? {
        switch stage {
        case .unknown, .active: nil
        case .killed: killSwitchView.map { .killSwitch(view: $0) }
        case .updateRequired: forceUpdateView.map { .forceUpdate(view: $0) }
        }
    }
}
