import ArgumentParser
import Barricade
import Dashboard
import Foundation
import ScenarioKit

/// The flags of a presentation.
struct PresentOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Present this timeline step by step, with its notes as captions.",
            discussion: "The name of a timeline, such as tour, or a scenario file, of which the first timeline is presented.",
            valueName: "story"),
        completion: Completions.stories)
    var present: String?

    @Flag(name: .long, help: "With --present, go on without a key where a step has a time.")
    var unattended = false

    /// Finds the timeline, and adds its file to the simulation if it is named by that.
    /// - Parameter files: the files that the simulation consists of; empty for the ready scenarios.
    func find(
        in simulation: Simulation, _ files: [ScenarioSource], _ store: any SelectionStore
    ) throws -> (Simulation, Presentation?) {
        guard let present else {
            if unattended { throw ValidationError("--unattended: means nothing without --present STORY") }
            return (simulation, nil)
        }
        if let timeline = simulation.barricade.timelines.first(where: { $0.name == present }) {
            return (simulation, Presentation(timeline))
        }
        guard present.contains("/") || present.hasSuffix(".json") || FileManager.default.fileExists(atPath: present) else {
            let names = simulation.barricade.timelines.map { "\"\($0.name)\"" }.joined(separator: ", ")
            throw ValidationError("--present: there is neither a timeline nor a file \"\(present)\"; the timelines are \(names)")
        }
        let source = try ScenarioSource(path: present)
        guard let timeline = source.file.timelines.first else {
            throw ValidationError("\(present): has no timeline to present; add one under \"timelines\"")
        }
        return (try Simulation(files + [source], store: store), Presentation(timeline))
    }

    /// Begins the timeline. Without `--unattended` it is on hold, and the presenter's keys move it.
    func start(_ presentation: Presentation, in simulation: Simulation) throws {
        do {
            try simulation.barricade.play(presentation.timeline)
            if !unattended { try simulation.barricade.pause(presentation.timeline.request) }
        } catch {
            throw ValidationError("--present: \(error)")
        }
    }
}
