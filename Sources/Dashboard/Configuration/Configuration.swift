import Bellerophon
import BellerophonCurses
import Foundation

/// What the `bellerophon` program runs with, after flags, environment, file and defaults are laid over each other.
package struct Configuration: Equatable, Sendable {
    package var app = AppInfo(name: "bellerophon")
    /// Where to ask; nil where nobody said.
    package var statusURL: URL?
    /// Sent with every status request.
    package var headers: [String: String] = [:]
    /// How statuses come: asked for, pushed, or both.
    package var transport = Transport.auto
    /// Where they are pushed from; nil where nobody said.
    package var eventsURL: URL?
    /// From the start of a request to its last byte.
    package var timeout: Duration = .seconds(10)
    /// The wait between checks while the app is active; nil takes the status's own.
    package var activeInterval: Duration?
    package var minimumInterval: Duration = .seconds(1)
    package var maximumInterval: Duration = .seconds(3600)
    /// Whether a restart goes on where a kill left off.
    package var remembersStatus = true
    /// Whether plain `http` is refused, but to this machine itself.
    package var requiresTLS = false
    /// For how long a status may be relied on, and what holds after that.
    package var freshness = FreshnessPolicy()
    /// The file with the status that holds where neither a server nor an earlier run is known.
    package var bundledStatus: String?
    /// The public keys whose signatures count; empty takes unsigned statuses.
    package var trustedKeys: [String] = []
    /// The app and channel that a signed status must be for; nil takes what the status URL says.
    package var audience: String?
    /// Who is asked for newer content; empty asks nobody.
    package var contentServers: [URL] = []
    /// The wait between two looks for newer content.
    package var contentInterval: Duration = .seconds(900)
    package var color = ColorChoice.auto
    package var usesMouse = true
    package var usesHyperlinks = true

    package init() {}

    /// How often to ask, as the manager takes it.
    package var policy: PollPolicy {
        PollPolicy(
            activeInterval: activeInterval, minimumInterval: minimumInterval, maximumInterval: maximumInterval,
            checkTimeout: timeout + .seconds(20)
        )
    }
}

/// How many colours to use.
package enum ColorChoice: String, CaseIterable, Sendable {
    /// As many as the terminal has; none with `NO_COLOR` set (no-color.org).
    case auto
    case never
    case ansi8 = "8"
    case ansi16 = "16"
    case ansi256 = "256"
    case truecolor
}

extension ColorChoice {
    /// The most colours to use; nil asks the terminal.
    package var depth: ColorDepth? {
        switch self {
        case .auto: nil
        case .never: .mono
        case .ansi8: .eight
        case .ansi16: .sixteen
        case .ansi256: .indexed
        case .truecolor: .direct
        }
    }
}
