/// Sequences with an effect outside the screen, such as titles and notifications, in the order in which they came.
struct OutsideEffects: Sendable {
    private typealias Entry = (number: Int, bytes: [UInt8])

    /// Sequences of which only the last one of their kind counts, by kind.
    private var replaceable: [[UInt8]: Entry] = [:]
    private var others: [Entry] = []
    private var nextNumber = 0
    private var count = 0

    /// The bytes that are kept, except for a single sequence that is longer.
    static let limit = 1 << 20

    var isEmpty: Bool { replaceable.isEmpty && others.isEmpty }

    /// All sequences, in order.
    var bytes: [UInt8] {
        (replaceable.values + others).sorted { $0.number < $1.number }.flatMap(\.bytes)
    }

    /// Adds a sequence. If there are too many, older ones are dropped.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        let entry: Entry = (nextNumber, Array(bytes))
        nextNumber += 1
        count += bytes.count
        if let kind = Self.kind(of: bytes) {
            count -= replaceable.updateValue(entry, forKey: kind)?.bytes.count ?? 0
        } else {
            others.append(entry)
        }
        while count > Self.limit, replaceable.count + others.count > 1 { drop(before: entry.number) }
    }

    /// Drops half of the sequences that no later one replaces, or else the oldest one of all.
    private mutating func drop(before newest: Int) {
        let dropped = (others.count { $0.number < newest } + 1) / 2
        if dropped > 0 {
            count -= others.prefix(dropped).reduce(0) { $0 + $1.bytes.count }
            others.removeFirst(dropped)
        } else if let oldest = replaceable.min(by: { $0.value.number < $1.value.number }) {
            replaceable[oldest.key] = nil
            count -= oldest.value.bytes.count
        }
    }

    /// What a sequence that replaces an earlier one of its kind has in common with it, such as the number of an operating system
    /// command: titles, the folder, colours of text, background and cursor, the clipboard.
    private static func kind(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard bytes.count > 2 else { return nil }
        // A title of tmux or GNU screen.
        if bytes[1] == UInt8(ascii: "k") { return [bytes[1]] }
        guard bytes[1] == UInt8(ascii: "]") else { return nil }
        let number = bytes.dropFirst(2).prefix { (0x30...0x39).contains($0) }
        let replacing = ["0", "1", "2", "7", "10", "11", "12", "52", "110", "111", "112"]
        guard replacing.contains(where: { number.elementsEqual($0.utf8) }) else { return nil }
        return Array(number)
    }
}
