import ArgumentParser
import Barricade
import Bellerophon
import BellerophonBase
import BellerophonCurses
import BellerophonTrust
import Foundation
import ScenarioKit
import TerminalGuard

/// `bellerophon guard -- PROGRAM`: runs a program under the guard.
struct GuardRunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a program under the guard (the default).",
        discussion: """
            Put -- before the program. The guard exits as the program does: with its exit status, or by its signal. If a \
            status has refused or ended the program, it exits with 75 (--exit-code) and says why on standard error. 127 is \
            for a program that is not found, 126 for one that can't be executed.

            If standard input or standard output is no terminal, the status is checked once before the start, and the \
            program then runs without a terminal of its own. A kill does what --on-kill says, and cover and pause only print \
            a line on standard error.
            """
    )

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var polling: PollingOptions
    @OptionGroup var guarding: GuardOptions
    @OptionGroup var journaling: SessionLogOptions
    @OptionGroup var simulation: GuardSimulationOptions

    @OptionGroup var look: LookOptions

    @Flag(name: .long, help: "Cover the program with lines that a screen reader reads once, and say notices in lines.")
    var plain = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Use the settings of this profile in /etc/bellerophon/guard.d.", discussion: "As a wrapper of guard install does.",
            valueName: "name"),
        completion: Completions.profiles)
    var profile: String?

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The program and its arguments, after --.", valueName: "program"))
    var program: [String] = []

    func validate() throws {
        guard !program.isEmpty else {
            throw ValidationError("no program to guard: put it after --, as in `bellerophon guard --status-url URL -- vim`")
        }
    }

    func run() throws {
        let launch = try reportingProblems { try GuardLaunch(self) }
        let end = try launch.run()
        launch.exit(as: end)
    }
}

/// The flags that simulate the server of a guarded program.
struct GuardSimulationOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Simulate the server with this scenario file, in place of the ready scenarios.",
            discussion: "The views are labelled SIMULATED. Several files are taken together.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var scenarios: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Simulate the server, and start with this scenario.", valueName: "name"),
        completion: Completions.scenarios)
    var scenario: String?

    @Option(
        name: .long, help: ArgumentHelp("Simulate the server, and play this timeline.", valueName: "name"),
        completion: Completions.timelines)
    var play: String?

    var isUsed: Bool { !scenarios.isEmpty || scenario != nil || play != nil }

    /// The simulated server.
    func make() throws -> Simulation {
        let simulation = scenarios.isEmpty ? Simulation() : try Simulation(scenarios.map { try ScenarioSource(path: $0) })
        try simulation.start(scenario: scenario, play: play)
        return simulation
    }
}
