import ArgumentParser
import Bellerophon
import BellerophonBase
import Foundation
import TerminalGuard

/// The flags that say what a status does to a guarded program.
struct GuardOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "What a kill does: cover, pause or terminate[=SECONDS].",
            discussion:
                "Default: cover, the program continues under the view. pause stops it meanwhile, with everything that it has started; network connections may end. terminate sends SIGTERM to all of it, and SIGKILL after 10 seconds or the time given.",
            valueName: "response"),
        completion: .list(["cover", "pause", "terminate"]),
        transform: killResponse)
    var onKill: GuardResponse?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What a required update does: cover, restart[=SECONDS], pause or terminate[=SECONDS].",
            discussion:
                "Default: cover. restart covers the program too, and after an update ends it with SIGTERM, kills it after 10 seconds or the time given, and starts the new version.",
            valueName: "response"),
        completion: .list(GuardResponse.allValueStrings))
    var onUpdate: GuardResponse?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What becomes of everything that the program has started if the guard is killed: end or keep.",
            discussion: "Default: end, by SIGHUP, and by SIGKILL after 5 seconds. keep lets it go on, also if it was paused.",
            valueName: "choice"))
    var orphans: OrphanPolicy?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What to do if the status blocks the program before its start: wait, exit or anyway.",
            discussion:
                "Default: wait, which shows the view and starts the program when the status clears; exit without a terminal. Without a terminal wait prints a line, and waits for the time of --start-wait.",
            valueName: "choice"))
    var start: StartPolicy?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Seconds that the start may wait for the first status.", discussion: "Default: 2. 0 does not wait.",
            valueName: "seconds"),
        transform: Duration.init(validating:))
    var startTimeout: Duration?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Seconds that --start wait waits without a terminal.",
            discussion: "Default: 10 minutes, at most an hour. Then the guard ends.",
            valueName: "seconds"),
        transform: Duration.init(validating:))
    var startWait: Duration?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The exit status if a status has refused or ended the program.", discussion: "Default: 75.", valueName: "code"))
    var exitCode: Int32?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Take the version of the program from the output of this command.",
            discussion:
                "Such as \"psql --version\": words with spaces between them, without quotes. Only standard output counts, and nothing of a status reaches the command. Rules of a status compare the version. Without it the version is that of the program's package, if apt, pip or pipx has installed it.",
            valueName: "command"))
    var versionCommand: VersionCommand?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Seconds that it may take to find out the version of the program.", discussion: "Default: 5.", valueName: "seconds"),
        transform: Duration.init(validating:))
    var versionTimeout: Duration?

    func validate() throws {
        for (flag, time, example) in [("--start-timeout", startTimeout, 2), ("--version-timeout", versionTimeout, 5)] {
            guard let time, time > .seconds(600) else { continue }
            throw ValidationError("\(flag): expected a time of at most 10 minutes, such as \(example), 90s or 5m")
        }
        if let exitCode, !(0...255).contains(exitCode) { throw ValidationError("--exit-code: expected 0 to 255") }
    }

    /// A response to a kill, which is one to an update other than `restart`.
    private static func killResponse(_ text: String) throws -> GuardResponse {
        guard let response = GuardResponse(argument: text) else {
            throw ValidationError("expected cover, pause or terminate[=SECONDS]")
        }
        if case .restart = response {
            throw ValidationError(
                "restart starts the new version after an update, and a kill brings none; use --on-update restart, or cover, pause or terminate here"
            )
        }
        return response
    }

    /// Changes what the flags name.
    func apply(to policy: inout GuardPolicy) {
        if let onKill { policy.onKill = onKill }
        if let onUpdate { policy.onUpdate = onUpdate }
        if let orphans { policy.orphans = orphans }
        if let start { policy.start = start }
        if let startTimeout { policy.startTimeout = startTimeout }
        if let startWait { policy.startWait = startWait }
        if let exitCode { policy.exitCode = UInt8(clamping: exitCode) }
    }
}

/// A response to a required update on the command line: `cover`, `restart`, `restart=30`, `pause`, `terminate`, `terminate=30s`.
extension GuardResponse: ExpressibleByArgument {
    public init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, let grace = parts.count == 1 ? Self.usualGrace : try? Duration(validating: String(parts[1]))
        else { return nil }
        switch name {
        case "cover" where parts.count == 1: self = .cover
        case "pause" where parts.count == 1: self = .pause
        case "restart": self = .restart(grace: grace)
        case "terminate": self = .terminate(grace: grace)
        default: return nil
        }
    }

    public static let allValueStrings = ["cover", "restart", "pause", "terminate"]
}

/// A command on the command line: its words with spaces between them.
extension VersionCommand: ExpressibleByArgument {
    public init?(argument: String) { self.init(words: argument) }
}

extension StartPolicy: ExpressibleByArgument {}
extension OrphanPolicy: ExpressibleByArgument {}
