import Foundation
import StatusModel

/// What the checks of a status need: the parts of a ``BellerophonConfig`` that do not belong to the main actor.
struct StatusSetup: Sendable {
    /// Supplies the status; nil if the app's delegate does.
    var source: (any StatusSource)?
    /// Whether the app has a delegate that may supply the status.
    var hasDelegate = false
    var transport = Transport.auto
    var stream: (any StatusStream)?
    var verifier: (any StatusVerifier)?
    var bundledStatus: Data?
    var freshness = FreshnessPolicy()
    var policy = PollPolicy()
    var app: AppInfo
    var appFacts: AppFacts?
    /// Finds out how the app is installed, for rules that ask for it. It may read the lists of all packages of the machine.
    var findSource: @Sendable () -> String
    var store: (any StatusStore)?
    var isSimulated = false
    var usesLargeTitles = true
    var languages = LanguagePreference([]) {
        didSet { phrases = OverlayPhrases(languages) }
    }
    /// The words of the views in the first of the languages that has them.
    private(set) var phrases = OverlayPhrases.english
    var timeZone = TimeZone.current
    /// The source of the statuses, and whom the messages are from, for display.
    private(set) var sourceName: String
    private(set) var senderName: String
    /// The stages that show a view.
    var coveredStages: Set<Stage> = []
    /// Covers the app while its main queue is not served; nil without such a window.
    var deputy: (any OverlayDeputy)?

    init(source: (any StatusSource)?, app: AppInfo) {
        self.source = source
        self.app = app
        findSource = { MachineFacts.complete.source ?? MachineFacts.unknown }
        sourceName = source?.name ?? app.name
        senderName = source?.host ?? app.name
    }

    @MainActor
    init(_ config: BellerophonConfig) {
        self.init(source: config.source, app: config.app)
        hasDelegate = config.delegate != nil
        (sourceName, senderName) = (config.sourceName, config.senderName)
        transport = config.transport
        stream = config.stream
        verifier = config.verifier ?? config.source?.verifier
        bundledStatus = config.bundledStatus
        freshness = config.freshness
        policy = config.policy
        (appFacts, findSource) = (config.appFacts, config.findSource)
        store = config.store
        isSimulated = config.isSimulated
        usesLargeTitles = config.usesLargeTitles
        languages = config.languages
        phrases = OverlayPhrases(languages)
        timeZone = config.timeZone
        coveredStages = Set([Stage.killed, .updateRequired].filter { config.event(for: $0) != nil })
        deputy = (config.window as? any DeputizedWindow)?.deputy
    }

    /// The transport security of the source; nil if it uses no network or is simulated.
    var security: TransportSecurity? { isSimulated ? nil : source?.security }
}
