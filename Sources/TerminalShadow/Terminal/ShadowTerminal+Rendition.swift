internal import TerminalUI

extension ShadowTerminal {
    /// SGR. A link stays: only OSC 8 changes it.
    mutating func selectRendition(_ sequence: ControlSequence) {
        let parameters = sequence.parameters
        if parameters.isEmpty { resetPen() }
        var index = 0
        while index < parameters.count {
            defer { index += 1 }
            guard !sequence.isSubparameter[index] else { continue }
            let value = max(0, parameters[index])
            switch value {
            case 0: resetPen()
            case 4:
                let hasStyle = index + 1 < parameters.count && sequence.isSubparameter[index + 1]
                pen.attributes.underline = hasStyle ? min(max(0, parameters[index + 1]), 5) : 1
            case 38: pen.foreground = color(sequence, &index) ?? pen.foreground
            case 48: pen.background = color(sequence, &index) ?? pen.background
            case 58: pen.underlineColor = color(sequence, &index) ?? pen.underlineColor
            default: select(value)
            }
        }
    }

    private mutating func resetPen() {
        let link = pen.link
        pen = ShadowPen()
        pen.link = link
    }

    private mutating func select(_ value: Int) {
        switch value {
        case 1: pen.attributes.insert(.bold)
        case 2: pen.attributes.insert(.dim)
        case 3: pen.attributes.insert(.italic)
        case 5, 6: pen.attributes.insert(.blink)
        case 7: pen.attributes.insert(.reverse)
        case 8: pen.attributes.insert(.concealed)
        case 9: pen.attributes.insert(.struckOut)
        case 21: pen.attributes.underline = 2
        case 22: pen.attributes.subtract([.bold, .dim])
        case 23: pen.attributes.remove(.italic)
        case 24: pen.attributes.underline = 0
        case 25: pen.attributes.remove(.blink)
        case 27: pen.attributes.remove(.reverse)
        case 28: pen.attributes.remove(.concealed)
        case 29: pen.attributes.remove(.struckOut)
        case 30...37: pen.foreground = .indexed(UInt8(value - 30))
        case 39: pen.foreground = .standard
        case 40...47: pen.background = .indexed(UInt8(value - 40))
        case 49: pen.background = .standard
        case 53: pen.attributes.insert(.overlined)
        case 55: pen.attributes.remove(.overlined)
        case 59: pen.underlineColor = .standard
        case 90...97: pen.foreground = .indexed(UInt8(value - 82))
        case 100...107: pen.background = .indexed(UInt8(value - 92))
        default: break
        }
    }

    /// The colour after 38, 48 or 58, in each of its forms: `5;n`, `5:n`, `2;r;g;b`, `2:r:g:b`, `2:space:r:g:b`.
    /// Moves the index to its last parameter. Nil if it is incomplete.
    private func color(_ sequence: ControlSequence, _ index: inout Int) -> ShadowColor? {
        let parameters = sequence.parameters
        let first = index + 1
        guard first < parameters.count else { return nil }
        let usesColons = sequence.isSubparameter[first]
        let most = usesColons ? 6 : parameters[first] == 5 ? 2 : 4
        var end = first + 1
        while end < parameters.count, end - first < most, sequence.isSubparameter[end] == usesColons { end += 1 }
        index = end - 1
        if usesColons {
            while index + 1 < parameters.count, sequence.isSubparameter[index + 1] { index += 1 }
        }
        let component = { UInt8(truncatingIfNeeded: max(0, parameters[first + $0])) }
        switch (parameters[first], end - first) {
        case (5, 2...): return .indexed(component(1))
        case (2, 5...) where usesColons: return .direct(component(2), component(3), component(4))
        case (2, 4...): return .direct(component(1), component(2), component(3))
        default: return nil
        }
    }
}
