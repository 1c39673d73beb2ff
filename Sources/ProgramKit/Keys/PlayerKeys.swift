import TerminalUI

/// A key's action on the timeline that is shown, or on the simulated server.
package enum PlayerKey: Equatable, Sendable {
    case playOrHold, nextStep, previousStep, reset, resetAll, speed
    /// Pauses the simulated service, and ends the pause.
    case kill
    /// Picks the scenario again that was picked before the present one.
    case previousScenario
    /// Counted from 0.
    case jump(Int)

    /// The name in the settings.
    package var name: String {
        switch self {
        case .playOrHold: "play"
        case .nextStep: "nextStep"
        case .previousStep: "previousStep"
        case .reset: "reset"
        case .resetAll: "resetAll"
        case .speed: "speed"
        case .kill: "kill"
        case .previousScenario: "previousScenario"
        case .jump: "jump"
        }
    }

    /// Whether it acts on a timeline. The others act on the simulated server.
    package var needsTimeline: Bool { ![.kill, .previousScenario, .resetAll].contains(self) }
}

/// The player's keys, which are the same in the dashboard, in the picker and over a view.
package struct PlayerKeys: Sendable {
    /// The bindings, without the digits.
    package let map: KeyMap<PlayerKey>

    package func action(for key: Key) -> PlayerKey? { Self.step(for: key).map { .jump($0) } ?? map.action(for: key) }

    /// The step of a digit, counted from 0; nil for another key.
    package static func step(for key: Key) -> Int? {
        guard case .character(let character) = key, character.isASCII, let digit = character.wholeNumberValue, digit > 0
        else { return nil }
        return digit - 1
    }

    /// The footer's hints for these keys.
    /// - Parameter isPlaying: whether the first key would hold the timeline.
    package func hints(isPlaying: Bool) -> [KeyHint] {
        let play = map.bindings.first { $0.action == .playOrHold }?.keys.first
        return (play.map { [KeyHint($0, word: isPlaying ? "hold" : "play")] } ?? []) + map.hints
    }

    /// The help page's entries for these keys.
    package var help: [KeyHint] { map.help + [KeyHint(key: "1…9", word: "go to that step of the timeline")] }

    package static let usual = KeyMap<PlayerKey>([
        KeyBinding(.character("p"), does: .playOrHold, help: "play the timeline, or hold it where it stands"),
        KeyBinding(.character("n"), does: .nextStep, hint: "next", help: "go to the timeline's next step"),
        KeyBinding(.character("b"), does: .previousStep, help: "go to the timeline's step before"),
        KeyBinding(.character("*"), does: .speed, help: "play at the clock's speed, or ten times as fast"),
        KeyBinding(.character("x"), does: .reset, help: "end the timeline and return to the default response"),
        KeyBinding(.character("X"), does: .resetAll, help: "reset everything, content too"),
        KeyBinding(.character("K"), does: .kill, help: "pause the simulated service, and end the pause with the same key"),
        KeyBinding(.character("."), does: .previousScenario, help: "pick the scenario again that was picked before"),
    ])
}
