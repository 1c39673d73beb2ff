/// What a Unicode scalar does on a terminal.
enum WidthTable {
    enum Kind: UInt32 {
        /// Takes one column.
        case narrow
        /// Takes two columns.
        case wide
        /// Is drawn into the cell before it.
        case mark
        /// Takes no cell and is not drawn: controls, joiners, variation selectors, fillers.
        case dropped
        /// Unassigned or no character: what a terminal does with it is unknown.
        case unknown
    }

    /// The kind of a scalar, by binary search; plain ASCII is answered at once.
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
    /// Whether an emoji sequence can begin with or go on through a joiner to this scalar.
    ///
    /// Digits and signs are emoji by their property too, but never join; flags and skin tones are parts, not bases.
    var isEmojiBase: Bool {
        value > 0xA8 && properties.isEmoji && !isRegionalIndicator && !isEmojiModifier
    }

    /// The five skin tones.
    var isEmojiModifier: Bool { (0x1F3FB...0x1F3FF).contains(value) }

    var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
}
