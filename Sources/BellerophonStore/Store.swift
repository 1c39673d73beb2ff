#if Server
public import Foundation

/// A folder with everything that a server publishes: a journal of every change, and the files of its resources.
///
/// One server and any number of commands may have it open at once. What a method that changes something returns
/// is on the disk: neither a crash of the program nor one of the machine takes it back. Reading never waits for
/// a process that writes; writing waits for another one at most ``busyLimit``.
public final class Store: Sendable {
    public let folder: URL
    let database: StoreDatabase
    let content: ContentFolder
    private let clock: @Sendable () -> Date

    /// How long to wait for another process that writes.
    public static let busyLimit = Duration.seconds(5)

    /// Opens a store, brings it up to date and removes what interrupted puts left behind.
    /// - Parameters:
    ///   - folder: made, for its owner only, where it is not there.
    ///   - createsFolder: false refuses a folder without a store: a mistyped one must not become a new store.
    /// - Throws: ``StoreError``, of kind `notPermitted` where the store belongs to another user.
    public init(
        folder: URL, createsFolder: Bool = true, clock: @escaping @Sendable () -> Date = { Date() }
    ) throws(StoreError) {
        self.folder = folder.absoluteURL.standardizedFileURL
        self.clock = clock
        try Self.prepare(self.folder, creates: createsFolder)
        let lock = try FileLock.wait(self.folder.appendingPathComponent("open.lock"), .exclusive)
        content = try ContentFolder(self.folder)
        database = try StoreDatabase(self.folder)
        try withExtendedLifetime(lock) { () throws(StoreError) in
            try content.removeGarbage(before: Date()) { () throws(StoreError) in try digestsInUse() }
        }
    }

    /// The usual place: `$XDG_DATA_HOME/bellerophon-server`, else below `~/.local/share`
    /// (XDG Base Directory Specification; a relative value is ignored, as it says).
    public static func usualFolder(_ environment: [String: String]) -> URL {
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
    public func dataVersion() throws(StoreError) -> Int64 {
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
                hint: "`bellerophon-server serve` or `bellerophon-server token create` makes one; --store names another"
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
        let own: Set = ["content", "incoming", "content.lock", "open.lock", "lost+found"]
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
