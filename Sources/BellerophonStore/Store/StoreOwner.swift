#if Server
import Foundation

/// Whom a store belongs to.
///
/// Files of a store are for their owner only. One that root, say, made in the store of another user would shut that
/// user's server out of what it serves, so nobody but the owner may open it.
enum StoreOwner {
    /// - Throws: ``StoreError`` of kind `notPermitted` where the store of the folder is another user's. Where there is
    ///   no store yet, root may make none in a folder that is another's; whom else a folder lets in is for the system
    ///   to say, as with volumes that a group may write.
    static func check(_ folder: URL) throws(StoreError) {
        let user = geteuid()
        let file = folder.appendingPathComponent(StoreDatabase.fileName).path
        guard let owner = Self.user(owning: file) ?? (user == 0 ? Self.user(owning: folder.path) : nil), owner != user else {
            return
        }
        let name = UserName.of(owner)
        throw StoreError(
            .notPermitted, "the store \(folder.path) belongs to the user \(name ?? "\(owner)")",
            hint: "run this as that user: sudo -u \(name ?? "'#\(owner)'") …"
        )
    }

    private static func user(owning path: String) -> uid_t? {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts.st_uid : nil
    }
}
#endif
