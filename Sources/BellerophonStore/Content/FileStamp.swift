import BellerophonBase
import Foundation

/// The state of a file. It differs after every change that the file system notices.
package struct FileStamp: Equatable, Sendable {
    private let file: FileIdentity
    /// In bytes.
    package let size: Int64
    /// In nanoseconds since 1970. The time of the last change of the file's facts can't be set back by a program.
    private let modified: Int64
    private let changed: Int64

    /// - Returns: nil if it is not a regular file, or can't be examined.
    package init?(descriptor: Int32) {
        guard let facts = FileFacts(descriptor: descriptor) else { return nil }
        self.init(facts)
    }

    /// - Returns: nil if there is not a regular file of that name.
    init?(_ file: URL) {
        guard let facts = FileFacts(path: file.path, followsLinks: false) else { return nil }
        self.init(facts)
    }

    /// - Returns: nil if they are not those of a regular file.
    package init?(_ facts: stat) {
        guard facts.isRegularFile else { return nil }
        file = FileIdentity(facts)
        size = Int64(facts.st_size)
        #if canImport(Darwin)
        (modified, changed) = (Self.nanoseconds(facts.st_mtimespec), Self.nanoseconds(facts.st_ctimespec))
        #else
        (modified, changed) = (Self.nanoseconds(facts.st_mtim), Self.nanoseconds(facts.st_ctim))
        #endif
    }

    private static func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
}

/// The identity of a file, by device and inode, regardless of its name.
package struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    fileprivate init(_ facts: stat) {
        device = UInt64(truncatingIfNeeded: facts.st_dev)
        number = UInt64(truncatingIfNeeded: facts.st_ino)
    }
}

extension Store {
    /// The identity of the file that is now at the store's path; nil if there is none.
    ///
    /// An open store keeps using the file that it opened. If the path refers to another file or to none, everything
    /// written to the open file is lost when the program ends.
    package var presentFile: FileIdentity? {
        FileFacts(path: folder.appendingPathComponent(StoreDatabase.fileName).path).map(FileIdentity.init)
    }
}
