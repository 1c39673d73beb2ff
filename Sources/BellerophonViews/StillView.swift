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
        OverlayPages(shown, .of(shown), keys: KeyMap([])).draw(in: &frame)
    }
}
