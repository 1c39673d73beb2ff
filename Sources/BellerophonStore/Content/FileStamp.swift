import BellerophonBase
import Foundation

/// The state of a file. It differs after every change that the file system notices.
package struct FileStamp: Equatable, Sendable {
    private let file: FileIdentity
    /// In bytes.
    package let size: Int64
    /// Of the last change of the bytes, and of the file's facts, in seconds and nanoseconds. A program can't set the latter back.
    private let times: [Int]

    /// - Returns: nil if it is not a regular file, or can't be examined.
    package init?(descriptor: Int32) { self.init(FileFacts(descriptor: descriptor)) }

    /// - Returns: nil if there is not a regular file of that name.
    init?(_ file: URL) { self.init(FileFacts(path: file.path, followsLinks: false)) }

    /// - Returns: nil if they are not those of a regular file.
    package init?(_ facts: FileFacts?) {
        guard let facts, facts.isRegularFile else { return nil }
        (file, size) = (FileIdentity(facts), Int64(facts.st_size))
        #if canImport(Darwin)
        let (modified, changed) = (facts.st_mtimespec, facts.st_ctimespec)
        #else
        let (modified, changed) = (facts.st_mtim, facts.st_ctim)
        #endif
        times = [modified.tv_sec, modified.tv_nsec, changed.tv_sec, changed.tv_nsec]
    }
}

/// The identity of a file, by device and inode, regardless of its name.
package struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let number: ino_t

    init(_ facts: FileFacts) { (device, number) = (facts.st_dev, facts.st_ino) }
}
