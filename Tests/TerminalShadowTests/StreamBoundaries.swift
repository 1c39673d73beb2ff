/// The positions of a stream at which a terminal is between two sequences and two characters.
///
/// Written for the tests only, and independent of the parser that they test.
struct StreamBoundaries {
    /// For each position from 0 to the stream's length: the last boundary at or before it.
    private let last: [Int]

    init(of stream: [UInt8]) {
        var state = State.ground, last = [0]
        last.reserveCapacity(stream.count + 1)
        for (index, byte) in stream.enumerated() {
            state = state.next(byte)
            last.append(state == .ground ? index + 1 : last[index])
        }
        self.last = last
    }

    func boundary(atOrBefore position: Int) -> Int { last[position] }

    func boundary(after position: Int) -> Int {
        (position + 1..<last.count).first { last[$0] == $0 } ?? last.count - 1
    }

    private enum State: Equatable {
        case ground
        /// Inside a UTF-8 character that lacks some bytes.
        case character(missing: Int)
        case escape, intermediate, control
        /// Inside a control string: OSC, DCS, APC, PM or SOS.
        case string(isCommand: Bool)
        case stringEscape(isCommand: Bool)

        func next(_ byte: UInt8) -> State {
            switch (self, byte) {
            case (.character(let missing), 0x80...0xBF): missing == 1 ? .ground : .character(missing: missing - 1)
            case (.ground, _), (.character, _): Self.begin(byte)
            case (_, 0x18), (_, 0x1A): .ground
            case (.string(let isCommand), 0x1B): .stringEscape(isCommand: isCommand)
            case (.string(isCommand: true), 0x07): .ground
            case (.string, _): self
            case (.stringEscape, UInt8(ascii: "\\")): .ground
            case (.stringEscape, _): State.escape.next(byte)
            case (_, 0x1B): .escape
            case (_, 0x00...0x1F): self
            case (.escape, UInt8(ascii: "[")): .control
            case (.escape, UInt8(ascii: "]")): .string(isCommand: true)
            case (.escape, UInt8(ascii: "P")), (.escape, UInt8(ascii: "_")), (.escape, UInt8(ascii: "^")),
                (.escape, UInt8(ascii: "X")):
                .string(isCommand: false)
            case (.escape, 0x20...0x2F), (.intermediate, 0x20...0x2F): .intermediate
            case (.control, 0x20...0x3F): .control
            default: .ground
            }
        }

        private static func begin(_ byte: UInt8) -> State {
            switch byte {
            case 0x1B: .escape
            case 0xC2...0xDF: .character(missing: 1)
            case 0xE0...0xEF: .character(missing: 2)
            case 0xF0...0xF4: .character(missing: 3)
            default: .ground
            }
        }
    }
}
