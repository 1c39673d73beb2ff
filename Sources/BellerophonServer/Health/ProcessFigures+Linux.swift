#if Server && os(Linux)
import Foundation

extension ProcessFigures {
    /// The figures from `/proc`.
    static var now: ProcessFigures {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        let bytes = pages.prefix(2).map { page in Int64(page).map { $0 * Int64(sysconf(Int32(_SC_PAGESIZE))) } }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
        return ProcessFigures(
            cpuSeconds: cpuTime, residentBytes: bytes.dropFirst().first ?? nil, virtualBytes: bytes.first ?? nil,
            openFiles: files.map(Int64.init), maximumFiles: FileLimit.current
        )
    }
}

extension FileLimit {
    static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
#endif
