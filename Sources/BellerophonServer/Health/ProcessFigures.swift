import Foundation

/// The system's figures about this process; nil for those that it does not provide.
struct ProcessFigures: Equatable, Sendable {
    /// User and system time.
    var cpuSeconds: Double?
    var residentBytes: Int64?
    var virtualBytes: Int64?
    var openFiles: Int64?
    var maximumFiles: Int64?

    static var cpuTime: Double? {
        // POSIX defines the unit as a microsecond.
        let time = clock()
        return time >= 0 ? Double(time) / 1e6 : nil
    }
}

/// The limit of this process's open files, which include connections.
package enum FileLimit {
    static var current: Int64? {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        return limit.rlim_cur > rlim_t(Int64.max) ? .max : Int64(limit.rlim_cur)
    }

    /// Raises the limit to the highest permitted value; every connection takes one descriptor.
    /// - Returns: the new limit; nil if the system does not provide it.
    package static func raise() -> Int64? {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return current }
        // Some systems report an infinite maximum but refuse it.
        limit.rlim_cur = min(limit.rlim_max, 1 << 20)
        _ = setrlimit(resource, &limit)
        return current
    }
}
