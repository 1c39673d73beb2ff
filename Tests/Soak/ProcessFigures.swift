import Foundation

/// The memory and descriptors of this process; 0 if the system does not report them.
struct ProcessFigures: Equatable {
    /// Resident memory, in KiB.
    var resident = 0
    /// Open file descriptors.
    var descriptors = 0

    static var now: ProcessFigures {
        var figures = ProcessFigures()
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        for line in status.split(separator: "\n") where line.hasPrefix("VmRSS:") {
            figures.resident = Int(line.filter(\.isNumber)) ?? 0
        }
        figures.descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        return figures
    }
}
