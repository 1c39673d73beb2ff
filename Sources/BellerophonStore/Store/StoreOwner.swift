import BellerophonBase
import Foundation

/// Checks the ownership of a store.
///
/// A store's files are accessible to their owner only. A file that root creates in another user's store would be
/// unreadable for that user's server, so that only the owner may open a store.
enum StoreOwner {
    /// - Throws: ``StoreError`` of kind `notPermitted` if the store belongs to another user, or if root would create a
    ///   store in another user's folder. For other users, the folder's permissions decide whether they may create a
    ///   store, such as on a volume that a group may write.
    static func check(_ folder: URL) throws(StoreError) {
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
