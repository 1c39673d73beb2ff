/// The behaviour of Unicode scalars on a terminal.
enum WidthTable {
    enum Kind: UInt32 {
        /// Takes one column.
        case narrow
        /// Takes two columns.
        case wide
        /// Is drawn into the preceding cell.
        case mark
        /// Takes no cell and is not drawn: controls, joiners, variation selectors, fillers.
        case dropped
        /// Unassigned or a noncharacter: terminals differ.
        case unknown
    }

    /// The kind of a scalar, by binary search; printable ASCII needs no search.
    static func kind(of scalar: Unicode.Scalar) -> Kind {
        if (0x20..<0x7F).contains(scalar.value) { return .narrow }
        var low = 0, high = runs.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if runs[middle] >> 3 <= scalar.value { low = middle } else { high = middle }
        }
        return Kind(rawValue: runs[low] & 7) ?? .unknown
    }
}

extension Unicode.Scalar {
    /// Whether an emoji sequence can begin with this scalar or continue with it after a joiner.
    ///
    /// Digits and signs have the emoji property but never join; flags and skin tones are parts, not bases.
    var isEmojiBase: Bool {
        value > 0xA8 && properties.isEmoji && !isRegionalIndicator && !isEmojiModifier
    }

    /// Whether the scalar is one of the five skin tones.
    var isEmojiModifier: Bool { (0x1F3FB...0x1F3FF).contains(value) }

    var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
}
