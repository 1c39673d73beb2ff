import Barricade
import Bellerophon
import Foundation
import LocalControl

/// The reply of a running program: one line of JSON.
package struct ControlReply: Codable, Equatable, Sendable {
    package let ok: Bool
    /// Why the request was refused, in one sentence.
    package let error: String?
    /// The state after the request.
    package let state: ControlState?

    package static func done(_ state: ControlState) -> ControlReply {
        ControlReply(ok: true, error: nil, state: state)
    }

    package static func refused(_ reason: String) -> ControlReply {
        ControlReply(ok: false, error: reason, state: nil)
    }

    /// The reply as a line, without its terminator.
    package var line: String { WireLine.text(self) }
}

/// The state of a simulated server and its app, for scripts.
package struct ControlState: Codable, Equatable, Sendable {
    package struct Request: Codable, Equatable, Sendable {
        package let name: String
        /// The name of the response to the next request.
        package let answers: String?
        package let responses: [String]
        package let timeline: Player?
    }

    package struct Player: Codable, Equatable, Sendable {
        package let name: String
        /// `playing`, `held`, `overruled` (replaced by a manually selected response) or `ended`: a ``Playback/Phase``.
        package let phase: String
        /// Counted from 1.
        package let step: Int
        package let steps: Int
        package let response: String
        /// The elapsed part of the step, in words: `12s of 30s`.
        package let progress: String
        /// The elapsed part of the step, 0 to 1; null for a step without a fixed end.
        package let fraction: Double?
        /// Counted from 1.
        package let round: Int
    }

    /// What the app says of itself.
    package struct Client: Codable, Equatable, Sendable {
        /// The versions and the id; null for what is not known.
        package let version, osVersion, installID: String?
        package let facts: [String: String]
        /// Whether the simulation has changed it.
        package let isChanged: Bool
    }

    package let pid: Int32
    /// The app's stage: `unknown`, `active`, `killed` or `updateRequired`.
    package let stage: String
    /// Whether a check is under way, after which the stage may be another.
    package let checking: Bool
    /// How many times as fast as the clock timelines run.
    package let speed: Int
    package let requests: [Request]
    /// Who the app is.
    package let client: Client
    /// The time of the simulated server and of the app: `2026-12-05T21:55:00Z`.
    package let time: String
    /// Whether that time goes on by itself, and is not the real one.
    package let isTimeDriven: Bool
    /// The names of the timelines that can be played.
    package let timelines: [String]

    /// One line of JSON.
    package var json: String { WireLine.text(self) }
}

extension ControlState {
    /// - Parameters:
    ///   - machine: the state of the app.
    ///   - date: the simulated time.
    package init(_ list: ScenarioList, _ machine: StageMachine, date: Date) {
        pid = ProcessInfo.processInfo.processIdentifier
        stage = machine.stage.rawValue
        checking = machine.pending != nil
        speed = list.speed
        let app = machine.app
        client = Client(
            version: app.version, osVersion: app.osVersion, installID: app.installID, facts: app.values,
            isChanged: !list.world.client.isEmpty)
        time = SimulatedTime(date).text
        isTimeDriven = list.world.clock.isDriven
        timelines = list.items.compactMap(\.timeline?.name)
        let scenarios = list.scenarios
        let names = scenarios.map(\.request).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        requests = names.map { name in
            let own = scenarios.filter { $0.request == name }
            return Request(
                name: name, answers: own.first(where: list.isSelected)?.name, responses: own.map(\.name),
                timeline: list.playbacks.first { $0.request == name }.map { Player($0, speed: list.speed) }
            )
        }
    }
}

extension ControlState.Player {
    package init(_ playback: Playback, speed: Int) {
        name = playback.timeline.name
        phase = playback.phase.rawValue
        step = playback.stepIndex + 1
        steps = playback.timeline.steps.count
        response = playback.player.position?.step.response ?? ""
        progress = playback.progressText
        fraction = playback.player.position?.fraction
        round = playback.player.round
    }
}
