/// What a covered program sends that must reach the terminal after the cover: in order, and limited.
struct CoveredOutput: Sendable {
    /// Whether the cover is painted over the program's screen, and not on a screen of its own.
    let wasRepainted: Bool
    private let dialect: TerminalDialect
    /// The bytes that lead back to the main screen.
    var restore: [UInt8]
    private var spool: [UInt8] = []
    /// Sequences with an effect outside the screen that were sent to a screen that is repainted.
    private var outside = OutsideEffects()

    /// The output of a main screen that is kept, in bytes. More makes the program wait, as Control-S does.
    static let limit = 4 << 20

    /// - Parameter restore: the bytes that lead back to the main screen.
    init(restore: [UInt8], wasRepainted: Bool, dialect: TerminalDialect) {
        self.restore = restore
        self.wasRepainted = wasRepainted
        self.dialect = dialect
    }

    var isEmpty: Bool { spool.isEmpty }
    var isFull: Bool { spool.count >= Self.limit }

    /// All that is to be sent, in order.
    var bytes: [UInt8] {
        let end = dialect.endsInCharacter(spool) ? spool + [0] : spool
        return restore + end + outside.bytes
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        flushOutside()
        spool += bytes
    }

    /// Appends text without BEL, which would ring long after its time, and without ENQ, which would be answered twice.
    mutating func append(text: UnsafeBufferPointer<UInt8>) {
        flushOutside()
        for part in text.split(whereSeparator: { $0 == 0x07 || $0 == 0x05 }) {
            // The halves of a character with something between them are not a character.
            if part.first.map(dialect.continuesCharacter) == true, dialect.endsInCharacter(spool) { spool.append(0) }
            spool += part
        }
    }

    /// Appends the C0 controls of a sequence that was cancelled.
    mutating func append(controlsOf sequence: UnsafeBufferPointer<UInt8>) {
        guard !dialect.isString(sequence) else { return }
        let controls = sequence.filter { $0 < 0x20 && ![0x18, 0x1A, 0x1B].contains($0) }
        controls.withUnsafeBufferPointer { append(text: $0) }
    }

    /// Appends what leads from an alternate screen, which the terminal does not show as the program left it, to the main
    /// screen: modes and the cursor, and the cells if they may be seen again.
    mutating func appendReturn(from shadow: ShadowTerminal, paintsCells: Bool) {
        flushOutside()
        var painter = ShadowPainter(isUTF8: dialect.isUTF8)
        if paintsCells { shadow.appendCells(to: &painter) }
        shadow.appendModes(to: &painter)
        shadow.appendKeyboard(shadow.alternateKeyboard, to: &painter)
        shadow.appendCursor(to: &painter)
        painter.setMode(25, to: shadow.modes[25])
        spool += painter.bytes
    }

    /// Appends a sequence with an effect outside the screen.
    mutating func appendOutside(_ bytes: UnsafeBufferPointer<UInt8>) { outside.append(bytes) }

    private mutating func flushOutside() {
        guard !outside.isEmpty else { return }
        spool += outside.bytes
        outside = OutsideEffects()
    }
}
