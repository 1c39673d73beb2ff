import Foundation

#if os(Linux)
// With the modules that this one imports, `stat` refers to a type of libdispatch.
import CDispatch
#endif

/// The identity of a file on this machine, by its device and inode.
struct FileNumber: Equatable {
    private let device: UInt64
    private let number: UInt64

    init?(path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    init?(descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }

    private init(_ facts: stat) {
        device = UInt64(truncatingIfNeeded: facts.st_dev)
        number = UInt64(truncatingIfNeeded: facts.st_ino)
    }
}
