import Bellerophon
import BellerophonBase
import Foundation

/// The settings of the `bellerophon` program, merged from flags, environment, file and defaults.
package struct Configuration: Equatable, Sendable {
    package var app = AppInfo(name: "bellerophon")
    /// The URL of the status; nil if not configured.
    package var statusURL: URL?
    /// Sent with every status request.
    package var headers: [String: String] = [:]
    /// How statuses arrive: by polling, by stream, or both.
    package var transport = Transport.auto
    /// The URL of the stream; nil if not configured.
    package var eventsURL: URL?
    /// The limit for one check, from the start of the request to the last byte.
    package var timeout: Duration = .seconds(10)
    /// The wait between checks while the app is active; nil uses the status's `retryInterval`.
    package var activeInterval: Duration?
    package var minimumInterval: Duration = .seconds(1)
    package var maximumInterval: Duration = .seconds(3600)
    /// Whether the last status is kept, so that a restart does not escape a kill.
    package var remembersStatus = true
    /// Whether plain `http` is refused except to this machine.
    package var requiresTLS = false
    /// How long a status is valid without confirmation, and what applies afterwards.
    package var freshness = FreshnessPolicy()
    /// The path of the bundled status, which applies until a server has sent one, in this run or an earlier one.
    package var bundledStatus: String?
    /// The trusted public keys; if empty, unsigned statuses are accepted.
    package var trustedKeys: [String] = []
    /// The app and channel that a signed status must be for; nil derives them from the status URL.
    package var audience: String?
    /// The servers of newer content; if empty, content is not updated.
    package var contentServers: [URL] = []
    /// The wait between two checks for newer content.
    package var contentInterval: Duration = .seconds(900)
    /// Further services to watch.
    package var services: [ServiceDefinition] = []
    /// The person's own command for changes of the stage.
    package var hook = TransitionCommand.Settings()
    /// How a change of the stage is signalled beside the screen.
    package var alerts = AlertSettings()
    /// How the program looks and what it takes from the terminal.
    package var display = DisplaySettings()

    /// The settings that the command uses.
    package var use = SettingsUse.all
    /// The problems with other settings, in words.
    var warnings: [String] = []
    /// The lines of the file that have set a setting, by path.
    var lines: [String: Int] = [:]

    package init() {}

    /// The polling policy for the manager.
    package var policy: PollPolicy {
        PollPolicy(
            activeInterval: activeInterval, minimumInterval: minimumInterval, maximumInterval: maximumInterval,
            checkTimeout: timeout + .seconds(20)
        )
    }
}

extension BellerophonConfig {
    /// Takes the settings of the checks, and those of the views.
    package mutating func take(_ configuration: Configuration, _ display: DisplaySettings, isSimulated: Bool) {
        policy = configuration.policy
        freshness = configuration.freshness
        // A simulated server sends only complete bodies.
        transport = isSimulated ? .poll : configuration.transport
        self.isSimulated = isSimulated
        reducesMotion = display.motion == .reduced
        showsOffers = showsOffers && display.showsOffers
        if let language = display.language { languages = language }
        usesLargeTitles = display.titles == .auto
    }
}
