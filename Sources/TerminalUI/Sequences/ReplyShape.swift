/// What tells a reply of a terminal from other input: how it begins and ends.
package struct ReplyShape: Equatable, Sendable {
    /// The byte after ESC: `[` for a control sequence; `]`, `P` or `_` for a string.
    package let introducer: UInt8
    /// The private marker of a control sequence; 0 for none.
    package let marker: UInt8
    /// The final byte of a control sequence; 0 for a string.
    package let final: UInt8

    package init(introducer: UInt8, marker: UInt8 = 0, final: UInt8 = 0) {
        self.introducer = introducer
        self.marker = marker
        self.final = final
    }

    /// - Parameters:
    ///   - begin: the first bytes of a unit of input, three at least if it has so many.
    ///   - last: its last byte.
    /// - Returns: nil if the unit is neither a control sequence nor a string.
    package init?(begin: some Collection<UInt8>, last: UInt8) {
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
    package static func introducer(_ begin: some Collection<UInt8>) -> UInt8? {
        guard let first = begin.first else { return nil }
        let introducer = first == 0x1B ? begin.dropFirst().first : (0x80...0x9F).contains(first) ? first - 0x40 : nil
        return introducer.flatMap { "[]P_^X".utf8.contains($0) ? $0 : nil }
    }
}
