/// The text of single cells.
extension FrameWriter {
    /// Writes a cell at a place.
    ///
    /// A terminal may draw a character outside ASCII and box drawing in another number of columns than the frame: by a width
    /// table of another version of Unicode, by a setting for ambiguous characters, or because it does not combine marks.
    /// Therefore the columns of a wide character are cleared first, and the next cell gets an absolute address.
    /// - Parameter columns: the width of the frame.
    func write(_ cell: Cell, at point: Point, columns: Int, in output: inout TerminalBytes) {
        output.move(to: point)
        output.select(cell.style)
        guard !isCertain(cell.text, columns: cell.width) else { return output.write(cell.text, columns: cell.width) }
        var text = ""
        for scalars in Glyph.scalars(of: cell, look.glyphs, width: { columnsHere(of: $0, in: cell) }) {
            text.unicodeScalars.append(contentsOf: scalars)
        }
        guard !isCertain(text, columns: cell.width) else { return output.write(text, columns: cell.width) }
        if cell.width > 1 {
            output.write(String(repeating: " ", count: cell.width), columns: cell.width)
            output.move(to: point)
        }
        output.writeDoubtful(text, mayWrap: point.column + reach(of: cell) > columns)
    }

    /// The most columns that a terminal may use for a cell: two for each scalar, unless the cell's width is certain.
    func reach(of cell: Cell) -> Int {
        isASCIIOnly || isCertain(cell.text, columns: cell.width) ? cell.width : 2 * cell.text.unicodeScalars.count
    }

    /// The columns of a scalar of a cell; -1 if it must not be written.
    private func columnsHere(of scalar: Unicode.Scalar, in cell: Cell) -> Int {
        if isASCIIOnly { return (0x20..<0x7F).contains(scalar.value) ? 1 : -1 }
        if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) { return -1 }
        return scalar == cell.text.unicodeScalars.first ? cell.width : 0
    }

    /// Whether every terminal draws the text in this number of columns: printable ASCII and box drawing.
    private func isCertain(_ text: String, columns: Int) -> Bool {
        text.unicodeScalars.count == columns
            && text.unicodeScalars.allSatisfy {
                (0x20..<0x7F).contains($0.value) || (look.glyphs == .unicode && (0x2500..<0x2580).contains($0.value))
            }
    }
}

extension CellLook {
    /// Whether a cell of this look cannot be told from one that was erased in the terminal's default colours.
    func isErased(_ cell: Cell) -> Bool {
        cell.text == " " && link == nil && style.background == nil
            && style.attributes.isDisjoint(with: [.underline, .reverse])
    }
}
