import ArgumentParser
import Barricade
import Bellerophon
import Foundation
import ProgramKit
import ScenarioKit
import TerminalGuard

/// Names for the shell's completion that only this program knows.
enum Completions {
    /// The names of scenarios: of the files on the command line, or of the ready ones.
    static let scenarios = CompletionKind.custom { words, _, _ in
        simulation(words).responseSets.flatMap { $0.responses.map(\.name) }
    }

    /// The names of timelines: of the files on the command line, or of the ready ones.
    static let timelines = CompletionKind.custom { words, _, _ in simulation(words).timelines.map(\.name) }

    /// What can be presented: the names of timelines, and scenario files in the present folder.
    static let stories = CompletionKind.custom { words, _, _ in
        let files = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
        return simulation(words).timelines.map(\.name) + files.filter { $0.hasSuffix(".json") }.sorted()
    }

    /// The kinds of requests of the running program.
    static let runningRequests = CompletionKind.custom { _, _, _ in running.requests.map(\.name) }

    /// The responses of the running program, for the request on the command line.
    static let runningResponses = CompletionKind.custom { words, _, _ in
        let requests = running.requests
        return (requests.first { words.contains($0.name) } ?? requests.first)?.responses ?? []
    }

    /// The timelines of the running program.
    static let runningTimelines = CompletionKind.custom { _, _, _ in running.timelines }

    /// The names of the guard's profiles.
    static let profiles = CompletionKind.custom { _, _, _ in (try? GuardFolder().fileNames()) ?? [] }

    /// The programs of the guards that run.
    static let guards = CompletionKind.custom { _, _, _ in
        let registry = GuardRegistry.usual(Environment.variables)
        return Set(registry.ask(.state, registry.entries(), within: .milliseconds(300)).map(\.name)).sorted()
    }

    /// The names of the services in the configuration on the command line, or in the usual one.
    static let services = CompletionKind.custom { words, _, _ in
        let file = zip(words, words.dropFirst()).first { $0.0 == "--config" }?.1
        return (try? ConfigurationOptions.loaded(file).configuration.services.map(\.name)) ?? []
    }

    private static func simulation(_ words: [String]) -> BarricadeServer {
        let files = zip(words, words.dropFirst()).filter { $0.0 == "--scenarios" }.compactMap { try? ScenarioSource(path: $0.1) }
        let simulation = files.isEmpty ? nil : try? Simulation(files)
        return (simulation ?? Simulation()).barricade
    }

    /// What the running program simulates; the ready scenarios if none runs, or several do.
    private static var running: ControlState {
        (try? ControlClient(in: ControlFolders.usual(Environment.variables)).ask(.status))
            ?? ControlState(ScenarioList(Simulation().barricade), StageMachine(), date: Date())
    }
}
