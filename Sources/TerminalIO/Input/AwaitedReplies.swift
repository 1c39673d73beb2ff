/// What tells a reply of the terminal from other input: how it begins and ends.
package struct ReplyShape: Equatable, Sendable {
    /// The byte after ESC: `[` for a control sequence; `]`, `P` or `_` for a string.
    let introducer: UInt8
    /// The private marker of a control sequence; 0 for none.
    let marker: UInt8
    /// The final byte of a control sequence; 0 for a string.
    let final: UInt8

    package init(introducer: UInt8, marker: UInt8 = 0, final: UInt8 = 0) {
        self.introducer = introducer
        self.marker = marker
        self.final = final
    }

    /// - Parameters:
    ///   - begin: the first bytes of a unit of input, three at least if it has so many.
    ///   - last: its last byte.
    /// - Returns: nil if the unit is neither a control sequence nor a string.
    init?(begin: some Collection<UInt8>, last: UInt8) {
        guard let introducer = Self.introducer(begin) else { return nil }
        self.introducer = introducer
        guard introducer == UInt8(ascii: "[") else {
            (marker, final) = (0, 0)
            return
        }
        let second = begin.dropFirst(begin.first == 0x1B ? 2 : 1).first ?? 0
        marker = (0x3C...0x3F).contains(second) ? second : 0
        final = last
    }

    /// The introducer of a unit, as the byte after ESC.
    static func introducer(_ begin: some Collection<UInt8>) -> UInt8? {
        guard let first = begin.first else { return nil }
        let introducer = first == 0x1B ? begin.dropFirst().first : (0x80...0x9F).contains(first) ? first - 0x40 : nil
        return introducer.flatMap { "[]P_^X".utf8.contains($0) ? $0 : nil }
    }
}

/// The replies that a program has asked the terminal for and has not got, in the order of its questions.
///
/// A terminal replies in order. So a reply ends the wait for those before it too: the terminal does not know these questions.
package struct AwaitedReplies: Equatable, Sendable {
    private var shapes: [ReplyShape] = []

    /// The most replies that are kept. Of more, the last ones are.
    private static let most = 64

    package init() {}

    package var isEmpty: Bool { shapes.isEmpty }

    package mutating func append(_ shape: ReplyShape) {
        if shapes.count == Self.most { shapes.removeFirst() }
        shapes.append(shape)
    }

    /// Takes note that input of a shape has come.
    /// - Returns: whether it was awaited.
    @discardableResult
    package mutating func take(_ shape: ReplyShape) -> Bool {
        guard let index = shapes.firstIndex(of: shape) else { return false }
        shapes.removeFirst(index + 1)
        return true
    }

    /// Whether a string with an introducer is awaited.
    func containsString(_ introducer: UInt8) -> Bool { shapes.contains(ReplyShape(introducer: introducer)) }

    /// Whether a report of the cursor's position is awaited.
    var containsCursorReport: Bool {
        shapes.contains(ReplyShape(introducer: UInt8(ascii: "["), final: UInt8(ascii: "R")))
    }
}
