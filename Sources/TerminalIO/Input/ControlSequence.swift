/// A control sequence that a terminal sent (ECMA-48, section 5.4), taken apart.
struct ControlSequence: Equatable, Sendable {
    /// The private marker: one of `<`, `=`, `>` and `?`.
    private(set) var marker: UInt8?
    private(set) var intermediates: [UInt8] = []
    private(set) var final: UInt8
    /// The parameters with their subparameters, which colons separate; nil for one that was left out.
    private var parameters: [[Int?]] = [[nil]]

    /// More parameters and subparameters than this are dropped. No sequence of a terminal has so many.
    private static let mostNumbers = 32
    /// The bound of a parameter's value, above all code points.
    static let highest = 9_999_999

    /// - Parameter body: the bytes after the introducer. nil without a final byte.
    init?(_ body: ArraySlice<UInt8>) {
        guard let last = body.last, (0x40...0x7E).contains(last) else { return nil }
        final = last
        for byte in body.dropLast() {
            switch byte {
            case 0x30...0x39: appendDigit(Int(byte) - 0x30)
            case UInt8(ascii: ":"): if parameters[parameters.count - 1].count < Self.mostNumbers { appendSubparameter() }
            case UInt8(ascii: ";"): if parameters.count < Self.mostNumbers { parameters.append([nil]) }
            case 0x3C...0x3F: if marker == nil { marker = byte }
            case 0x20...0x2F: if intermediates.count < 4 { intermediates.append(byte) }
            default: return nil
            }
        }
    }

    private mutating func appendDigit(_ digit: Int) {
        let last = parameters.count - 1, place = parameters[last].count - 1
        parameters[last][place] = min((parameters[last][place] ?? 0) * 10 + digit, Self.highest)
    }

    private mutating func appendSubparameter() {
        parameters[parameters.count - 1].append(nil)
    }

    /// The number of parameters; 0 if nothing stands before the final byte.
    var count: Int { parameters == [[nil]] ? 0 : parameters.count }

    /// A parameter's value.
    /// - Parameters:
    ///   - index: from 0.
    ///   - sub: the subparameter; 0 is the parameter itself.
    subscript(_ index: Int, sub: Int = 0) -> Int? {
        guard parameters.indices.contains(index), parameters[index].indices.contains(sub) else { return nil }
        return parameters[index][sub]
    }

    /// The values of a parameter and its subparameters that were not left out.
    func values(_ index: Int) -> [Int] {
        parameters.indices.contains(index) ? parameters[index].compactMap(\.self) : []
    }
}
