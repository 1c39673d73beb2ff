import Barricade
import Bellerophon

/// Replies as text for people.
package enum ControlText {
    /// A refusal by the barricade, with steps counted from 1, as on the display.
    package static func refusal(_ error: BarricadeError) -> String {
        if case .unknownStep(let step, let count) = error {
            return "there is no step \(step + 1); steps are counted from 1 to \(count)"
        }
        return "\(error)"
    }

    /// One line for the app, one for each kind of request, and one for each started timeline.
    package static func text(_ state: ControlState) -> String {
        var lines = ["process \(state.pid)  stage \(Stage.word(for: state.stage))  speed ×\(state.speed)"]
        for request in state.requests {
            lines.append("\(request.name): \(request.answers ?? "no response")")
            if let player = request.timeline { lines.append("  \(text(player))") }
        }
        if state.client.isChanged { lines.append("app: \(text(state.client))") }
        if state.isTimeDriven { lines.append("time: \(state.time)") }
        return lines.joined(separator: "\n")
    }

    /// `version 1.5.2, installID 4f2a, os linux`; what is not known is left out.
    package static func text(_ client: ControlState.Client) -> String {
        let known = [("version", client.version), ("osVersion", client.osVersion), ("installID", client.installID)]
            .compactMap { name, value in value.map { "\(name) \($0)" } }
        let all = known + client.facts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return all.isEmpty ? "nothing is known" : all.joined(separator: ", ")
    }

    /// The app and the time, for a person who asks for them.
    package static func world(_ state: ControlState) -> String {
        "app: \(text(state.client))\ntime: \(state.time), \(state.isTimeDriven ? "simulated" : "the real one")"
    }

    /// `▶ planned maintenance: plays; step 2/3, paused, 12s of 30s`
    private static func text(_ player: ControlState.Player) -> String {
        let look = PlayerLook(Playback.Phase(rawValue: player.phase) ?? .ended)
        let place = "step \(player.step)/\(player.steps), \(player.response), \(player.progress)"
        return "\(look.glyph) \(player.name): \(look.word); \(place)"
    }
}
