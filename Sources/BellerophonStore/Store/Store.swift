#if Server
import BellerophonBase
import Foundation
import GRDB

/// A folder with everything that a server publishes: a journal of every change, and the files of its resources.
///
/// One server and any number of commands may have it open at once. What a method that changes something returns
/// is on the disk: neither a crash of the program nor one of the machine takes it back. Reading never waits for
/// a process that writes; writing waits for another one at most ``busyLimit``.
package final class Store: Sendable {
    package let folder: URL
    let database: StoreDatabase
    let content: ContentFolder
    private let clock: @Sendable () -> Date
    let uploadSpace: UploadSpace

    /// How long to wait for another process that writes.
    package static let busyLimit = Duration.seconds(5)

    /// Opens a store and brings it up to date.
    /// - Parameters:
    ///   - creates: makes a store, and its folder for its owner only, where there is none. Otherwise a folder without a store,
    ///     an empty database, and a folder whose database is another store's are refused: what was killed must not
    ///     become live because a volume is not mounted or a path is mistyped. A folder that was a store before, and has no
    ///     journal now, never becomes a new one.
    ///   - freeBytes: the bytes that are free on the folder's disk, as the system tells unless given.
    /// - Throws: ``StoreError``, of kind `notPermitted` where the store belongs to another user.
    package init(
        folder: URL, creates: Bool = false, clock: @escaping @Sendable () -> Date = { Date() },
        freeBytes: (@Sendable () -> Int64?)? = nil
    ) throws(StoreError) {
        let folder = folder.absoluteURL.standardizedFileURL
        self.folder = folder
        self.clock = clock
        uploadSpace = UploadSpace(folder) { freeBytes.map { $0() } ?? DiskSpace.free(folder) }
        try Self.prepare(folder, creates: creates)
        let lock = try StoreError.lock(folder.appendingPathComponent("open.lock"), .exclusive)
        content = try ContentFolder(folder)
        database = try withExtendedLifetime(lock) { [content] () throws(StoreError) in
            try StoreDatabase(opening: folder, content, creates: creates)
        }
        database.keepReserve()
    }

    /// The text that the database and the folder have in common, and no other store has.
    package func identity() throws(StoreError) -> String {
        try database.read { try StoreIdentity.read($0)?.text ?? "" }
    }

    /// Bytes that may still be written to the disk that holds the store; nil where the system does not tell.
    package func freeBytes() -> Int64? { uploadSpace.freeBytes }

    /// Keeps space for statuses on the disk, where there is enough of it.
    package func keepReserve() { database.keepReserve() }

    /// Begins to write, and takes it back: no other process sees a change.
    /// - Throws: ``StoreError`` where nothing could be published now. A disk that is full is not found out by this; see
    ///   ``freeBytes()``.
    package func checkWritable() throws(StoreError) {
        try database.rehearse { try $0.execute(sql: "UPDATE property SET value = value WHERE name = 'identity'") }
    }

    /// Removes what interrupted puts left behind. For a server's start; a put that is still under way loses nothing.
    package func removeLeftovers() { content.removeLeftovers() }

    /// The usual place: `$XDG_DATA_HOME/bellerophon-server`, else below `~/.local/share`
    /// (XDG Base Directory Specification; a relative value is ignored, as it says).
    package static func usualFolder(_ environment: [String: String]) -> URL {
        func absolute(_ name: String) -> URL? {
            environment[name].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil }
        }
        let home = absolute("HOME") ?? FileManager.default.homeDirectoryForCurrentUser
        let base = absolute("XDG_DATA_HOME") ?? home.appendingPathComponent(".local/share", isDirectory: true)
        return base.appendingPathComponent("bellerophon-server", isDirectory: true)
    }

    /// Now, in whole milliseconds, as the journal keeps times.
    var now: Date { Date(milliseconds: clock().milliseconds) }

    /// A number that changes after every commit of any process, this one included.
    package func dataVersion() throws(StoreError) -> Int64 {
        try database.dataVersion()
    }

    private static func prepare(_ folder: URL, creates: Bool) throws(StoreError) {
        let manager = FileManager.default
        var isDirectory: ObjCBool = false
        let exists = manager.fileExists(atPath: folder.path, isDirectory: &isDirectory)
        if exists, !isDirectory.boolValue {
            throw StoreError(.notAStore, "\(folder.path) is a file, not a store's folder")
        }
        if exists { try StoreOwner.check(folder) }
        if manager.fileExists(atPath: folder.appendingPathComponent(StoreDatabase.fileName).path) { return }
        guard creates else {
            throw StoreError(
                .notAStore, "there is no store in \(folder.path)",
                hint: "`bellerophon-server init` makes one; --store names another"
            )
        }
        exists ? try checkIsUnused(folder) : try make(folder)
    }

    private static func make(_ folder: URL) throws(StoreError) {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw StoreError(
                .notPermitted, "can't make the folder \(folder.path)", hint: "make it for this user, or name another with --store"
            )
        }
    }

    /// A folder with other things in it was named by mistake. What an interrupted start left is no other thing.
    private static func checkIsUnused(_ folder: URL) throws(StoreError) {
        let own: Set = [
            "content", "incoming", "content.lock", "open.lock", "server.lock", "lost+found", DiskReserve.fileName,
            StoreIdentity.fileName,
        ]
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where !own.contains(name) && !name.hasPrefix(".") {
            throw StoreError(
                .notAStore, "\(folder.path) is no store, and it has other files in it",
                hint: "name a store, an empty folder, or one that is not there yet"
            )
        }
    }
}
#endif
