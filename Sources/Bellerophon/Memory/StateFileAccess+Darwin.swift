#if canImport(Darwin)
import Foundation

extension stat {
    /// The modification time in seconds since 1970.
    var modificationSeconds: time_t { st_mtimespec.tv_sec }
}
#endif
