#if Server
import Foundation

/// What the system says of this process; nil where it does not tell.
struct ProcessFigures: Equatable, Sendable {
    /// Of user and system.
    var cpuSeconds: Double?
    var residentBytes: Int64?
    var virtualBytes: Int64?
    var openFiles: Int64?
    var maximumFiles: Int64?

    static var cpuTime: Double? {
        // POSIX has it in microseconds.
        let time = clock()
        return time >= 0 ? Double(time) / 1e6 : nil
    }
}

/// How many files and connections this process may have open.
package enum FileLimit {
    static var current: Int64? {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        return limit.rlim_cur > rlim_t(Int64.max) ? .max : Int64(limit.rlim_cur)
    }

    /// Raises the limit as far as the system lets anyone; every connection takes one.
    /// - Returns: what it is then; nil where the system does not tell.
    package static func raise() -> Int64? {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return current }
        // Some systems report no bound and refuse it.
        limit.rlim_cur = min(limit.rlim_max, 1 << 20)
        _ = setrlimit(resource, &limit)
        return current
    }
}
#endif
