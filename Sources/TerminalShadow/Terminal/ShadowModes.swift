/// The private modes (DECSET) that a program has set or reset, in the order of their first use.
package struct ShadowModes: Equatable, Sendable {
    private var entries: [Entry] = []
    /// The values that XTSAVE has stored.
    private var saved: [Entry] = []
    /// Whether there were more modes than are kept.
    private(set) var isIncomplete = false

    private struct Entry: Equatable, Sendable {
        var mode: Int
        var isOn: Bool
    }

    /// The most modes that are kept. Terminals know about fifty.
    private static let limit = 96

    /// Kinds of mouse reports. They are one setting with four names: setting one replaces the others.
    static let mouseReports = [9, 1000, 1002, 1003]

    /// Modes that are on in a terminal that was not changed: auto-wrap and the visible cursor.
    static func isOnByDefault(_ mode: Int) -> Bool { mode == 7 || mode == 25 }

    /// Whether a mode is on.
    subscript(mode: Int) -> Bool {
        entries.first { $0.mode == mode }?.isOn ?? Self.isOnByDefault(mode)
    }

    /// Whether the program has set or reset a mode.
    func isKnown(_ mode: Int) -> Bool { entries.contains { $0.mode == mode } }

    mutating func set(_ mode: Int, to isOn: Bool) {
        if Self.mouseReports.contains(mode) {
            for index in entries.indices where Self.mouseReports.contains(entries[index].mode) { entries[index].isOn = false }
        }
        Self.store(Entry(mode: mode, isOn: isOn), in: &entries, isIncomplete: &isIncomplete)
    }

    private static func store(_ entry: Entry, in list: inout [Entry], isIncomplete: inout Bool) {
        if let index = list.firstIndex(where: { $0.mode == entry.mode }) {
            list[index].isOn = entry.isOn
        } else if list.count < limit {
            list.append(entry)
        } else {
            isIncomplete = true
        }
    }

    mutating func save(_ mode: Int, isOn: Bool) {
        Self.store(Entry(mode: mode, isOn: isOn), in: &saved, isIncomplete: &isIncomplete)
    }

    /// The value that was saved for a mode; nil if none was.
    func savedValue(_ mode: Int) -> Bool? { saved.first { $0.mode == mode }?.isOn }

    /// Gives every mode its value in a terminal that was not changed. The modes stay known: a terminal that has not seen the
    /// reset must be told them.
    mutating func reset() {
        // Whether a cursor blinks that was not changed is not known.
        entries.removeAll { $0.mode == 12 }
        for index in entries.indices { entries[index].isOn = Self.isOnByDefault(entries[index].mode) }
    }

    /// The modes with their values. Those that are on come last, because some terminals take two modes as one setting with two
    /// names, such as the kinds and the encodings of mouse reports: turning one off turns off the other.
    var inOrder: [(mode: Int, isOn: Bool)] {
        (entries.filter { !$0.isOn } + entries.filter(\.isOn)).map { ($0.mode, $0.isOn) }
    }
}

/// The progressive enhancements of the keyboard that a program has requested, one stack per screen
/// (https://sw.kovidgoyal.net/kitty/keyboard-protocol/).
package struct KeyboardFlags: Equatable, Sendable {
    /// All flags, from the bottom of the stack to the top.
    private(set) var levels = [0]

    /// The flags in effect.
    var top: Int { levels[levels.count - 1] }

    /// The depth that terminals keep at least.
    static let depth = 16
    /// The flags that are kept. The protocol defines five.
    private static let mask = 0xFFFF

    mutating func push(_ flags: Int) {
        if levels.count == Self.depth { levels.removeFirst() }
        levels.append(flags & Self.mask)
    }

    mutating func pop(_ count: Int) {
        levels.removeLast(min(count, levels.count))
        if levels.isEmpty { levels = [0] }
    }

    /// - Parameter how: 1 replaces the flags, 2 adds to them, 3 removes from them.
    mutating func set(_ flags: Int, how: Int) {
        let index = levels.count - 1, flags = flags & Self.mask
        switch how {
        case 2: levels[index] |= flags
        case 3: levels[index] &= ~flags
        default: levels[index] = flags
        }
    }
}

/// The character sets G0 to G3, and which of them is in use.
package struct ShadowCharsets: Equatable, Sendable {
    /// The final bytes of the designations; a second byte is in the upper half.
    var designations: [UInt16] = Array(repeating: UInt16(UInt8(ascii: "B")), count: 4)
    /// The set in use, 0 to 3.
    var active = 0
    /// The set for the next character only.
    var single: Int?

    /// Whether ASCII is drawn as it is.
    var isPlain: Bool { single == nil && designations[active] != 0x30 && designations[active] != 0x41 }

    /// The cell content for an ASCII byte in the set in use: a character of DEC's special graphics is marked as one, because
    /// terminals draw these in different ways.
    /// - Parameter graphicBytes: the bytes that stand for graphics.
    mutating func content(of byte: UInt8, graphicBytes: ClosedRange<UInt8>) -> UInt32 {
        let set = single ?? active
        single = nil
        let isGraphic = designations[set] == 0x30 && graphicBytes.contains(byte)
        // The British set has a pound sign in place of the number sign.
        if designations[set] == 0x41, byte == 0x23 { return 0xA3 }
        return isGraphic ? Self.graphics | UInt32(byte) : UInt32(byte)
    }

    /// Marks the content of a cell as a character of DEC's special graphics.
    static let graphics: UInt32 = 1 << 31
}

/// What DECSC saves. The default is what DECRC restores where nothing was saved.
struct SavedCursor: Equatable, Sendable {
    var column = 0
    var row = 0
    /// The character that was written last, if the next one goes to the next line.
    var pendingWrap: ShadowCell?
    var isOriginRelative = false
    var pen = ShadowPen()
    var charsets = ShadowCharsets()
}

/// The addresses of hyperlinks, by number. A cell holds a number.
struct ShadowLinks: Equatable, Sendable {
    /// The part of OSC 8 after its number: parameters, a semicolon, and the address.
    private var entries: [[UInt8]] = [[]]
    private var numbers: [[UInt8]: UInt16] = [:]

    static let limit = 1024

    subscript(number: UInt16) -> [UInt8] { Int(number) < entries.count ? entries[Int(number)] : [] }

    /// The number of a link; nil if the table is full.
    mutating func number(of link: [UInt8]) -> UInt16? {
        if let number = numbers[link] { return number }
        guard entries.count < Self.limit else { return nil }
        entries.append(link)
        numbers[link] = UInt16(entries.count - 1)
        return UInt16(entries.count - 1)
    }

    /// Removes the links that are not in use. Returns the new number of each old one.
    mutating func compact(keeping used: Set<UInt16>) -> [UInt16: UInt16] {
        var compacted = ShadowLinks()
        var renumbered: [UInt16: UInt16] = [:]
        for number in used.sorted() where number != 0 { renumbered[number] = compacted.number(of: self[number]) }
        self = compacted
        return renumbered
    }
}
