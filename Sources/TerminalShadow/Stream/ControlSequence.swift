/// The parts of a control sequence: `ESC [ ? 1 ; 2 $ p`.
struct ControlSequence: Sendable {
    /// The private marker, one of `<=>?`; 0 for none.
    private(set) var marker: UInt8 = 0
    /// The first intermediate byte; 0 for none.
    private(set) var intermediate: UInt8 = 0
    /// The final byte.
    private(set) var final: UInt8 = 0
    /// The parameters; -1 for an omitted one.
    private(set) var parameters: [Int] = []
    /// For each parameter, whether a colon is before it: it belongs to the one before.
    private(set) var isSubparameter: [Bool] = []
    /// C0 controls inside the sequence. Terminals act on them before the sequence.
    private(set) var controls: [UInt8] = []

    /// The most parameters that are read; further ones are ignored. xterm reads 30.
    private static let limit = 32
    private static let largest = 1 << 20

    /// Reads a complete sequence. The storage is used again.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        marker = 0
        intermediate = 0
        parameters.removeAll(keepingCapacity: true)
        isSubparameter.removeAll(keepingCapacity: true)
        if !controls.isEmpty { controls.removeAll() }
        var number = -1
        var belongsToFormer = false
        var start = 1
        // Controls may be between ESC and the bracket, as everywhere in the sequence.
        while bytes[start] != 0x5B {
            if bytes[start] < 0x20 { controls.append(bytes[start]) }
            start += 1
        }
        for byte in bytes[(start + 1)...].dropLast() {
            switch byte {
            case 0x30...0x39: number = min(max(number, 0) * 10 + Int(byte - 0x30), Self.largest)
            case 0x3A, 0x3B:
                add(number, belongsToFormer)
                number = -1
                belongsToFormer = byte == 0x3A
            case 0x3C...0x3F: marker = byte
            case 0x20...0x2F: if intermediate == 0 { intermediate = byte }
            case ..<0x20: controls.append(byte)
            default: break
            }
        }
        if number >= 0 || !parameters.isEmpty { add(number, belongsToFormer) }
        final = bytes[bytes.count - 1]
    }

    private mutating func add(_ number: Int, _ belongsToFormer: Bool) {
        guard parameters.count < Self.limit else { return }
        parameters.append(number)
        isSubparameter.append(belongsToFormer)
    }

    /// A parameter, or the default if it is omitted or zero.
    func count(_ index: Int, default standard: Int = 1) -> Int {
        index < parameters.count && parameters[index] > 0 ? parameters[index] : standard
    }

    /// A parameter, or 0 if it is omitted.
    func value(_ index: Int) -> Int { index < parameters.count ? max(0, parameters[index]) : 0 }
}
