/// Collects the bytes that bring a terminal into a state.
struct ShadowPainter {
    private(set) var bytes: [UInt8] = []
    /// Whether characters are encoded in UTF-8. Otherwise each is a byte.
    var isUTF8 = true

    mutating func append(_ more: [UInt8]) { bytes += more }
    mutating func escape(_ text: String) {
        bytes.append(0x1B)
        bytes += text.utf8
    }
    mutating func control(_ text: String) {
        bytes.append(0x1B)
        bytes.append(UInt8(ascii: "["))
        bytes += text.utf8
    }

    mutating func setMode(_ mode: Int, to isOn: Bool) { control("?\(mode)\(isOn ? "h" : "l")") }

    /// Erases a screen of its cells and moves the cursor to its top.
    ///
    /// Some terminals move what is erased as a whole (ED 2, or ED at the top) into the scrollback, so the first row is erased by
    /// itself.
    mutating func eraseScreen(rows: Int) {
        move(column: 0, row: 0)
        control("K")
        guard rows > 1 else { return }
        move(column: 0, row: 1)
        control("J")
        move(column: 0, row: 0)
    }

    mutating func move(column: Int, row: Int) { control("\(row + 1);\(column + 1)H") }

    /// Selects a pen. With nil as the former pen everything is selected.
    mutating func select(_ pen: ShadowPen, after former: ShadowPen?, links: ShadowLinks) {
        if former?.link != pen.link {
            if pen.link != 0 {
                bytes += "\u{1B}]8;".utf8
                bytes += links[pen.link]
                bytes += "\u{1B}\\".utf8
            } else {
                bytes += "\u{1B}]8;;\u{1B}\\".utf8
            }
        }
        var plain = pen
        plain.link = former?.link ?? 0
        guard former != plain else { return }
        control(Self.rendition(pen) + "m")
    }

    private static func rendition(_ pen: ShadowPen) -> String {
        var text = "0"
        let codes: [(ShadowPen.Attributes, String)] = [
            (.bold, ";1"), (.dim, ";2"), (.italic, ";3"), (.blink, ";5"), (.reverse, ";7"), (.concealed, ";8"),
            (.struckOut, ";9"), (.overlined, ";53"),
        ]
        for (attribute, code) in codes where pen.attributes.contains(attribute) { text += code }
        switch pen.attributes.underline {
        case 0: break
        case 1: text += ";4"
        case 2: text += ";21"
        case let style: text += ";4:\(style)"
        }
        text += color(pen.foreground, base: 30) + color(pen.background, base: 40)
        switch pen.underlineColor {
        case .standard: break
        case .indexed(let index): text += ";58:5:\(index)"
        case .direct(let red, let green, let blue): text += ";58:2::\(red):\(green):\(blue)"
        }
        return text
    }

    private static func color(_ color: ShadowColor, base: Int) -> String {
        switch color {
        case .standard: ""
        case .indexed(let index) where index < 8: ";\(base + Int(index))"
        case .indexed(let index) where index < 16: ";\(base + 52 + Int(index))"
        case .indexed(let index): ";\(base + 8);5;\(index)"
        case .direct(let red, let green, let blue): ";\(base + 8);2;\(red);\(green);\(blue)"
        }
    }

    /// Writes the content of a cell. The terminal has ASCII in G0 and uses it.
    mutating func write(_ cell: ShadowCell) {
        if cell.scalar & ShadowCharsets.graphics != 0 {
            escape("(0")
            bytes.append(UInt8(truncatingIfNeeded: cell.scalar))
            escape("(B")
        } else {
            append(scalar: cell.scalar == 0 ? 0x20 : cell.scalar)
        }
        if cell.mark1 != 0 { append(scalar: cell.mark1) }
        if cell.mark2 != 0 { append(scalar: cell.mark2) }
    }

    mutating func append(scalar: UInt32) {
        guard scalar > 0x7F, isUTF8 || scalar > 0xFF else { return bytes.append(UInt8(truncatingIfNeeded: scalar)) }
        bytes += UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter
    }

    /// Designates ASCII as G0, and selects it.
    mutating func selectASCII() {
        escape("(B")
        append([0x0F])
    }

    /// Designates the first character sets and selects the one in use.
    mutating func select(_ charsets: ShadowCharsets, count: Int = 4) {
        for (index, designation) in charsets.designations.prefix(count).enumerated() {
            bytes.append(0x1B)
            bytes.append(UInt8(ascii: "(") + UInt8(index))
            if designation > 0xFF { bytes.append(UInt8(designation >> 8)) }
            bytes.append(UInt8(truncatingIfNeeded: designation))
        }
        switch charsets.active {
        case 1: bytes.append(0x0E)
        case 2: escape("n")
        case 3: escape("o")
        default: bytes.append(0x0F)
        }
    }
}
