import Foundation

/// The limit of this process's open files, which include connections.
package enum FileLimit {
    #if canImport(Darwin)
    static let resource = RLIMIT_NOFILE
    #else
    static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif

    /// Raises the limit to the highest permitted value; every connection takes one descriptor.
    /// - Returns: the new limit; nil if the system does not provide it.
    package static func raise() -> Int64? {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        if limit.rlim_cur < limit.rlim_max {
            // Some systems report an infinite maximum but refuse it.
            limit.rlim_cur = min(limit.rlim_max, 1 << 20)
            _ = setrlimit(resource, &limit)
            guard getrlimit(resource, &limit) == 0 else { return nil }
        }
        return Int64(clamping: limit.rlim_cur)
    }
}
