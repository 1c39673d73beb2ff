import Testing

@testable import TerminalUI

/// A terminal that understands only what a ``FrameWriter`` may send. Everything else is recorded as a fault, as are wrapping
/// and scrolling.
struct CellTerminal {
    /// A colour as the terminal knows it.
    enum Ink: Equatable {
        case standard, indexed(Int), direct(Int)
    }

    struct Pen: Equatable {
        var foreground = Ink.standard
        var background = Ink.standard
        var attributes: Style.Attributes = []
        var link: String?
    }

    struct Position: Equatable {
        var text: String
        var width: Int
        var pen: Pen
    }

    let size: Size
    private(set) var cells: [Position]
    private(set) var cursor = Point(column: 0, row: 0)
    private(set) var showsCursor = true
    private(set) var pen = Pen()
    private(set) var faults: [String] = []
    /// The places of all characters since the last call of ``forgetPlaces()``, in the order of their output.
    private(set) var places: [Point] = []
    private(set) var wraps = true
    private var isWrapPending = false
    /// The character that a mark is added to; nil after the cursor was placed.
    private var latest: Point?
    /// The columns that this terminal draws a scalar in; 0 for a mark on the character before it.
    private let columns: (Unicode.Scalar) -> Int
    private let erasesWithBackground: Bool

    /// Creates a terminal full of characters, so that a cell that was not painted is noticed.
    init(
        _ size: Size, erasesWithBackground: Bool = true,
        columns: @escaping (Unicode.Scalar) -> Int = CellTerminal.usualColumns
    ) {
        self.size = size
        self.columns = columns
        self.erasesWithBackground = erasesWithBackground
        let litter = Position(text: "Z", width: 1, pen: Pen(background: .indexed(5), attributes: .underline))
        cells = Array(repeating: litter, count: size.columns * size.rows)
    }

    /// The columns in which this package's own table has a scalar.
    static func usualColumns(of scalar: Unicode.Scalar) -> Int {
        // A mark alone is drawn on a dotted circle, so it is measured behind a letter.
        CellText.width(of: "a" + String(scalar)) == 1 ? 0 : CellText.width(of: String(scalar))
    }

    mutating func forgetPlaces() { places = [] }

    mutating func feed(_ bytes: [UInt8]) {
        var rest = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar.value {
            case 0x1B: sequence(&rest)
            case 0x00..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: fault("control \(scalar.value)")
            default: draw(scalar)
            }
        }
    }

    private mutating func fault(_ text: String) { faults.append(text) }
}

// MARK: - Sequences

extension CellTerminal {
    private mutating func sequence(_ rest: inout ArraySlice<Unicode.Scalar>) {
        switch rest.popFirst() {
        case "[":
            guard let end = rest.firstIndex(where: { (0x40...0x7E).contains($0.value) }) else { return fault("no final byte") }
            let parameters = String(String.UnicodeScalarView(rest[..<end]))
            let final = Character(rest[end])
            rest = rest[(end + 1)...]
            control(final, parameters)
        case "]":
            guard let end = rest.firstIndex(of: "\u{1B}"), rest[end...].dropFirst().first == "\\" else {
                return fault("a string without its end")
            }
            let text = String(String.UnicodeScalarView(rest[..<end]))
            rest = rest[(end + 2)...]
            guard text.hasPrefix("8;;") else { return fault("the string \(text)") }
            pen.link = text.count > 3 ? String(text.dropFirst(3)) : nil
        case let scalar: fault("escape \(scalar.map(String.init) ?? "at the end")")
        }
    }

    private mutating func control(_ final: Character, _ parameters: String) {
        switch (final, parameters) {
        case ("H", _): place(parameters.split(separator: ";").compactMap { Int($0) })
        case ("m", _): select(parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? -1 })
        case ("K", ""): erase()
        case ("h", "?25"), ("l", "?25"): showsCursor = final == "h"
        case ("h", "?7"), ("l", "?7"):
            wraps = final == "h"
            isWrapPending = false
        default: fault("the sequence \(parameters)\(final)")
        }
    }

    private mutating func place(_ numbers: [Int]) {
        guard numbers.count == 2, (1...max(1, size.rows)).contains(numbers[0]), (1...max(1, size.columns)).contains(numbers[1])
        else { return fault("the address \(numbers)") }
        cursor = Point(column: numbers[1] - 1, row: numbers[0] - 1)
        isWrapPending = false
        latest = nil
    }

    private mutating func erase() {
        if isWrapPending { fault("erasing at a pending wrap") }
        let blank = Position(text: " ", width: 1, pen: Pen(background: erasesWithBackground ? pen.background : .standard))
        for column in cursor.column..<size.columns { put(blank, column) }
    }

    private mutating func select(_ numbers: [Int]) {
        var rest = numbers[...]
        while let number = rest.popFirst() {
            switch number {
            case 0: pen = Pen(link: pen.link)
            case 1: pen.attributes.insert(.bold)
            case 2: pen.attributes.insert(.dim)
            case 3: pen.attributes.insert(.italic)
            case 4: pen.attributes.insert(.underline)
            case 7: pen.attributes.insert(.reverse)
            case 30...37: pen.foreground = .indexed(number - 30)
            case 40...47: pen.background = .indexed(number - 40)
            case 90...97: pen.foreground = .indexed(number - 82)
            case 100...107: pen.background = .indexed(number - 92)
            case 38: pen.foreground = extended(&rest)
            case 48: pen.background = extended(&rest)
            default: fault("the attribute \(number)")
            }
        }
    }

    private mutating func extended(_ rest: inout ArraySlice<Int>) -> Ink {
        let kind = rest.popFirst()
        let values = Array(rest.prefix(kind == 2 ? 3 : 1))
        rest = rest.dropFirst(values.count)
        guard values.allSatisfy((0...255).contains), values.count == (kind == 2 ? 3 : 1), kind == 2 || kind == 5 else {
            fault("the colour \(values)")
            return .standard
        }
        return kind == 5 ? .indexed(values[0]) : .direct(values[0] << 16 | values[1] << 8 | values[2])
    }
}

// MARK: - Characters

extension CellTerminal {
    private mutating func draw(_ scalar: Unicode.Scalar) {
        let width = min(columns(scalar), size.columns)
        if width == 0 { return combine(scalar) }
        if isWrapPending || (wraps && cursor.column + width > size.columns) { fault("wraps before \(scalar)") }
        let column = max(0, min(cursor.column, size.columns - width))
        latest = Point(column: column, row: cursor.row)
        places.append(Point(column: column, row: cursor.row))
        put(Position(text: String(scalar), width: width, pen: pen), column)
        if width == 2 { put(Position(text: "", width: 0, pen: pen), column + 1, joined: true) }
        isWrapPending = wraps && column + width == size.columns
        cursor.column = min(column + width, size.columns - 1)
    }

    private mutating func combine(_ mark: Unicode.Scalar) {
        guard let latest else { return fault("a mark without a character") }
        cells[latest.row * size.columns + latest.column].text.unicodeScalars.append(mark)
    }

    /// Stores a cell; the other half of a wide character that it cuts becomes a space.
    private mutating func put(_ cell: Position, _ column: Int, joined: Bool = false) {
        let index = cursor.row * size.columns + column
        if cells[index].width == 0, column > 0, !joined { blank(index - 1) }
        if cells[index].width == 2, column + 1 < size.columns { blank(index + 1) }
        cells[index] = cell
    }

    private mutating func blank(_ index: Int) {
        cells[index].text = " "
        cells[index].width = 1
    }
}
