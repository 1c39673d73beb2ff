import Foundation
import GRDB

/// Access to the table of resource versions.
struct ResourceTable {
    let database: Database

    /// A version that is not written yet.
    struct Draft: Sendable {
        var name: String
        /// Must be higher than the newest; nil selects the next.
        var version: Int64?
        var size: Int64?
        var md5: String?
        var sha256: String?
        var url: String?
        var fromVersion: Int64?
    }

    /// The author of a version and the reason.
    struct Origin: Sendable {
        var author: Author
        var reason: String?
        var request: RequestKey?
        var at: Date
    }

    /// The version that a draft becomes, or the newest one if the content is the same. All checks are performed.
    func resolve(_ draft: Draft, from origin: Origin) throws -> ResourcePut {
        let newest = try versions(of: draft.name, limit: 1).first
        // The number of a deleted version is not used again, because clients may have it.
        let last = max(newest?.version ?? 0, try JournalTable(database: database).lastVersion(of: draft.name) ?? 0)
        let resource = ResourceVersion(
            name: draft.name, version: try Self.version(draft.version, after: last), size: draft.size, md5: draft.md5,
            sha256: draft.sha256, externalURL: draft.url, at: origin.at, who: origin.author.name, reason: origin.reason,
            fromVersion: draft.fromVersion
        )
        if let newest, draft.version == nil, newest.hasContent(of: resource) {
            return ResourcePut(resource: newest, isNew: false)
        }
        return ResourcePut(resource: resource, isNew: true)
    }

    /// Adds the version that a draft becomes, unless it equals the newest or the request is repeated.
    func put(_ draft: Draft, from origin: Origin) throws -> ResourcePut {
        if let request = origin.request, let row = try JournalTable(database: database).row(of: request.text) {
            guard row.resource == draft.name, let number = row.version, let former = try version(number, of: draft.name),
                former.hasBytes(of: draft), former.fromVersion == draft.fromVersion
            else { throw RequestKey.reused(request.text, row: row.id) }
            return ResourcePut(resource: former, isNew: true)
        }
        let put = try resolve(draft, from: origin)
        guard put.isNew else { return put }
        if let owner = origin.author.tokenName { try checkQuota(of: owner, adding: draft.size ?? 0) }
        let resource = put.resource
        _ = try JournalTable(database: database).append(
            JournalTable.Draft(
                at: origin.at, author: origin.author, action: resource.fromVersion == nil ? "resource" : "rollback",
                resource: resource.name, version: resource.version, fromVersion: resource.fromVersion,
                reason: resource.reason, request: origin.request?.text,
                body: .version(
                    size: resource.size, md5: resource.md5, sha256: resource.sha256, url: resource.externalURL)))
        return put
    }

    /// - Throws: ``StoreError`` of kind `full` if the versions would exceed the quota of the token, or of a token with which it
    ///   was made. A token's quota is for all tokens together that were made with it.
    func checkQuota(of token: String, adding size: Int64) throws {
        let tokens = TokenTable(database: database)
        for limited in try tokens.line(of: token) {
            guard let quota = limited.quota else { continue }
            let used = try tokens.usedBytes(of: limited.name)
            guard used > quota || size > quota - used else { continue }
            throw StoreError(
                .full,
                "the token \(limited.name) may have \(quota) bytes of resources; it has \(used), and \(size) would be added",
                hint: "delete old versions, or make a token with a larger --quota; nothing was published"
            )
        }
    }

    /// The names of all resources, read through the index: the cost grows with the number of names, not of versions.
    func names() throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                WITH RECURSIVE resource(name) AS (
                    SELECT min(name) FROM resource_version
                    UNION ALL
                    SELECT (SELECT min(name) FROM resource_version WHERE name > resource.name) FROM resource
                    WHERE resource.name IS NOT NULL
                )
                SELECT name FROM resource WHERE name IS NOT NULL
                """)
    }

    /// The newest version of each resource, by name.
    /// - Parameter missing: the SHA-256 of bytes that are not here. Versions with them are left out.
    func newest(without missing: Set<String> = []) throws -> [ResourceVersion] {
        try names().compactMap { name in
            if let newest = try versions(of: name, limit: 1).first, newest.isComplete(without: missing) { return newest }
            return missing.isEmpty ? nil : try versions(of: name).first { $0.isComplete(without: missing) }
        }
    }

    /// Newest first.
    func versions(of name: String, limit: Int = -1) throws -> [ResourceVersion] {
        try rows("WHERE r.name = ? ORDER BY r.version DESC LIMIT \(limit)", [name])
    }

    func version(_ version: Int64, of name: String) throws -> ResourceVersion? {
        try rows("WHERE r.name = ? AND r.version = ?", [name, version]).first
    }

    /// The SHA-256 of all bytes that versions use, in order.
    func contents() throws -> [String] {
        try String.fetchAll(
            database, sql: "SELECT DISTINCT sha256 FROM resource_version WHERE sha256 IS NOT NULL AND url IS NULL ORDER BY sha256"
        )
    }

    /// Whether any version uses these bytes.
    func needs(_ sha256: String) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT 1 FROM resource_version WHERE sha256 IS NOT NULL AND sha256 = ? AND url IS NULL)",
            arguments: [sha256]
        ) ?? false
    }

    private static func version(_ asked: Int64?, after last: Int64) throws -> Int64 {
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

extension ResourceVersion {
    fileprivate func isComplete(without missing: Set<String>) -> Bool {
        guard let sha256, externalURL == nil else { return true }
        return !missing.contains(sha256)
    }
}
