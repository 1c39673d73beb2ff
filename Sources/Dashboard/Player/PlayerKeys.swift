import TerminalUI

/// A key's action on the timeline that is shown.
enum PlayerKey: Equatable, Sendable {
    case playOrHold, nextStep, previousStep, reset, resetAll, speed
    /// Counted from 0.
    case jump(Int)
}

/// The player's keys, which are the same in the dashboard and in the picker.
enum PlayerKeys {
    static func action(for key: Key) -> PlayerKey? {
        if case .character(let character) = key, let digit = character.wholeNumberValue, character.isASCII, digit > 0 {
            return .jump(digit - 1)
        }
        return map.action(for: key)
    }

    /// The footer's hints for these keys.
    /// - Parameter isPlaying: whether `p` would hold the timeline.
    static func hints(isPlaying: Bool) -> [KeyHint] {
        [KeyHint(.character("p"), word: isPlaying ? "hold" : "play")] + map.hints
    }

    /// The help page's entries for these keys.
    static var help: [KeyHint] { map.help + [KeyHint(key: "1…9", word: "go to that step of the timeline")] }

    private static let map = KeyMap<PlayerKey>([
        KeyBinding(.character("p"), does: .playOrHold, help: "play the timeline, or hold it where it stands"),
        KeyBinding(.character("n"), does: .nextStep, hint: "next", help: "go to the timeline's next step"),
        KeyBinding(.character("b"), does: .previousStep, help: "go to the timeline's step before"),
        KeyBinding(.character("*"), does: .speed, help: "play at the clock's speed, or ten times as fast"),
        KeyBinding(.character("x"), does: .reset, help: "end the timeline and return to the default response"),
        KeyBinding(.character("X"), does: .resetAll, help: "reset everything, content too"),
    ])
}
