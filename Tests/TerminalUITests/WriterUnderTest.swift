@testable import TerminalUI

/// A ``FrameWriter`` with the terminal that it writes to.
struct WriterUnderTest {
    private(set) var terminal: CellTerminal
    private var writer: FrameWriter
    private let depth: ColorDepth
    private let hyperlinks: Bool
    private let asciiOnly: Bool
    private let newTerminal: (Size) -> CellTerminal

    init(
        depth: ColorDepth, hyperlinks: Bool, asciiOnly: Bool = false, erasesWithBackground: Bool = true,
        columns: @escaping (Unicode.Scalar) -> Int = CellTerminal.usualColumns
    ) {
        self.depth = depth
        self.hyperlinks = hyperlinks
        self.asciiOnly = asciiOnly
        writer = FrameWriter(TerminalLook(depth: depth), hyperlinks: hyperlinks, asciiOnly: asciiOnly)
        newTerminal = { CellTerminal($0, erasesWithBackground: erasesWithBackground, columns: columns) }
        terminal = newTerminal(Size(columns: 0, rows: 0))
    }

    /// Shows a frame. A frame of another size is shown on another terminal.
    @discardableResult
    mutating func show(_ frame: Frame) -> [UInt8] {
        if terminal.size != frame.size { terminal = newTerminal(frame.size) }
        terminal.forgetPlaces()
        let bytes = writer.bytes(for: frame)
        terminal.feed(bytes)
        return bytes
    }

    /// Fills the terminal with other characters, and says so to the writer.
    mutating func litter() {
        terminal = newTerminal(terminal.size)
        writer.invalidate()
    }

    func row(_ row: Int) -> String {
        terminal.cells[(row * terminal.size.columns)..<((row + 1) * terminal.size.columns)].map(\.text).joined()
    }

    /// The first difference between the terminal and a frame, or the terminal's first fault; nil if there is none.
    func difference(from frame: Frame) -> String? {
        state(frame) ?? difference(frame) { _ in true }
    }

    /// The same for the cells with printable ASCII, and with box drawing unless the terminal is an ASCII one.
    func differenceOfCertainCells(from frame: Frame) -> String? {
        state(frame)
            ?? difference(frame) { cell in
                cell.text.unicodeScalars.count == 1
                    && cell.text.unicodeScalars.allSatisfy {
                        (0x20..<0x7F).contains($0.value) || (!asciiOnly && (0x2500..<0x2580).contains($0.value))
                    }
            }
    }

    private func state(_ frame: Frame) -> String? {
        if let fault = terminal.faults.first { return fault }
        guard terminal.pen == CellTerminal.Pen(), terminal.wraps else { return "attributes are left over" }
        let cursor = frame.cursor.flatMap { frame.bounds.contains($0) ? $0 : nil }
        let isPlaced = cursor == nil || cursor == terminal.cursor
        return terminal.showsCursor == (cursor != nil) && isPlaced ? nil : "the cursor"
    }

    private func difference(_ frame: Frame, where isCompared: (Cell) -> Bool) -> String? {
        for (index, pair) in zip(frame.cells, terminal.cells).enumerated() where isCompared(pair.0) {
            let wanted = Self.visible(position(of: pair.0)), found = Self.visible(pair.1)
            if wanted != found {
                return "at \(index % frame.size.columns), \(index / frame.size.columns): \(found) for \(wanted)"
            }
        }
        return nil
    }

    private func position(of cell: Cell) -> CellTerminal.Position {
        let style = ResolvedStyle(cell.style, TerminalLook(depth: depth))
        let link = cell.style.link.flatMap { hyperlinks && LinkRun.isSafe($0) ? $0 : nil }
        let pen = CellTerminal.Pen(
            foreground: ink(style.foreground), background: ink(style.background), attributes: style.attributes, link: link)
        return CellTerminal.Position(text: cell.text, width: cell.width, pen: pen)
    }

    private func ink(_ number: Int?) -> CellTerminal.Ink {
        guard let number else { return .standard }
        return depth == .direct && number >= 8 ? .direct(number) : .indexed(number)
    }

    /// A cell without what nobody can see: the style of the right half of a wide character is the left one's, and a blank
    /// shows only its background, its link and lines.
    private static func visible(_ cell: CellTerminal.Position) -> CellTerminal.Position {
        var cell = cell
        if cell.width == 0 { cell.pen = CellTerminal.Pen() }
        guard cell.text == " " else { return cell }
        cell.pen.attributes.formIntersection([.underline, .reverse])
        if cell.pen.attributes.isEmpty { cell.pen.foreground = .standard }
        return cell
    }
}
