import TerminalUI

/// The appearance of a player's phase: glyph, word and colour.
package struct PlayerLook: Equatable {
    package let glyph: String
    package let word: String
    package let style: Style

    package init(_ phase: Playback.Phase) {
        switch phase {
        case .playing: (glyph, word, style) = ("▶", "plays", Theme.accent)
        case .held: (glyph, word, style) = ("‖", "on hold", Theme.warning)
        case .overruled: (glyph, word, style) = ("‖", "on hold, picked by hand", Theme.warning)
        case .ended: (glyph, word, style) = ("◦", "has ended", Theme.muted)
        }
    }
}
