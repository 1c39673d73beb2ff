import BellerophonBase
import Foundation

/// Files that only their owner may read or write.
enum OwnersFile {
    /// Creates an empty file unless it exists, and removes all permissions of others.
    static func make(_ file: URL) throws(StoreError) {
        close(try StoreError.onDisk { () throws(FileError) in try FileCalls.open(file.path, O_RDWR | O_CREAT) })
        try narrow(file)
    }

    /// Removes all permissions of others from an existing file.
    static func narrow(_ file: URL) throws(StoreError) {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return }
        guard descriptor >= 0 else { throw .system(errno, "can't open \(file.path)") }
        defer { close(descriptor) }
        guard let facts = FileFacts(descriptor: descriptor) else { throw .system(errno, "can't examine \(file.path)") }
        guard facts.st_mode & 0o077 != 0 else { return }
        guard fchmod(descriptor, facts.st_mode & 0o700) == 0 else { throw .system(errno, "can't protect \(file.path)") }
    }

    /// Files are for their owner only: what root creates in another user's store would be unreadable for that user's server, so that only
    /// the owner may open a store.
    /// - Throws: ``StoreError`` of kind `notPermitted` if the store belongs to another user, or if root would create a
    ///   store in another user's folder. For other users, the folder's permissions decide whether they may create a
    ///   store, such as on a volume that a group may write.
    static func checkOwner(of folder: URL) throws(StoreError) {
        let user = geteuid()
        let file = folder.appendingPathComponent(StoreDatabase.fileName).path
        guard let owner = FileFacts(path: file)?.st_uid ?? (user == 0 ? FileFacts(path: folder.path)?.st_uid : nil), owner != user
        else {
            return
        }
        let name = UserName.of(owner)
        throw StoreError(
            .notPermitted, "the store \(folder.path) belongs to the user \(name ?? "\(owner)")",
            hint: "run this as that user: sudo -u \(name ?? "'#\(owner)'") …"
        )
    }
}
