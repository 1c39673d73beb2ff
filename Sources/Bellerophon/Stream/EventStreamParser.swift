import Foundation

/// Parses Server-Sent Events from chunks of any size. A pure value.
///
/// The rules are those of the WHATWG HTML standard, section 9.2, "Server-sent events": one leading byte order mark, lines
/// that end with CR, LF or CRLF, fields `event`, `data`, `id` and `retry`; everything else is ignored. An event is
/// reported only after its closing blank line. In addition, lines and events are limited, so that a server cannot exhaust
/// the memory, and the field `published` is kept.
package struct EventStreamParser: Equatable, Sendable {
    /// An element of a stream.
    package enum Item: Equatable, Sendable {
        /// A complete event.
        case event(Event)
        /// A line that begins with a colon; servers send comments as heartbeats.
        case comment
        /// The wait before a reconnection that the server requests. Digits only, in milliseconds.
        case retry(Duration)
    }

    /// One complete event.
    package struct Event: Equatable, Sendable {
        /// The `event` field; `message` if absent.
        package var name: String
        /// The `data` lines as received, joined by newlines.
        package var data: Data
        /// The last `id` of the stream so far, including this event's; empty if there was none.
        package var lastEventID: String
        /// The event's field `published`; nil if absent. Values of a repeated field are joined by ", ", as in HTTP.
        package var published: String?
    }

    /// Why a stream cannot be read further.
    package struct ParseError: Error, Equatable, Sendable {
        /// The limit that a line or an event exceeds, in bytes.
        let limit: Int
    }

    /// The most bytes of a line, and of an event's name, data, id and date together. Default: 256 KiB.
    private let limit: Int
    /// The most bytes of an event's name.
    package static let nameLimit = 1024
    /// The `id` of the last completed event, for `Last-Event-ID`.
    package private(set) var lastEventID = ""

    /// The bytes so far that belong to no event: comments, fields without a meaning, and events without data.
    var idleBytes: Int { ignoredBytes + pendingBytes }

    /// The beginning of a line whose end has not come.
    private var line: [UInt8] = []
    private var ignoredBytes = 0
    /// The bytes of the fields of the present event, which are ignored if it turns out to have no data.
    private var pendingBytes = 0
    private var isFirstLine = true
    /// Whether the last byte was a CR; a LF that follows belongs to it.
    private var endedWithReturn = false
    private var name = ""
    /// All data lines, each followed by a newline.
    private var data = Data()
    private var id = ""
    private var published: String?
    private var problem: ParseError?

    /// Creates a parser.
    /// - Parameter limit: the most bytes of a line or an event.
    package init(limit: Int = 256 << 10) { self.limit = limit }

    /// Parses the next bytes.
    /// - Returns: the items that they complete, in order.
    /// - Throws: if a limit is exceeded. The stream cannot be read further: later calls throw the same error.
    package mutating func consume(_ bytes: [UInt8]) throws(ParseError) -> [Item] {
        if let problem { throw problem }
        var items: [Item] = []
        var start = bytes.startIndex
        if endedWithReturn, let first = bytes.first {
            endedWithReturn = false
            if first == Self.lineFeed { start += 1 }
        }
        while start < bytes.endIndex {
            let end = Self.lineEnd(in: bytes, from: start)
            let part = bytes[start..<end]
            guard line.count + part.count <= limit else { throw giveUp(limit) }
            guard end < bytes.endIndex else {
                line += part
                return items
            }
            start = end + 1
            if bytes[end] == Self.carriageReturn {
                if start == bytes.endIndex { endedWithReturn = true } else if bytes[start] == Self.lineFeed { start += 1 }
            }
            if let item = try parse(line: takeLine(endingIn: part)) { items.append(item) }
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

    /// A line that is now complete. A line within one chunk is not copied.
    private mutating func takeLine(endingIn part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard !line.isEmpty else { return part }
        defer { line = [] }
        return line + part
    }

    private mutating func giveUp(_ exceeded: Int) -> ParseError {
        let problem = ParseError(limit: exceeded)
        self = EventStreamParser(limit: limit)
        self.problem = problem
        return problem
    }

    private mutating func parse(line: ArraySlice<UInt8>) throws(ParseError) -> Item? {
        var whole = line
        if isFirstLine, whole.starts(with: [0xEF, 0xBB, 0xBF]) { whole = whole.dropFirst(3) }
        isFirstLine = false
        if whole.first == Self.colon {
            ignoredBytes += line.count + 1
            return .comment
        }
        pendingBytes += line.count + 1
        if whole.isEmpty { return endEvent().map { .event($0) } }
        let nameEnd = whole.firstIndex(of: Self.colon) ?? whole.endIndex
        var value = whole[nameEnd...].dropFirst()
        if value.first == Self.space { value = value.dropFirst() }
        return try parse(field: String(decoding: whole[..<nameEnd], as: UTF8.self), value)
    }

    // MARK: Fields

    private mutating func parse(field: String, _ value: ArraySlice<UInt8>) throws(ParseError) -> Item? {
        switch field {
        case "event":
            guard value.count <= Self.nameLimit else { throw giveUp(Self.nameLimit) }
            name = String(decoding: value, as: UTF8.self)
        case "data":
            data += value
            data.append(Self.lineFeed)
        case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        case "retry": return Self.milliseconds(value).map { .retry($0) }
        case "published": published = (published.map { $0 + ", " } ?? "") + String(decoding: value, as: UTF8.self)
        default: break
        }
        guard size <= limit else { throw giveUp(limit) }
        return nil
    }

    /// The size of the current event in bytes.
    private var size: Int {
        name.utf8.count + data.count + id.utf8.count + (published?.utf8.count ?? 0)
    }

    /// Parses a `retry` field. More than nine digits exceed eleven days and are clamped to 999,999,999 ms.
    private static func milliseconds(_ value: ArraySlice<UInt8>) -> Duration? {
        guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let digits = value.drop { $0 == 0x30 }
        if digits.count > 9 { return .milliseconds(999_999_999) }
        return .milliseconds(digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }

    /// Completes the event at a blank line. Without data there is no event, but its id is kept.
    private mutating func endEvent() -> Event? {
        lastEventID = id
        if data.isEmpty { ignoredBytes += pendingBytes }
        defer {
            pendingBytes = 0
            name = ""
            data = Data()
            published = nil
        }
        guard !data.isEmpty else { return nil }
        return Event(name: name.isEmpty ? "message" : name, data: data.dropLast(), lastEventID: id, published: published)
    }
}
