import BellerophonBase
import Foundation

/// The identity of a file, by device and inode, regardless of its name.
package struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// - Returns: nil if no file has that name.
    init?(_ url: URL) {
        guard let facts = FileFacts(path: url.path) else { return nil }
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
        FileIdentity(folder.appendingPathComponent(StoreDatabase.fileName))
    }
}
