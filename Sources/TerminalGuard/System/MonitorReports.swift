internal import CPty

/// Takes the bytes of the monitor's channel apart, in chunks of any size.
struct MonitorReports {
    /// A report, or what belongs to one.
    enum Message: Equatable {
        case report(kind: Int, value: Int32)
        /// The input that nobody has read at the program's end.
        case unread([UInt8])
    }

    private var bytes: [UInt8] = []

    mutating func append(_ more: [UInt8]) { bytes += more }

    /// The next whole message; nil if there is none.
    mutating func next() -> Message? {
        let size = MemoryLayout<cpty_report>.size
        guard bytes.count >= size else { return nil }
        let report = bytes.withUnsafeBytes { $0.loadUnaligned(as: cpty_report.self) }
        guard Int(report.kind) == cpty_unread else {
            bytes.removeFirst(size)
            return .report(kind: Int(report.kind), value: report.value)
        }
        let count = max(0, Int(report.value))
        guard bytes.count >= size + count else { return nil }
        defer { bytes.removeFirst(size + count) }
        return .unread(Array(bytes[size..<(size + count)]))
    }
}
