import Foundation

/// The resources of a running program, as Linux reports them.
struct ProgramFigures {
    /// Resident memory, in KiB.
    let resident: Int
    let descriptors: Int
    let threads: Int
    /// In seconds, user and system time together.
    let processorTime: Double

    /// Nil if the program is gone or the system reports nothing.
    init?(of pid: pid_t) {
        let folder = "/proc/\(pid)"
        guard let status = try? String(contentsOfFile: "\(folder)/status", encoding: .utf8),
            let stat = try? String(contentsOfFile: "\(folder)/stat", encoding: .utf8),
            let open = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd")
        else { return nil }
        resident = Self.number(after: "VmRSS:", in: status)
        threads = Self.number(after: "Threads:", in: status)
        descriptors = open.count
        // The name in parentheses may contain spaces; the later fields do not (proc(5)).
        let fields = (stat.split(separator: ")").last ?? "").split(separator: " ")
        let ticks = fields.count > 12 ? (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0) : 0
        processorTime = ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    static var isKnown: Bool { FileManager.default.fileExists(atPath: "/proc/self/stat") }

    private static func number(after name: String, in status: String) -> Int {
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
