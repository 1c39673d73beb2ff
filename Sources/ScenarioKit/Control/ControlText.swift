import Barricade

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
        var lines = ["process \(state.pid)  stage \(state.stage)  speed ×\(state.speed)"]
        for request in state.requests {
            lines.append("\(request.name): \(request.answers ?? "no response")")
            if let player = request.timeline { lines.append("  \(text(player))") }
        }
        return lines.joined(separator: "\n")
    }

    /// `▶ planned maintenance: plays; step 2/3, paused, 12s of 30s`
    private static func text(_ player: ControlState.Player) -> String {
        let look =
            switch player.phase {
            case "playing": PlayerLook(.playing)
            case "held": PlayerLook(.held)
            case "overruled": PlayerLook(.overruled)
            default: PlayerLook(.ended)
            }
        let place = "step \(player.step)/\(player.steps), \(player.response), \(player.progress)"
        return "\(look.glyph) \(player.name): \(look.word); \(place)"
    }
}
