#if Server
import Foundation
import GRDB

/// The versions of resources, in and out.
struct ResourceTable {
    let database: Database

    /// A version that is not written yet.
    struct Draft: Sendable {
        var name: String
        /// Must be greater than the newest; nil takes the next.
        var version: Int64?
        var size: Int64?
        var md5: String?
        var sha256: String?
        var url: String?
        var fromVersion: Int64?
    }

    /// The version that a draft becomes, or the newest one where that is the same; every check is made.
    func resolve(_ draft: Draft, by who: String, reason: String?, at now: Date) throws -> ResourcePut {
        let newest = try versions(of: draft.name, limit: 1).first
        let resource = ResourceVersion(
            name: draft.name, version: try Self.version(draft.version, after: newest), size: draft.size, md5: draft.md5,
            sha256: draft.sha256, externalURL: draft.url, at: now, who: who, reason: reason,
            fromVersion: draft.fromVersion
        )
        if let newest, draft.version == nil, newest.hasContent(of: resource) {
            return ResourcePut(resource: newest, isNew: false)
        }
        return ResourcePut(resource: resource, isNew: true)
    }

    /// Writes a version and the journal's row of it.
    func append(_ resource: ResourceVersion) throws {
        let entry = try JournalTable(database: database).append(JournalTable.Draft(
            at: resource.at, who: resource.who, action: resource.fromVersion == nil ? "resource" : "rollback",
            resource: resource.name, version: resource.version, fromVersion: resource.fromVersion,
            reason: resource.reason
        ))
        try database.execute(
            sql: "INSERT INTO resource_version (name, version, size, md5, sha256, url, entry) VALUES (?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                resource.name, resource.version, resource.size, resource.md5, resource.sha256, resource.externalURL,
                entry.id,
            ]
        )
    }

    /// The newest version of each resource, by name.
    func newest() throws -> [ResourceVersion] {
        try rows(
            """
            WHERE (r.name, r.version) IN (SELECT name, max(version) FROM resource_version GROUP BY name)
            ORDER BY r.name
            """
        )
    }

    /// Newest first.
    func versions(of name: String, limit: Int = -1) throws -> [ResourceVersion] {
        try rows("WHERE r.name = ? ORDER BY r.version DESC LIMIT \(limit)", [name])
    }

    func version(_ version: Int64, of name: String) throws -> ResourceVersion? {
        try rows("WHERE r.name = ? AND r.version = ?", [name, version]).first
    }

    func digests() throws -> Set<String> {
        Set(try String.fetchAll(
            database, sql: "SELECT DISTINCT sha256 FROM resource_version WHERE url IS NULL AND sha256 IS NOT NULL"
        ))
    }

    private static func version(_ asked: Int64?, after newest: ResourceVersion?) throws -> Int64 {
        let last = newest?.version ?? 0
        let version = asked ?? last + 1
        guard (1...ResourceVersion.versionLimit).contains(version) else {
            throw StoreError.invalid("a version must be 1 to \(ResourceVersion.versionLimit), found \(version)")
        }
        guard version > last else {
            throw StoreError(
                .conflict, "version \(version) is not above the newest, which is \(last)",
                hint: "clients only move up: leave the version out, or name one above \(last)"
            )
        }
        return version
    }

    private func rows(_ clause: String, _ arguments: StatementArguments = []) throws -> [ResourceVersion] {
        let sql = """
            SELECT r.*, j.at, j.who, j.reason, j.from_version FROM resource_version r JOIN journal j ON j.id = r.entry
            """
        return try Row.fetchAll(database, sql: "\(sql) \(clause)", arguments: arguments).map(ResourceVersion.init)
    }
}

extension ResourceVersion {
    init(_ row: Row) {
        self.init(
            name: row["name"], version: row["version"], size: row["size"], md5: row["md5"], sha256: row["sha256"],
            externalURL: row["url"], at: Date(milliseconds: row["at"]), who: row["who"], reason: row["reason"],
            fromVersion: row["from_version"]
        )
    }
}
#endif
