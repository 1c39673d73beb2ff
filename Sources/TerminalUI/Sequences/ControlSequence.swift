/// The parts of a control sequence (ECMA-48, section 5.4): `ESC [ ? 1 ; 2 $ p`.
package struct ControlSequence: Equatable, Sendable {
    /// The private marker, one of `<=>?`; 0 for none.
    package private(set) var marker: UInt8 = 0
    /// The first intermediate byte; 0 for none.
    package private(set) var intermediate: UInt8 = 0
    /// The final byte.
    package private(set) var final: UInt8 = 0
    /// The parameters with their subparameters; -1 for an omitted one.
    package private(set) var parameters: [Int] = []
    /// For each parameter, whether a colon is before it: it belongs to the one before.
    package private(set) var isSubparameter: [Bool] = []
    /// C0 controls inside the sequence. Terminals act on them before the sequence.
    package private(set) var controls: [UInt8] = []

    /// The most parameters that are read; further ones are ignored. xterm reads 30.
    package static let limit = 32
    /// The bound of a parameter's value, above all code points.
    package static let largest = 9_999_999

    /// A sequence for ``read(_:)``.
    package init() {}

    /// - Parameter body: the bytes after the introducer. nil if they are no whole sequence, or not only one.
    package init?(_ body: ArraySlice<UInt8>) {
        guard let last = body.last, (0x40...0x7E).contains(last), body.dropLast().allSatisfy({ (0x20...0x3F).contains($0) })
        else { return nil }
        body.withUnsafeBufferPointer { read(body: $0) }
    }

    /// Reads a complete sequence, which begins with Escape. The storage is used again.
    package mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        marker = 0
        intermediate = 0
        parameters.removeAll(keepingCapacity: true)
        isSubparameter.removeAll(keepingCapacity: true)
        if !controls.isEmpty { controls.removeAll() }
        var start = 1
        // Controls may be between ESC and the bracket, as everywhere in the sequence.
        while bytes[start] != 0x5B {
            if bytes[start] < 0x20 { controls.append(bytes[start]) }
            start += 1
        }
        read(body: UnsafeBufferPointer(rebasing: bytes[(start + 1)...]))
    }

    private mutating func read(body: UnsafeBufferPointer<UInt8>) {
        var number = -1
        var belongsToFormer = false
        for byte in body.dropLast() {
            switch byte {
            case 0x30...0x39: number = min(max(number, 0) * 10 + Int(byte - 0x30), Self.largest)
            case 0x3A, 0x3B:
                add(number, belongsToFormer)
                number = -1
                belongsToFormer = byte == 0x3A
            case 0x3C...0x3F: if marker == 0 { marker = byte }
            case 0x20...0x2F: if intermediate == 0 { intermediate = byte }
            case ..<0x20: controls.append(byte)
            default: break
            }
        }
        if number >= 0 || !parameters.isEmpty { add(number, belongsToFormer) }
        final = body[body.count - 1]
    }

    private mutating func add(_ number: Int, _ belongsToFormer: Bool) {
        guard parameters.count < Self.limit else { return }
        parameters.append(number)
        isSubparameter.append(belongsToFormer)
    }

    // MARK: Parameters in a row, whether or not one belongs to another

    /// A parameter, or the default if it is omitted or zero.
    @inlinable
    package func count(_ index: Int, default standard: Int = 1) -> Int {
        index < parameters.count && parameters[index] > 0 ? parameters[index] : standard
    }

    /// A parameter, or 0 if it is omitted.
    @inlinable
    package func value(_ index: Int) -> Int { index < parameters.count ? max(0, parameters[index]) : 0 }

    // MARK: Parameters with their subparameters

    /// The number of parameters without subparameters; 0 if nothing stands before the final byte.
    package var parameterCount: Int { isSubparameter.count { !$0 } }

    /// The values of a parameter and its subparameters; nil for an omitted one.
    /// - Parameter index: the number of the parameter, from 0.
    package func group(_ index: Int) -> [Int?] {
        let starts = isSubparameter.indices.filter { !isSubparameter[$0] || $0 == 0 }
        guard starts.indices.contains(index) else { return [] }
        let end = index + 1 < starts.count ? starts[index + 1] : parameters.count
        return parameters[starts[index]..<end].map { $0 < 0 ? nil : $0 }
    }

    /// The value of a parameter, or of one of its subparameters.
    /// - Parameters:
    ///   - index: the number of the parameter, from 0.
    ///   - sub: the number of the subparameter; 0 is the parameter itself.
    package subscript(_ index: Int, sub: Int = 0) -> Int? {
        let group = group(index)
        return group.indices.contains(sub) ? group[sub] : nil
    }
}
