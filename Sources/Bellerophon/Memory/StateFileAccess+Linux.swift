#if os(Linux)
import Foundation

extension stat {
    /// In seconds since 1970.
    var modificationSeconds: time_t { st_mtim.tv_sec }
}
#endif
