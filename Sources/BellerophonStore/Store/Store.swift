import BellerophonBase
import Foundation
import GRDB
import Synchronization

/// A folder with everything that a server publishes: a journal of all changes, and the files of resources.
///
/// One server and any number of commands may have it open concurrently. When a method that changes the store returns,
/// the change is durable, even after a crash of the machine. Reads never wait for a writer; a write waits at most
/// ``busyLimit`` for another process.
package final class Store: Sendable {
    package let folder: URL
    let database: StoreDatabase
    let content: ContentFolder
    let time: StoreTime
    let uploadSpace: DiskSpace
    /// Nil until it is needed. It is used with ``StoreDatabase/read(_:)`` alone: the connection for lists may see an older state.
    let catalog = Mutex<Catalog?>(nil)
    /// The tokens whose last use is being written.
    let usedTokens = Mutex<Set<String>>([])

    /// The maximum wait for another process that writes.
    package static let busyLimit = Duration.seconds(5)

    /// Opens a store.
    /// - Parameters:
    ///   - creates: creates a store, and its folder for the owner only, if there is none. If false, a folder without a
    ///     store, an empty database, and a folder with another store's database are errors, so that a missing volume or
    ///     a mistyped path does not lift a kill. A folder that was a store before and has lost its journal is always an
    ///     error.
    ///   - shared: the journal that several servers share. The folder is this server's copy of it, which is created if there is
    ///     none. If the journal can't be reached, an existing copy is opened as it is.
    ///   - sharedContent: the folder in which the servers share the bytes of resources; nil if the journal has them.
    ///   - clock: the clocks of the machine.
    ///   - freeBytes: the free bytes on the folder's disk; by default from the system.
    ///   - asItIs: opens a folder whether or not it was brought back from a backup.
    /// - Throws: ``StoreError``, of kind `notPermitted` if the store belongs to another user, and of kind `broughtBack` if the
    ///   folder was brought back from a backup.
    package init(
        folder: URL, creates: Bool = false, shared: (any SharedJournal)? = nil, sharedContent: URL? = nil,
        clock: StoreClock = .system, freeBytes: (@Sendable () -> Int64?)? = nil, asItIs: Bool = false
    ) throws(StoreError) {
        let folder = folder.absoluteURL.standardizedFileURL
        self.folder = folder
        time = StoreTime(clock, isShared: shared != nil)
        uploadSpace = DiskSpace(folder, free: freeBytes)
        let identity = try Self.identity(of: shared, copiedTo: folder)
        let creates = creates || identity != nil
        try Self.prepare(folder, creates: creates)
        let lock = try StoreError.lock(folder.appendingPathComponent("open.lock"), .exclusive)
        content = try ContentFolder(folder)
        var database = try withExtendedLifetime(lock) { [content] () throws(StoreError) in
            try StoreDatabase(opening: folder, content, creates: creates, shared: identity)
        }
        if let shared {
            try database.share(SharedContent(journal: shared, folder: sharedContent), content, time)
        }
        self.database = database
        database.keepReserve()
        try beginTime()
        // A journal that can't be reached now is reached later; see ``follow()``.
        if (try? database.catchUp()) != nil { try? database.shared?.readTime() }
        if shared != nil { database.forgetLastRow() } else if !asItIs { try database.watchLastRow() }
    }

    /// The unique text that the database and the folder share.
    package func identity() throws(StoreError) -> String {
        try database.read { try StoreIdentity.read($0)?.text ?? "" }
    }

    /// The identity of the file that is now at the store's path; nil if there is none.
    ///
    /// An open store keeps using the file that it opened. If the path refers to another file or to none, everything
    /// written to the open file is lost when the program ends.
    package var presentFile: FileIdentity? {
        FileFacts(path: folder.appendingPathComponent(StoreDatabase.fileName).path).map(FileIdentity.init)
    }

    /// Free bytes on the store's disk; nil if the system does not provide it.
    package func freeBytes() -> Int64? { uploadSpace.free() }

    /// Tries whether a status could be published, without publishing one: for all servers of a shared store, and confirmed. Space is
    /// reserved again if there is room.
    /// - Throws: ``StoreError`` if nothing could be published now, of kind `full` also for a full disk of this machine.
    package func checkWritable() throws(StoreError) {
        if let problem = sharedContact?.problem { throw problem.error }
        try database.checkWritable()
    }

    /// Why the last write to this machine's disk, or the last change of a shared store, failed; nil after a write or a check that
    /// succeeded.
    package var writeTrouble: StoreError? { database.writeTrouble }

    /// Removes the files of interrupted uploads, for a server's start. Uploads in progress are unaffected.
    package func removeLeftovers() { content.removeLeftovers() }

    /// A number that changes with every commit of any process, including this one.
    package func dataVersion() throws(StoreError) -> Int64 {
        // Commits of this machine are far fewer.
        try database.dataVersion() &+ (sharedContact?.generation ?? 0) << 32
    }

    private static func prepare(_ folder: URL, creates: Bool) throws(StoreError) {
        let manager = FileManager.default
        var isDirectory: ObjCBool = false
        let exists = manager.fileExists(atPath: folder.path, isDirectory: &isDirectory)
        if exists, !isDirectory.boolValue {
            throw StoreError(.notAStore, "\(folder.path) is a file, not a store's folder")
        }
        if exists { try OwnersFile.checkOwner(of: folder) }
        if manager.fileExists(atPath: folder.appendingPathComponent(StoreDatabase.fileName).path) { return }
        guard creates else {
            throw StoreError(
                .notAStore, "there is no store in \(folder.path)",
                hint: "`bellerophon-server init` makes one; --store names another"
            )
        }
        if exists { return try checkIsUnused(folder) }
        do throws(FileError) {
            try FileCalls.makeFolder(folder)
        } catch {
            throw StoreError(
                .notPermitted, "can't make the folder \(folder.path): \(error.reason)",
                hint: "make it for this user, or name another with --store")
        }
    }

    /// Refuses a folder with other files, which was probably named by mistake. The files of an interrupted start are
    /// allowed.
    private static func checkIsUnused(_ folder: URL) throws(StoreError) {
        let own: Set = [
            "content", "incoming", "content.lock", "open.lock", "server.lock", "lost+found", DiskReserve.fileName,
            StoreIdentity.fileName, LastRow.fileName, LastRow.fileName + ".new",
        ]
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where !own.contains(name) && !name.hasPrefix(".") {
            throw StoreError(
                .notAStore, "\(folder.path) is not a store and contains other files",
                hint: "name a store, an empty folder, or one that is not there yet"
            )
        }
    }
}
