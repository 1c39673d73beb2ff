internal import CPty

/// Takes the bytes of the monitor's channel apart, in chunks of any size.
struct MonitorReports {
    private var bytes: [UInt8] = []

    mutating func append(_ more: [UInt8]) { bytes += more }

    /// The next whole report, with the input that nobody has read at the program's end; nil if there is none.
    mutating func next() -> (kind: Int, value: Int32, unread: [UInt8])? {
        let size = MemoryLayout<cpty_report>.size
        guard bytes.count >= size else { return nil }
        let report = bytes.withUnsafeBytes { $0.loadUnaligned(as: cpty_report.self) }
        let end = size + (Int(report.kind) == cpty_unread ? max(0, Int(report.value)) : 0)
        guard bytes.count >= end else { return nil }
        defer { bytes.removeFirst(end) }
        return (Int(report.kind), report.value, Array(bytes[size..<end]))
    }
}
