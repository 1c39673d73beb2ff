import BellerophonBase
import Foundation
import GRDB

/// The identity of a store: the same unique text in the database and in the folder's file `identity`.
///
/// Without it, an empty folder in place of a store (a missing volume, a mistyped path) or a database that lost its
/// content would be served as a new store, which would lift every kill.
struct StoreIdentity: Equatable, Sendable {
    let text: String

    static let fileName = "identity"
    private static let property = "identity"

    /// A new identity of 128 random bits.
    static func make() -> StoreIdentity {
        StoreIdentity(text: (0..<32).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined())
    }

    // MARK: In the folder

    /// Nil if the folder has no identity.
    static func read(_ folder: URL) throws(StoreError) -> StoreIdentity? {
        let file = folder.appendingPathComponent(fileName)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw StoreError(.notPermitted, "can't read \(file.path)", hint: "run this as the user that owns the folder")
        }
        return StoreIdentity(text: text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    static func write(_ identity: StoreIdentity, to folder: URL) throws(StoreError) {
        let path = folder.appendingPathComponent(fileName).path
        try StoreError.onDisk { () throws(FileError) in
            try FileCalls.replace(path, with: Data("\(identity.text)\n".utf8), draft: path + ".new")
        }
    }

    // MARK: In the database

    static func read(_ database: Database) throws -> StoreIdentity? {
        try database.property(property).map { StoreIdentity(text: $0) }
    }

    static func write(_ identity: StoreIdentity, to database: Database) throws {
        try database.setProperty(property, identity.text)
    }

    // MARK: Errors

    private static let restoreHint =
        "bring the whole folder back from a backup, then run `bellerophon-server init --restored --store FOLDER`"

    static func emptyDatabase(_ folder: URL) -> StoreError {
        StoreError(
            .damaged, "the store \(folder.path) has an empty database; nothing is served, since every kill would be lifted",
            hint:
                "is the right volume mounted? If so, \(restoreHint); for a new store, `bellerophon-server init` in an empty folder"
        )
    }

    /// The folder was a store, but its database is missing or newly created.
    static func lostDatabase(_ folder: URL, because reason: String) -> StoreError {
        StoreError(
            .damaged, "\(folder.path) was a store before and has no journal now: \(reason)",
            hint: "\(restoreHint); for a new store, name an empty folder"
        )
    }

    static func mismatch(_ folder: URL, because reason: String) -> StoreError {
        StoreError(
            .damaged, "the store \(folder.path) is inconsistent: \(reason)",
            hint:
                "is the right volume mounted? After a backup was brought back, run `bellerophon-server init --restored --store FOLDER`"
        )
    }
}
