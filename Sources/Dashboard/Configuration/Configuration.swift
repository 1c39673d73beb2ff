public import Bellerophon
public import BellerophonCurses
public import Foundation

/// What the `bellerophon` program runs with, after flags, environment, file and defaults are laid over each other.
public struct Configuration: Equatable, Sendable {
    public var app = AppInfo(name: "bellerophon")
    /// Where to ask; nil where nobody said.
    public var statusURL: URL?
    /// Sent with every status request.
    public var headers: [String: String] = [:]
    /// How statuses come: asked for, pushed, or both.
    public var transport = Transport.auto
    /// Where they are pushed from; nil where nobody said.
    public var eventsURL: URL?
    /// From the start of a request to its last byte.
    public var timeout: Duration = .seconds(10)
    /// The wait between checks while the app is active; nil takes the status's own.
    public var activeInterval: Duration?
    public var minimumInterval: Duration = .seconds(1)
    public var maximumInterval: Duration = .seconds(3600)
    /// Whether a restart goes on where a kill left off.
    public var remembersStatus = true
    /// Whether plain `http` is refused, but to this machine itself.
    public var requiresTLS = false
    /// For how long a status may be relied on, and what holds after that.
    public var freshness = FreshnessPolicy()
    /// The file with the status that holds where neither a server nor an earlier run is known.
    public var bundledStatus: String?
    /// The public keys whose signatures count; empty takes unsigned statuses.
    public var trustedKeys: [String] = []
    /// The app and channel that a signed status must be for; nil takes what the status URL says.
    public var audience: String?
    /// Who is asked for newer content; empty asks nobody.
    public var contentServers: [URL] = []
    /// The wait between two looks for newer content.
    public var contentInterval: Duration = .seconds(900)
    public var color = ColorChoice.auto
    public var usesMouse = true
    public var usesHyperlinks = true

    public init() {}

    /// How often to ask, as the manager takes it.
    public var policy: PollPolicy {
        PollPolicy(
            activeInterval: activeInterval, minimumInterval: minimumInterval, maximumInterval: maximumInterval,
            checkTimeout: timeout + .seconds(20)
        )
    }
}

/// How many colours to use.
public enum ColorChoice: String, CaseIterable, Sendable {
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
    public var depth: ColorDepth? {
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
