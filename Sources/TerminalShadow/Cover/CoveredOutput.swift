/// What a covered program sends that must reach the terminal after the cover: in order, and limited.
struct CoveredOutput: Sendable {
    /// Whether the cover is painted over the program's screen, and not on a screen of its own.
    let wasRepainted: Bool
    /// The bytes that lead back to the main screen.
    private var restore: [UInt8]
    private var spool: [UInt8] = []
    /// Sequences with an effect outside the screen that were sent to a screen that is repainted.
    private var outside: [Outside] = []
    private var outsideCount = 0

    private struct Outside: Sendable {
        /// Of sequences with the same key only the last counts; nil if all count.
        var key: [UInt8]?
        var bytes: [UInt8]
    }

    /// The output of a main screen that is kept, in bytes. More makes the program wait, as Control-S does.
    static let limit = 4 << 20
    /// The sequences of ``outside`` that are kept, in bytes.
    private static let outsideLimit = 1 << 20

    /// - Parameter restore: the bytes that lead back to the main screen.
    init(restore: [UInt8], wasRepainted: Bool) {
        self.restore = restore
        self.wasRepainted = wasRepainted
    }

    var isFull: Bool { spool.count >= Self.limit }

    /// All that is to be sent, in order.
    var bytes: [UInt8] { restore + spool + outside.flatMap(\.bytes) }

    /// Replaces the bytes that lead back to the main screen.
    mutating func setRestore(_ bytes: [UInt8]) { restore = bytes }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        flushOutside()
        spool += bytes
    }

    /// Appends text without BEL, which would ring long after its time, and without ENQ, which would be answered twice.
    mutating func append(text: UnsafeBufferPointer<UInt8>) {
        flushOutside()
        spool += text.lazy.filter { $0 != 0x07 && $0 != 0x05 }
    }

    /// Appends what leads from an alternate screen, which the terminal does not show as the program left it, to the main
    /// screen: modes and the cursor, and the cells if they may be seen again.
    mutating func appendReturn(from shadow: ShadowTerminal, paintsCells: Bool) {
        flushOutside()
        var painter = ShadowPainter()
        if paintsCells { shadow.appendCells(to: &painter) }
        shadow.appendModes(to: &painter)
        shadow.appendKeyboard(shadow.alternateKeyboard, to: &painter)
        shadow.appendCursor(to: &painter)
        painter.setMode(25, to: shadow.modes[25])
        spool += painter.bytes
    }

    /// Appends a sequence with an effect outside the screen. If there are too many, the oldest are dropped.
    mutating func appendOutside(_ bytes: UnsafeBufferPointer<UInt8>) {
        let key = Self.key(of: bytes)
        if let key, let index = outside.firstIndex(where: { $0.key == key }) {
            outsideCount -= outside[index].bytes.count
            outside.remove(at: index)
        }
        outside.append(Outside(key: key, bytes: Array(bytes)))
        outsideCount += bytes.count
        while outsideCount > Self.outsideLimit, outside.count > 1 { outsideCount -= outside.removeFirst().bytes.count }
    }

    private mutating func flushOutside() {
        guard !outside.isEmpty else { return }
        spool += outside.flatMap(\.bytes)
        outside = []
        outsideCount = 0
    }

    /// The introducer and number of an operating system command that replaces an earlier one: titles, the folder, colours of
    /// text, background and cursor, the clipboard.
    private static func key(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard bytes.count > 2, bytes[1] == UInt8(ascii: "]") else { return nil }
        let number = bytes.dropFirst(2).prefix { (0x30...0x39).contains($0) }
        let replacing = ["0", "1", "2", "7", "10", "11", "12", "52", "110", "111", "112"]
        guard replacing.contains(where: { number.elementsEqual($0.utf8) }) else { return nil }
        return Array(number)
    }
}
