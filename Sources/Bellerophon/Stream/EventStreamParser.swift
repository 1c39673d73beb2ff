public import Foundation

/// Reads Server-Sent Events from bytes that come in any chunks. A pure value; a cut stream is simply dropped with it.
///
/// Source of the rules: the WHATWG HTML standard, section 9.2, "Server-sent events": one leading byte order mark, lines
/// that end with CR, LF or CRLF, fields `event`, `data`, `id` and `retry`, and everything else ignored. An event that no
/// blank line has ended is never told of. Beyond the standard, lines and events are bounded, so that no server can fill
/// the memory, and fields that are asked for by name are kept.
public struct EventStreamParser: Equatable, Sendable {
    /// What a stream says.
    public enum Item: Equatable, Sendable {
        case event(Event)
        /// A line that begins with a colon: servers send one to show that they are still there.
        case comment
        /// The server's wish for the wait before a reconnection. Digits only, as milliseconds.
        case retry(Duration)
    }

    /// One whole event.
    public struct Event: Equatable, Sendable {
        /// The `event` field; `message` where there was none.
        public var name: String
        /// The `data` lines, joined by newlines, as they came: no text is mended here.
        public var data: Data
        /// The last `id` of the stream so far, this event's included; empty where there was none.
        public var lastEventID: String
        /// Those of the fields asked for that the event had. A repeated one has its values joined by ", ", as in HTTP.
        public var fields: [String: String]

        public init(name: String = "message", data: Data, lastEventID: String = "", fields: [String: String] = [:]) {
            self.name = name
            self.data = data
            self.lastEventID = lastEventID
            self.fields = fields
        }
    }

    /// Why a stream is given up.
    public enum Problem: Error, Equatable, Sendable {
        case lineTooLong(limit: Int)
        case eventTooLarge(limit: Int)
    }

    /// The most bytes of a line, and of an event's name, data, id and kept fields together. Default: 256 KiB.
    public let limit: Int
    /// The most bytes of an event's name.
    public static let nameLimit = 1024
    /// Fields beside the standard's that are kept.
    public let keptFields: Set<String>
    /// The `id` of the last event that has ended, for `Last-Event-ID`.
    public private(set) var lastEventID = ""

    private var line: [UInt8] = []
    private var isFirstLine = true
    /// The last byte was a CR: a LF that follows belongs to it.
    private var endedWithReturn = false
    private var name = ""
    /// Every data line with a newline after it.
    private var data = Data()
    private var id = ""
    private var fields: [String: String] = [:]
    private var problem: Problem?

    public init(keeping keptFields: Set<String> = [], limit: Int = 256 << 10) {
        self.keptFields = keptFields
        self.limit = limit
    }

    /// Takes the next bytes.
    /// - Returns: what they complete, in order.
    /// - Throws: where a bound is passed. The stream can't be read any further: later calls throw the same.
    public mutating func consume(_ bytes: [UInt8]) throws(Problem) -> [Item] {
        if let problem { throw problem }
        var items: [Item] = []
        var start = bytes.startIndex
        if endedWithReturn, let first = bytes.first {
            endedWithReturn = false
            if first == Self.lineFeed { start += 1 }
        }
        while start < bytes.endIndex {
            let end = Self.lineEnd(in: bytes, from: start)
            try append(bytes[start..<end])
            guard end < bytes.endIndex else { return items }
            start = end + 1
            if bytes[end] == Self.carriageReturn {
                if start == bytes.endIndex { endedWithReturn = true } else if bytes[start] == Self.lineFeed { start += 1 }
            }
            if let item = try endLine() { items.append(item) }
        }
        return items
    }

    // MARK: Lines

    private static let lineFeed: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D
    private static let colon: UInt8 = 0x3A
    private static let space: UInt8 = 0x20

    private static func lineEnd(in bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.endIndex, bytes[index] != lineFeed, bytes[index] != carriageReturn { index += 1 }
        return index
    }

    private mutating func append(_ part: ArraySlice<UInt8>) throws(Problem) {
        guard line.count + part.count <= limit else { throw giveUp(.lineTooLong(limit: limit)) }
        line += part
    }

    private mutating func giveUp(_ problem: Problem) -> Problem {
        self = EventStreamParser(keeping: keptFields, limit: limit)
        self.problem = problem
        return problem
    }

    private mutating func endLine() throws(Problem) -> Item? {
        var whole = line[...]
        line.removeAll(keepingCapacity: line.count < 4096)
        if isFirstLine, whole.starts(with: [0xEF, 0xBB, 0xBF]) { whole = whole.dropFirst(3) }
        isFirstLine = false
        if whole.isEmpty { return endEvent().map { .event($0) } }
        if whole.first == Self.colon { return .comment }
        let nameEnd = whole.firstIndex(of: Self.colon) ?? whole.endIndex
        var value = whole[nameEnd...].dropFirst()
        if value.first == Self.space { value = value.dropFirst() }
        return try take(field: String(decoding: whole[..<nameEnd], as: UTF8.self), value)
    }

    // MARK: Fields

    private mutating func take(field: String, _ value: ArraySlice<UInt8>) throws(Problem) -> Item? {
        switch field {
        case "event":
            guard value.count <= Self.nameLimit else { throw giveUp(.eventTooLarge(limit: Self.nameLimit)) }
            name = String(decoding: value, as: UTF8.self)
        case "data":
            data += value
            data.append(Self.lineFeed)
        case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        case "retry": return Self.milliseconds(value).map { .retry($0) }
        default: if keptFields.contains(field) { keep(String(decoding: value, as: UTF8.self), of: field) }
        }
        guard size <= limit else { throw giveUp(.eventTooLarge(limit: limit)) }
        return nil
    }

    private mutating func keep(_ value: String, of field: String) {
        if fields[field]?.append(", \(value)") == nil { fields[field] = value }
    }

    /// The event's bytes so far.
    private var size: Int {
        fields.reduce(name.utf8.count + data.count + id.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }

    /// More digits than nine are more than eleven days, and count as that.
    private static func milliseconds(_ value: ArraySlice<UInt8>) -> Duration? {
        guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let digits = value.drop { $0 == 0x30 }
        if digits.count > 9 { return .milliseconds(999_999_999) }
        return .milliseconds(digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }

    /// A blank line: the event is whole. Without data there is none, but its id counts.
    private mutating func endEvent() -> Event? {
        lastEventID = id
        defer {
            name = ""
            data = Data()
            fields = [:]
        }
        guard !data.isEmpty else { return nil }
        return Event(name: name.isEmpty ? "message" : name, data: data.dropLast(), lastEventID: id, fields: fields)
    }
}
