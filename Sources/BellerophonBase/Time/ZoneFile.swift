package import Foundation
import Synchronization

/// A time zone of the machine's own database, which is updated with the system: a TZif file (RFC 9636).
///
/// Foundation has the zones that were compiled into it, and a program that is linked statically keeps those for ever.
package struct ZoneFile: Sendable {
    /// The seconds at which the offset changes, in order, and the offset from then on.
    private let changes: [(at: Int, offset: Int)]
    /// The offset before the first change.
    private let first: Int
    /// What holds after the last change; nil: its offset stays.
    private let rule: ZoneRule?

    /// The seconds that local time is ahead of UTC.
    package func offset(at date: Date) -> Int {
        let time = Int(min(max(date.timeIntervalSince1970.rounded(.down), -1e12), 1e12))
        if let rule, changes.last.map({ $0.at <= time }) ?? true { return rule.offset(at: time) }
        return changes.last { $0.at <= time }?.offset ?? first
    }

    // MARK: The machine's zones

    /// The folder of the machine's zones: `TZDIR`, as for the C library, or the usual one.
    private static let folder =
        ProcessInfo.processInfo.environment["TZDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/usr/share/zoneinfo"
    private static let known = Mutex<[String: ZoneFile?]>([:])

    /// The zone with a name of the database, such as `Europe/Berlin`; nil if the machine has none. It is read once.
    package static func named(_ name: String) -> ZoneFile? {
        known.withLock { zones in
            if let zone = zones[name] { return zone }
            let zone = ZoneFile(name, in: folder)
            zones[name] = zone
            return zone
        }
    }

    /// Reads the zone with a name from a folder; nil if there is none.
    package init?(_ name: String, in folder: String) {
        let isName = name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            part.first.map { $0 != "." } ?? false && part.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        }
        guard isName, name.utf8.count <= 200, let file = FileHandle(forReadingAtPath: "\(folder)/\(name)") else { return nil }
        defer { try? file.close() }
        guard let data = try? file.read(upToCount: 1 << 20) else { return nil }
        self.init(data)
    }

    // MARK: The file

    /// Reads a file; nil if it is none, or not whole.
    package init?(_ data: Data) {
        var bytes = Bytes(data)
        guard var header = Header(&bytes) else { return nil }
        var size = 4
        if header.version >= 2 {
            // The first part has times of 32 bits, for old readers.
            guard bytes.skip(header.length(ofTime: 4)) != nil, let second = Header(&bytes) else { return nil }
            (header, size) = (second, 8)
        }
        guard header.types > 0, let times = bytes.numbers(header.times, size: size), let kinds = bytes.removeFirst(header.times),
            let types = bytes.removeFirst(header.types * 6), bytes.skip(header.rest(ofTime: size)) != nil
        else { return nil }
        let offsets = stride(from: 0, to: types.count, by: 6).map { Bytes.number(types[$0..<$0 + 4]) }
        guard kinds.allSatisfy({ Int($0) < offsets.count }), zip(times, times.dropFirst()).allSatisfy(<) else { return nil }
        first = offsets[0]
        changes = zip(times, kinds).map { ($0, offsets[Int($1)]) }
        let footer = String(decoding: bytes.left, as: UTF8.self).split(separator: "\n").first
        guard size == 8, let footer else {
            rule = nil
            return
        }
        guard let rule = ZoneRule(String(footer)) else { return nil }
        self.rule = rule
    }

    private struct Header {
        let version: Int
        let times: Int
        let types: Int
        private let counts: [Int]

        init?(_ bytes: inout Bytes) {
            guard let start = bytes.removeFirst(20), start.starts(with: Array("TZif".utf8)),
                let counts = bytes.numbers(6, size: 4),
                counts.allSatisfy({ (0...1 << 20).contains($0) })
            else { return nil }
            version = start[4] == 0 ? 1 : Int(start[4]) - 0x30
            (self.counts, times, types) = (counts, counts[3], counts[4])
        }

        /// The names, leap seconds and indicators after the types.
        func rest(ofTime size: Int) -> Int { counts[5] + counts[2] * (size + 4) + counts[1] + counts[0] }
        func length(ofTime size: Int) -> Int { times * (size + 1) + types * 6 + rest(ofTime: size) }
    }

    private struct Bytes {
        private(set) var left: ArraySlice<UInt8>

        init(_ data: Data) { left = Array(data)[...] }

        mutating func removeFirst(_ count: Int) -> [UInt8]? {
            guard count <= left.count else { return nil }
            defer { left = left.dropFirst(count) }
            return Array(left.prefix(count))
        }

        mutating func skip(_ count: Int) -> Void? { removeFirst(count).map { _ in } }

        mutating func numbers(_ count: Int, size: Int) -> [Int]? {
            removeFirst(count * size).map { bytes in
                stride(from: 0, to: bytes.count, by: size).map { Self.number(bytes[$0..<$0 + size]) }
            }
        }

        /// A signed number, the highest byte first.
        static func number(_ bytes: ArraySlice<UInt8>) -> Int {
            let value = bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) }
            return Int(bytes.count == 4 ? Int64(Int32(truncatingIfNeeded: value)) : value)
        }
    }
}

extension TimeZone {
    /// The seconds that local time is ahead of UTC, by the machine's own database if it has the zone, otherwise by the one of this program.
    package func offset(at date: Date) -> Int { ZoneFile.named(identifier)?.offset(at: date) ?? secondsFromGMT(for: date) }
}
