package import Bellerophon
package import TerminalUI

/// The provided views without keys, for a program that is too busy to draw its own. Needs no main actor.
package enum StillView {
    /// Draws the view of the content's stage at any terminal size.
    package static func draw(_ content: OverlayContent, glyphs: GlyphStyle, in frame: inout Frame) {
        var shown = content
        shown.program = .busy
        shown.presentation = OverlayPresentation()
        shown.presentation.glyphs = glyphs
        let face: OverlayTheme =
            content.stage == .updateRequired ? .update : content.standing.basis == .policy ? .closed : .paused
        OverlayPages(content: shown, face: face, keyMap: KeyMap([])).draw(in: &frame)
    }
}
