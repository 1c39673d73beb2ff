#if canImport(Darwin)
import Darwin

extension FileCalls {
    /// On Darwin `fsync` does not flush the disk's cache, `F_FULLFSYNC` does. File systems that do not support it get `fsync`.
    static func fullSync(_ descriptor: Int32) -> Int32 {
        let result = fcntl(descriptor, F_FULLFSYNC)
        return result == -1 ? fsync(descriptor) : 0
    }
}
#endif
