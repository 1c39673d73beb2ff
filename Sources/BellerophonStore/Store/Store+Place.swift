#if Server
import Foundation

/// Which file it is, whatever its name.
package struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// - Returns: nil where nothing has that name.
    init?(_ url: URL) {
        var facts = stat()
        guard stat(url.path, &facts) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: facts.st_dev)
        number = UInt64(truncatingIfNeeded: facts.st_ino)
    }
}

extension Store {
    /// The file that has the store's name now; nil where there is none.
    ///
    /// A program that has the store open keeps the file that it opened. Once another one has the name, or none, what
    /// it writes is lost when it ends.
    package var presentFile: FileIdentity? {
        FileIdentity(folder.appendingPathComponent(StoreDatabase.fileName))
    }
}
#endif
