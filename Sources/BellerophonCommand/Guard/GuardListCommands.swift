import ArgumentParser
import Foundation
import TerminalGuard

/// `bellerophon guard ps`: lists the guards that run.
struct GuardPsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ps",
        abstract: "List the guards that run, with their programs and what they know.",
        discussion: """
            Lists every guard of this user; for root, of all users. A line has the process of the guard, the program, the number \
            of processes below it, the stage, the age of the status, whether the last check has seen the server, since when the \
            guard runs, what a pause reaches, and what happens to the program.

            A guard is BLIND if its last check has failed, and STALE if its status is over the maximum age or was not confirmed \
            by three checks. One that does not reply within 5 seconds, because it is stopped or hangs, is listed as \
            "not responding".

            Guards are found in bellerophon/guards below $XDG_RUNTIME_DIR and /run/user/UID, and in \
            bellerophon/run/guards below the state folder ($XDG_STATE_HOME, or ~/.local/state). Root also looks into /run/user of \
            every user and into ~/.local/state of everybody in the user database.

            With --self, it prints the guard that it runs under itself, always as JSON.

               0  every guard is well, or no guard runs
               1  at least one is blind, stale or does not reply
              69  with --self: no guard runs above this process
            """
    )

    @Flag(name: .long, help: "Print one JSON object instead of text.")
    var json = false

    @Flag(name: .customLong("self"), help: "Print only the guard that this command runs under, as JSON.")
    var isSelf = false

    func run() throws {
        let found = GuardsOfThisMachine()
        if isSelf {
            guard let own = found.pick(.own).first else { throw GuardsOfThisMachine.noneAbove() }
            StandardOutput.print(GuardListReport.json(of: own))
            if own.health != .ok { throw ExitCode(1) }
            return
        }
        let report = GuardListReport(found.listings)
        StandardOutput.print(json ? report.json : report.text)
        if report.needsAttention { throw ExitCode(1) }
    }
}

/// The guards that run now.
struct GuardsOfThisMachine {
    let registry: GuardRegistry
    let listings: [GuardListing]
    private let ancestors = OwnProcess.ancestors

    init() {
        registry = GuardRegistry.usual(Environment.variables)
        listings = registry.ask(.state, registry.entries())
    }

    func pick(_ selection: GuardSelection) -> [GuardListing] {
        let mark = Environment.variables[GuardNesting.variable].flatMap { GuardNesting($0) }
        return selection.pick(listings, ancestors: ancestors, mark: mark)
    }

    static func noneAbove() -> ExitCode {
        StandardError.print("bellerophon: no guard of this user runs above this process")
        return ExitCode(EX_UNAVAILABLE)
    }

    /// Sends a request to guards, last to those above this process: a stop stops this process, too.
    func ask(_ request: GuardRequest, _ chosen: [GuardListing]) -> [GuardListing] {
        registry.ask(request, of: chosen, last: ancestors)
    }
}

/// Which guards to stop or to continue.
struct GuardTargetOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The process of a guard, or the name of its program.", valueName: "pid-or-name"),
        completion: Completions.guards)
    var target: String?

    @Flag(name: .long, help: "Every guard of this user; for root, of all users.")
    var all = false

    func validate() throws {
        guard all == (target == nil) else {
            throw ValidationError("name a guard by its process or its program (`bellerophon guard ps` lists them), or give --all")
        }
    }

    /// Finds the guards. With a name that fits none, it says so and ends with 64.
    func find() throws -> (GuardsOfThisMachine, [GuardListing]) {
        let found = GuardsOfThisMachine()
        let chosen = found.pick(target.map { .named($0) } ?? .all)
        if chosen.isEmpty {
            StandardError.print(
                "bellerophon: " + (target.map { "no guard has the process or the program \($0)" } ?? "no guard runs"))
            if target != nil { throw ExitCode(EX_USAGE) }
        }
        return (found, chosen)
    }

    /// The person behind sudo, who has asked as root.
    static var person: String? { geteuid() == 0 ? Environment.variables["SUDO_USER"] : nil }
}

/// `bellerophon guard stop`: stops guarded programs without a server.
struct GuardStopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Stop guarded programs on this machine, without a server.",
        discussion: """
            Each program is paused with everything that its guard holds, whatever --on-kill says, and a view over it says who has \
            stopped it, since when and why. Without a terminal, the guard says it on standard error. A program that has not started \
            waits. `bellerophon guard continue` releases it. A stop can be repeated.

            The user who asks is known from the system. A program may stop its own guard, but can't release it.

               0  every guard that was meant has stopped its program
               1  at least one does not reply
              64  no guard has this process or program, or the command line is not accepted
            """
    )

    @OptionGroup var targets: GuardTargetOptions

    @Option(name: .long, help: ArgumentHelp("Why, for the view; at most 500 bytes.", valueName: "text"))
    var reason: String?

    func run() throws {
        let (found, chosen) = try targets.find()
        let replies = found.ask(.stop(reason: reason, person: GuardTargetOptions.person), chosen)
        for reply in replies { StandardOutput.print("\(reply.pid) \(reply.name): \(Self.text(reply))") }
        if replies.contains(where: { $0.reply?.ok != true }) { throw ExitCode(1) }
    }

    private static func text(_ listing: GuardListing) -> String {
        switch listing.reply?.outcome {
        case .stopped?: "stopped"
        case .alreadyStopped?: "already stopped" + (listing.state?.localStop.map { " by \($0.by)" } ?? "")
        default: listing.reply?.error ?? "not responding"
        }
    }
}

/// `bellerophon guard continue`: releases stops on this machine.
struct GuardContinueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "continue",
        abstract: "Release programs that were stopped with guard stop.",
        discussion: """
            It releases only what `bellerophon guard stop` has stopped. What a server has stopped stays stopped until the server \
            clears it. A process below a guard can't release that guard.

               0  no guard that was meant holds its program any longer
               1  at least one does not reply
              64  no guard has this process or program, or the command line is not accepted
              75  a server still blocks at least one program
              77  at least one guard refuses, because this command runs below it
            """
    )

    @OptionGroup var targets: GuardTargetOptions

    func run() throws {
        let (found, chosen) = try targets.find()
        let replies = found.ask(.release(person: GuardTargetOptions.person), chosen)
        for reply in replies { StandardOutput.print("\(reply.pid) \(reply.name): \(Self.text(reply))") }
        if replies.contains(where: { $0.reply?.outcome == .notPermitted }) { throw ExitCode(EX_NOPERM) }
        if replies.contains(where: { $0.reply?.ok != true }) { throw ExitCode(1) }
        if replies.contains(where: Self.isBlockedByServer) { throw ExitCode(EX_TEMPFAIL) }
    }

    private static func text(_ listing: GuardListing) -> String {
        let server = isBlockedByServer(listing) ? "; the server (\(listing.state?.server ?? "")) still blocks it" : ""
        return switch listing.reply?.outcome {
        case .released?: "released" + server
        case .notStopped?: "was not stopped on this machine" + server
        default: listing.reply?.error ?? "not responding"
        }
    }

    private static func isBlockedByServer(_ listing: GuardListing) -> Bool {
        listing.state?.blockedBy.contains(.server) ?? false
    }
}
