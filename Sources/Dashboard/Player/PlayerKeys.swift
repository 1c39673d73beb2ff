import TerminalUI

/// What a key asks of the timeline that is shown.
enum PlayerKey: Equatable, Sendable {
    case playOrHold, nextStep, previousStep, reset, resetAll, speed
    /// Counted from 0.
    case jump(Int)
}

/// The player's keys, the same in the dashboard and in the picker.
enum PlayerKeys {
    static func action(for key: Key) -> PlayerKey? {
        if case .character(let character) = key, let digit = character.wholeNumberValue, character.isASCII, digit > 0 {
            return .jump(digit - 1)
        }
        return map.action(for: key)
    }

    /// What the footer shows of them.
    /// - Parameter isPlaying: tells what `p` would do.
    static func hints(isPlaying: Bool) -> [KeyHint] {
        [KeyHint(key: "p", word: isPlaying ? "hold" : "play")] + map.hints
    }

    /// What the help page shows.
    static var help: [KeyHint] { map.help + [KeyHint(key: "1…9", word: "go to that step of the timeline")] }

    private static let map = KeyMap<PlayerKey>([
        KeyBinding(.character("p"), does: .playOrHold, help: "play the timeline, or hold it where it stands"),
        KeyBinding(.character("n"), does: .nextStep, hint: "next", help: "go to the timeline's next step"),
        KeyBinding(.character("b"), does: .previousStep, help: "go to the timeline's step before"),
        KeyBinding(.character("*"), does: .speed, help: "play at the clock's speed, or ten times as fast"),
        KeyBinding(.character("x"), does: .reset, help: "end the timeline and let the default answer again"),
        KeyBinding(.character("X"), does: .resetAll, help: "reset everything, content too"),
    ])
}
