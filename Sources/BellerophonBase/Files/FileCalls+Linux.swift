#if os(Linux)
import Glibc

extension FileCalls {
    static func fullSync(_ descriptor: Int32) -> Int32 { fsync(descriptor) }
}
#endif
