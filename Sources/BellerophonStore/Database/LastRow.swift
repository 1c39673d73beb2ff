import BellerophonBase
import Foundation
import GRDB
import Synchronization

/// The newest row that was written in a folder, in a file beside the database.
///
/// The file is no part of a backup. It shows that a database was brought back from one: the database lacks the row, the file is
/// missing although the database says that there is one, or the database is another file than the one that the row was written
/// to. Such a store is not opened until ``Store/restore(folder:by:clock:)`` has moved its numbers ahead. Otherwise the server
/// would lift kills that came after the backup, and use their numbers again.
///
/// The file is written after the commit, so that it is never newer than the database, also after a crash. If it can't be read, it
/// says nothing.
struct LastRow: Codable, Equatable, Sendable {
    var head: JournalHead
    /// The database's file; nil if the system does not tell when a file was made.
    var database: FileBirth?

    static let fileName = "last-row"
    private static let property = "last-row"

    static func file(in folder: URL) -> URL { folder.appendingPathComponent(fileName) }

    /// The file's content; nil if there is no file. It is empty or damaged after a power failure.
    static func find(in folder: URL) -> Data? {
        let path = file(in: folder).path
        var former: Data?
        // A process that publishes may overwrite the file while it is read.
        for _ in 0..<100 {
            guard let data = FileManager.default.contents(atPath: path) else {
                return FileManager.default.fileExists(atPath: path) ? Data() : nil
            }
            if data == former { return data }
            former = data
        }
        return Data()
    }

    // MARK: In the database

    /// Whether the database says that its folder has the file.
    static func isExpected(by database: Database) throws -> Bool {
        try database.property(property) != nil
    }

    static func expect(in database: Database) throws { try database.setProperty(property, "kept") }

    static func expectNothing(in database: Database) throws { try database.setProperty(property, nil) }

    // MARK: Checks

    /// - Parameter found: what was in the folder before the database was read. Another process may write to both.
    /// - Throws: ``StoreError`` of kind `broughtBack` if the database of a folder is not the one that was written last.
    /// - Returns: the row that was found; nil if there is none, or if it can't be read.
    @discardableResult
    static func verify(_ database: Database, in folder: URL, _ found: Data?) throws -> LastRow? {
        let journal = JournalTable(database: database)
        let newest = try journal.serial()
        if found == nil, try isExpected(by: database) {
            throw broughtBack(folder, "its file \(fileName), which is no part of a backup, is not there")
        }
        guard let found, let last = try? JSONDecoder().decode(LastRow.self, from: found) else { return nil }
        guard try journal.has(last.head) else {
            throw broughtBack(
                folder, "row \(last.head.id) was published in it, and its journal ends differently, at row \(newest)")
        }
        let present = FileBirth(folder.appendingPathComponent(StoreDatabase.fileName))
        guard let former = last.database, let present, former.isOther(than: present) else { return last }
        throw broughtBack(folder, "its database is a copy; the rows after row \(newest) may be missing")
    }

    static func broughtBack(_ folder: URL, _ reason: String) -> StoreError {
        StoreError(
            .broughtBack, "the store \(folder.path) was brought back from a backup, or moved: \(reason)",
            hint: """
                nothing is served, since a kill may be among the rows that are missing: stop the server, run \
                `bellerophon-server init --restored --store \(folder.path)`, start it, and publish again what is missing
                """
        )
    }

    // MARK: Writing

    /// In bytes. The file is overwritten where it is, with as many bytes, which costs next to nothing beside a commit.
    private static let size = 256

    private var data: Data? {
        guard let json = try? JSONEncoder().encode(self), json.count < Self.size else { return nil }
        return json + Data(repeating: UInt8(ascii: " "), count: Self.size - json.count - 1) + Data("\n".utf8)
    }

    /// Replaces the file, which survives a power failure when this returns.
    func replace(in folder: URL) throws(StoreError) {
        guard let data else { return }
        let path = Self.file(in: folder).path
        try StoreError.onDisk { () throws(FileError) in try FileCalls.replace(path, with: data, draft: path + ".new") }
    }

    /// Overwrites the file. After a power failure the older content may be there, which is right too.
    func overwrite(in folder: URL) {
        guard let data else { return }
        let descriptor = open(Self.file(in: folder).path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = data.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }
}

/// The row up to which an open store knows its journal. A store that is not being watched knows nothing: a copy of a shared
/// journal is compared with that, and one that is about to be restored lacks rows.
final class KnownRow: Sendable {
    private let folder: URL
    private let state = Mutex<LastRow?>(nil)

    init(_ folder: URL) { self.folder = folder }

    /// Checks the folder and begins to watch it.
    func begin(_ writer: DatabaseQueue) throws {
        let found = LastRow.find(in: folder)
        let (last, head, isExpected) = try writer.read { database in
            (
                try LastRow.verify(database, in: folder, found), try JournalTable(database: database).head(),
                try LastRow.isExpected(by: database)
            )
        }
        let newest = LastRow(head: head, database: FileBirth(folder.appendingPathComponent(StoreDatabase.fileName)))
        state.withLock { $0 = newest }
        if isExpected, let last {
            if last != newest { newest.overwrite(in: folder) }
            return
        }
        // On a full disk the store is served all the same, and is watched later.
        guard (try? newest.replace(in: folder)) != nil, !isExpected else { return }
        try? writer.writeWithoutTransaction { try LastRow.expect(in: $0) }
    }

    /// Removes the traces in a folder that is a copy of a shared journal. On a full disk they stay.
    func forget(_ writer: DatabaseQueue) {
        guard (try? writer.read(LastRow.isExpected)) == true,
            (try? writer.writeWithoutTransaction { try LastRow.expectNothing(in: $0) }) != nil
        else { return }
        unlink(LastRow.file(in: folder).path)
    }

    /// - Throws: ``StoreError`` of kind `broughtBack` if the database was replaced by an older one while it was open.
    func verify(_ database: Database) throws {
        guard let known = state.withLock({ $0?.head }), try !JournalTable(database: database).has(known) else { return }
        throw LastRow.broughtBack(folder, "row \(known.id) was in its journal, and is not any more")
    }

    /// Records the newest row of a transaction that was committed.
    func record(_ newest: JournalHead) {
        let newer = state.withLock { known -> LastRow? in
            guard let present = known, newest.id > present.head.id else { return nil }
            known?.head = newest
            return known
        }
        newer?.overwrite(in: folder)
    }
}
