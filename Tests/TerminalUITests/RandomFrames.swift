import TestSupport

@testable import TerminalUI

/// Frames with arbitrary texts, styles and sizes, each made from the one before.
struct RandomFrames {
    private var generator: SplitMix64
    private var frame = Frame(Size(columns: 0, rows: 0))

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    private static let texts = [
        "Hello, world", "a", "     ", "─│┌┐└┘", "x─y", "Grüße, ça va", "日本語中文", "a中b", "e\u{301}\u{302}\u{303}x", "中\u{301}",
        "👩‍👩‍👧👍🏽🐎", "⠙⣧▌█░·…✓", "\u{1B}[2J\u{7}\r\n\tx", "\u{9B}31m\u{90}q", "\u{202E}abc\u{2066}", "ﬀ\u{FFFE}\u{E000}", "\u{301}",
    ]

    private static let colors: [Color] = [
        .terminal, .terminal, .ansi(1), .ansi(9), .rgb(0, 0, 0), .rgb(95, 175, 255), .rgb(98, 98, 98), .rgb(255, 215, 95),
    ]

    private static let links = [
        nil, nil, nil, "https://a.local/x", "http://b.local", "javascript:x", "https://a.local/\u{1B}\\", "https://a.local/é",
    ]

    /// The next frame: usually the last one with some changes, sometimes one of another size.
    mutating func next() -> Frame {
        if Int.random(in: 0..<4, using: &generator) == 0 {
            let columns = Int.random(in: 0...24, using: &generator), rows = Int.random(in: 0...6, using: &generator)
            frame = Frame(Size(columns: columns, rows: rows), style: style())
        }
        for _ in 0..<Int.random(in: 0...6, using: &generator) { change() }
        let isVisible = Bool.random(using: &generator)
        frame.cursor = isVisible ? point() : nil
        return frame
    }

    private mutating func change() {
        let size = Size(columns: Int.random(in: 0...24, using: &generator), rows: Int.random(in: 0...2, using: &generator))
        let place = point()
        let area = Rect(column: place.column, row: place.row, columns: size.columns, rows: size.rows)
        let style = style()
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: frame.fill(area, style: style)
        case 1: frame.restyle(area) { $0 = style }
        default: frame.write(pick(Self.texts), at: place, style: style)
        }
    }

    /// A place in the frame or just outside it.
    private mutating func point() -> Point {
        Point(
            column: Int.random(in: -2...frame.size.columns, using: &generator),
            row: Int.random(in: -1...frame.size.rows, using: &generator))
    }

    private mutating func style() -> Style {
        var style = Style(foreground: pick(Self.colors), background: pick(Self.colors))
        style.attributes = Style.Attributes(rawValue: UInt8.random(in: 0..<32, using: &generator))
        if Bool.random(using: &generator) { style = .plain }
        return style.linked(to: pick(Self.links))
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &generator)]
    }
}
