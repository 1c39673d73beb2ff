#if Server
#if os(Linux)
// Among the modules that this one imports, `stat` is a type of libdispatch's.
import CDispatch
#endif
import Foundation

/// Which file of the machine a name or a descriptor stands for.
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
#endif
