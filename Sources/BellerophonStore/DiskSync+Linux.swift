#if Server && os(Linux)
import Glibc

/// Writes to the disk what the system still holds of a file; 0 on success.
func synchronize(_ descriptor: Int32) -> Int32 {
    fsync(descriptor)
}
#endif
