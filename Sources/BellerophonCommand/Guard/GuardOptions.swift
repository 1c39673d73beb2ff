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
        completion: .list(["cover", "pause", "terminate"]))
    var onKill: GuardResponseArgument?

    @Option(
        name: .long,
        help: ArgumentHelp("What a required update does: cover, pause or terminate[=SECONDS].", valueName: "response"),
        completion: .list(["cover", "pause", "terminate"]))
    var onUpdate: GuardResponseArgument?

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
            discussion: "Default: wait, which shows the view and starts the program when the status clears.",
            valueName: "choice"))
    var start: StartPolicy?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Seconds that the start may wait for the first status.", discussion: "Default: 2. 0 does not wait.",
            valueName: "seconds"))
    var startTimeout: Double?

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
                "Such as \"psql --version\": words with spaces between them, without quotes. It may take two seconds, and nothing of a status reaches it. Rules of a status compare the version.",
            valueName: "command"))
    var versionCommand: VersionCommandArgument?

    func validate() throws {
        if let startTimeout, !(0...600).contains(startTimeout) {
            throw ValidationError("--start-timeout: expected 0 to 600 seconds")
        }
        if let exitCode, !(0...255).contains(exitCode) { throw ValidationError("--exit-code: expected 0 to 255") }
    }
}

/// A response on the command line: `cover`, `pause`, `terminate`, `terminate=30`, `terminate=30s`.
struct GuardResponseArgument: ExpressibleByArgument {
    let response: GuardResponse

    /// The time between SIGTERM and SIGKILL if none is given.
    static let defaultGrace = Duration.seconds(10)

    init?(argument: String) {
        switch argument {
        case "cover": response = .cover
        case "pause": response = .pause
        case "terminate": response = .terminate(grace: Self.defaultGrace)
        default:
            guard argument.hasPrefix("terminate=") else { return nil }
            let text = argument.dropFirst("terminate=".count)
            guard let seconds = Double(text.last == "s" ? text.dropLast() : text), (0...3600).contains(seconds) else {
                return nil
            }
            response = .terminate(grace: .seconds(seconds))
        }
    }

    static var allValueStrings: [String] { ["cover", "pause", "terminate"] }
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
