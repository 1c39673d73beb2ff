import Foundation
import StatusModel

/// What the checks of a status need: a ``BellerophonConfig`` and what the main actor has found out for it.
@dynamicMemberLookup
struct StatusSetup: Sendable {
    /// The configuration without its window and views, which belong to the main actor.
    private var config: BellerophonConfig
    /// Whether the app has a delegate that may supply the status.
    private(set) var hasDelegate = false
    /// The words of the views in the first of the languages that has them.
    let phrases: OverlayPhrases
    /// The source of the statuses, and whom the messages are from, for display.
    private(set) var sourceName: String
    private(set) var senderName: String
    /// The stages that show a view.
    private(set) var coveredStages: Set<Stage> = []
    /// Covers the app while its main queue is not served; nil without such a window.
    private(set) var deputy: (any OverlayDeputy)?

    /// - Parameter config: a configuration without a delegate, a window and views.
    init(windowless config: BellerophonConfig) {
        self.config = config
        phrases = OverlayPhrases(config.languages)
        sourceName = config.source?.name ?? config.app.name
        senderName = config.source?.host ?? config.app.name
    }

    @MainActor
    init(_ config: BellerophonConfig) {
        self.init(windowless: config)
        (self.config.window, self.config.killSwitchView, self.config.forceUpdateView) = (nil, nil, nil)
        hasDelegate = config.delegate != nil
        (sourceName, senderName) = (config.sourceName, config.senderName)
        coveredStages = Set([Stage.killed, .updateRequired].filter { config.event(for: $0) != nil })
        deputy = (config.window as? any DeputizedWindow)?.deputy
    }

    subscript<Setting>(dynamicMember setting: KeyPath<BellerophonConfig, Setting>) -> Setting { config[keyPath: setting] }

    var verifier: (any StatusVerifier)? { config.effectiveVerifier }

    /// The transport security of the source; nil if it uses no network or is simulated.
    var security: TransportSecurity? { config.isSimulated ? nil : config.source?.security }
}
