#if canImport(Darwin)
import Darwin

extension FileCalls {
    /// `fsync` alone leaves bytes in the disk's own memory. Where a file system has no full synchronization, `fsync` is used.
    static func fullSync(_ descriptor: Int32) -> Int32 {
        let result = fcntl(descriptor, F_FULLFSYNC)
        return result == -1 ? fsync(descriptor) : 0
    }
}
#endif
