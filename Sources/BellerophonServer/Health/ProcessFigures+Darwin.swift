#if Server && canImport(Darwin)
import Foundation

extension ProcessFigures {
    static var now: ProcessFigures {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd"))?.count
        return ProcessFigures(cpuSeconds: cpuTime, openFiles: files.map(Int64.init), maximumFiles: FileLimit.current)
    }
}

extension FileLimit {
    static let resource = RLIMIT_NOFILE
}
#endif
