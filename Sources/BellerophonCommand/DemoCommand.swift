import ArgumentParser
import Barricade
import BellerophonBase
import Dashboard
import Foundation
import ProgramKit
import ScenarioKit

/// `bellerophon demo`: the dashboard against a simulated server.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Try every status with no server at all.",
        discussion: """
            Opens the dashboard with a simulated status endpoint inside the program; the header says SIMULATED. \
            Press s anywhere, over the kill and update views too, and pick what the server replies next: live, \
            paused, update required, offline, HTTP 500, a page that is no JSON, and more. Enter picks and checks \
            at once. Nothing is sent to any network.

            A timeline is a whole outage: Enter plays it, p holds it and goes on, n and b step, 1 to 9 jump, * is \
            ten times as fast, x ends it. `bellerophon barricade` does the same from a script.

            With --plain, and where there is no screen, the same is typed as lines: list, a number from it, kill, update, \
            restore, status, help and q, each with Enter. Lines can come from a pipe, and its end ends the demo.

            --present shows a timeline to an audience: its notes are captions, Space or Page Down goes on, Page Up goes \
            back, and a period hides the caption, as remote controls for slides do. --tape records the screen.

            EXAMPLES
              bellerophon demo --play "planned maintenance"
              bellerophon demo --present tour
              bellerophon demo --scenarios story.json --list
              printf 'kill\\nrestore\\nq\\n' | bellerophon demo --plain
            """
    )

    @OptionGroup var display: DisplayOptions
    @OptionGroup var journaling: SessionLogOptions
    @OptionGroup var taping: TapeOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Simulate what this scenario file says, in place of the ready scenarios.",
            discussion: "Several are taken together.", valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var scenarios: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Start with this scenario, by its name in the picker.", valueName: "name"),
        completion: Completions.scenarios)
    var scenario: String?

    @Option(
        name: .long, help: ArgumentHelp("Start with this timeline playing.", valueName: "name"),
        completion: Completions.timelines)
    var play: String?

    @OptionGroup var presenting: PresentOptions

    @Flag(name: .long, help: "Leave out the picker and its keys; scripts can still drive it.")
    var noScenarios = false

    @Flag(name: .long, help: "Start with what was picked last time, and keep what is picked now.")
    var remember = false

    @Flag(name: .long, help: "Print the timelines' and scenarios' names and what each is, and exit.")
    var list = false

    func run() throws {
        var (simulation, presentation) = try reportingProblems {
            let files = try scenarios.map { try ScenarioSource(path: $0) }
            let simulation = files.isEmpty ? Simulation(store: store) : try Simulation(files, store: store)
            return try presenting.find(in: simulation, files, store)
        }
        if list { return StandardOutput.print(simulation.listing) }
        simulation.hasPicker = !noScenarios
        let (configuration, journal, tape) = try reportingProblems { [simulation, presentation] in
            try start(simulation, presentation)
            var configuration = try ConfigurationOptions.personal()
            configuration.app = Simulation.app
            try display.apply(to: &configuration)
            try configuration.validate(origin: "command line")
            // The tape first: it is refused where there is no screen.
            let tape = try taping.open("bellerophon demo", configuration.display, others: [journaling.journal])
            do {
                return (configuration, try journaling.open(), tape)
            } catch {
                tape?.finish()
                throw error
            }
        }
        let service = ServiceSetup(configuration, source: simulation.source(timeout: configuration.timeout), store: nil)
        var setup = DashboardSetup(configuration, services: [service], content: simulation.content())
        setup.simulation = simulation
        setup.controlFolders = ControlFolders.usual(Environment.variables)
        setup.journal = journal
        let bookmarks = StateFile.folder.appendingPathComponent("bookmarks.json")
        setup.bookmarks = BookmarkFile(bookmarks)
        setup.choiceFiles = ChoiceFiles(
            configuration: ConfigurationOptions.place(nil), bookmarks: bookmarks.path,
            selections: (store as? FileSelectionStore)?.url.path)
        setup.tape = tape
        setup.presentation = presentation
        try DashboardLauncher.run(setup)
    }

    /// Stores selections separately for each set of scenario files; in memory only without `--remember`.
    private var store: any SelectionStore {
        guard remember else { return MemorySelectionStore() }
        let files = scenarios.map { URL(fileURLWithPath: $0).standardizedFileURL.path }.joined(separator: "\n")
        let name = files.isEmpty ? "scenarios.json" : "scenarios-\(files.fingerprint).json"
        return FileSelectionStore(folder: StateFile.folder, name: name)
    }

    private func start(_ simulation: Simulation, _ presentation: Presentation?) throws {
        if let presentation {
            guard scenario == nil, play == nil else {
                throw ValidationError("give --present without --scenario and --play: the timeline selects the responses itself")
            }
            return try presenting.start(presentation, in: simulation)
        }
        try simulation.start(scenario: scenario, play: play)
    }
}

extension Simulation {
    /// Starts with a scenario or a timeline that flags name.
    func start(scenario: String?, play: String?) throws {
        guard scenario == nil || play == nil else {
            throw ValidationError("give --scenario or --play, not both: a timeline selects the responses itself")
        }
        do {
            if let scenario { try select(scenario) }
            if let play { try barricade.play(play) }
        } catch {
            throw ValidationError("\(error) (`bellerophon demo --list` prints every name)")
        }
    }
}
