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
        guard index + 1 < parameters.count else { return nil }
        let usesColons = sequence.isSubparameter[index + 1]
        var parts: [Int] = []
        var next = index + 1
        let most = usesColons ? 6 : parameters[index + 1] == 5 ? 2 : 4
        while next < parameters.count, parts.count < most, sequence.isSubparameter[next] == usesColons {
            parts.append(max(0, parameters[next]))
            next += 1
        }
        index = next - 1
        if usesColons {
            while index + 1 < parameters.count, sequence.isSubparameter[index + 1] { index += 1 }
        }
        switch parts.first {
        case 5 where parts.count > 1: return .indexed(UInt8(truncatingIfNeeded: parts[1]))
        case 2 where parts.count > 3:
            let first = usesColons && parts.count > 4 ? 2 : 1
            let bytes = parts[first..<(first + 3)].map { UInt8(truncatingIfNeeded: $0) }
            return .direct(bytes[0], bytes[1], bytes[2])
        default: return nil
        }
    }
}
