#if Server && canImport(Darwin)
import Darwin

/// Writes to the disk what the system and the disk's own memory still hold of a file; 0 on success.
func synchronize(_ descriptor: Int32) -> Int32 {
    let result = fcntl(descriptor, F_FULLFSYNC)
    return result == -1 ? fsync(descriptor) : 0
}
#endif
