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
        completion: .list(KillResponseArgument.allValueStrings),
        transform: KillResponseArgument.init(validating:))
    var onKill: KillResponseArgument?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What a required update does: cover, restart[=SECONDS], pause or terminate[=SECONDS].",
            discussion:
                "Default: cover. restart covers the program too, and after an update ends it with SIGTERM, kills it after 10 seconds or the time given, and starts the new version.",
            valueName: "response"),
        completion: .list(UpdateResponseArgument.allValueStrings))
    var onUpdate: UpdateResponseArgument?

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
        transform: Seconds.init(validating:))
    var startTimeout: Seconds?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Seconds that --start wait waits without a terminal.",
            discussion: "Default: 10 minutes, at most an hour. Then the guard ends.",
            valueName: "seconds"),
        transform: Seconds.init(validating:))
    var startWait: Seconds?

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
    var versionCommand: VersionCommandArgument?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Seconds that it may take to find out the version of the program.", discussion: "Default: 5.", valueName: "seconds"),
        transform: Seconds.init(validating:))
    var versionTimeout: Seconds?

    func validate() throws {
        if let startTimeout, startTimeout.duration > .seconds(600) {
            throw ValidationError("--start-timeout: expected a time of at most 10 minutes, such as 2, 90s or 5m")
        }
        if let versionTimeout, versionTimeout.duration > .seconds(600) {
            throw ValidationError("--version-timeout: expected a time of at most 10 minutes, such as 5, 90s or 5m")
        }
        if let exitCode, !(0...255).contains(exitCode) { throw ValidationError("--exit-code: expected 0 to 255") }
    }

    /// Changes what the flags name.
    func apply(to policy: inout GuardPolicy) {
        if let onKill { policy.onKill = onKill.response }
        if let onUpdate { policy.onUpdate = onUpdate.response }
        if let orphans { policy.orphans = orphans }
        if let start { policy.start = start }
        if let startTimeout { policy.startTimeout = startTimeout.duration }
        if let startWait { policy.startWait = startWait.duration }
        if let exitCode { policy.exitCode = UInt8(clamping: exitCode) }
    }
}

/// A response to a required update on the command line: `cover`, `restart`, `restart=30`, `pause`, `terminate`, `terminate=30s`.
struct UpdateResponseArgument: ExpressibleByArgument {
    let response: GuardResponse

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, let grace = parts.count == 1 ? GuardResponse.usualGrace : Self.time(parts[1]) else {
            return nil
        }
        switch name {
        case "cover" where parts.count == 1: response = .cover
        case "pause" where parts.count == 1: response = .pause
        case "restart": response = .restart(grace: grace)
        case "terminate": response = .terminate(grace: grace)
        default: return nil
        }
    }

    /// A time of at most an hour: `30`, `2.5s`, `5m`; nil for other text.
    private static func time(_ text: Substring) -> Duration? { try? Seconds(validating: String(text)).duration }

    static let allValueStrings = ["cover", "restart", "pause", "terminate"]
}

/// A response to a kill on the command line, which is one to an update other than `restart`.
struct KillResponseArgument {
    let response: GuardResponse

    init(validating text: String) throws {
        guard let argument = UpdateResponseArgument(argument: text) else {
            throw ValidationError("expected cover, pause or terminate[=SECONDS]")
        }
        if case .restart = argument.response {
            throw ValidationError(
                "restart starts the new version after an update, and a kill brings none; use --on-update restart, or cover, pause or terminate here"
            )
        }
        response = argument.response
    }

    static let allValueStrings = ["cover", "pause", "terminate"]
}

/// A command on the command line: its words with spaces between them.
struct VersionCommandArgument: ExpressibleByArgument {
    let command: VersionCommand

    init?(argument: String) {
        guard let command = VersionCommand(words: argument) else { return nil }
        self.command = command
    }
}

extension StartPolicy: ExpressibleByArgument {}
extension OrphanPolicy: ExpressibleByArgument {}
