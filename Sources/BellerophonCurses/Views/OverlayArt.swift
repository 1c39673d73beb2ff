import TerminalUI

/// The line drawings of large terminals. An ornament: they say nothing that the words below don't.
enum OverlayArt {
    static let sleepingChimera = [""]
    static let wingedHorse = [""]

    /// A drawing as lines of one width, so that centring keeps its shape.
    static func lines(_ drawing: [String]) -> [TextLine] {
        let width = drawing.map(CellText.width(of:)).max() ?? 0
        return drawing.map { TextLine(CellText.padded($0, columns: width), Theme.muted.with(.dim)) }
    }
}
