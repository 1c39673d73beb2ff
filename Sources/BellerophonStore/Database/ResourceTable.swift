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
            JournalEntry(
                at: origin.at, who: resource.who, action: resource.fromVersion == nil ? "resource" : "rollback",
                resource: resource.name, version: resource.version, fromVersion: resource.fromVersion,
                reason: resource.reason, author: origin.author, request: origin.request?.text),
            .version(size: resource.size, md5: resource.md5, sha256: resource.sha256, url: resource.externalURL))
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

    /// The names of all resources, in order.
    func names() throws -> [String] {
        try String.fetchAll(database, sql: "SELECT DISTINCT name FROM resource_version ORDER BY name")
    }

    /// The newest version of each resource, by name.
    /// - Parameter missing: the SHA-256 of bytes that are not here. Versions with them are left out.
    func newest(without missing: Set<String> = []) throws -> [ResourceVersion] {
        try rows(
            """
            WHERE (r.name, r.version) IN (
                SELECT name, max(version) FROM resource_version
                WHERE url IS NOT NULL OR sha256 IS NULL OR sha256 NOT IN (SELECT value FROM json_each(?)) GROUP BY name
            ) ORDER BY r.name
            """, [StoreJSON.string(missing)])
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
        try !rows("WHERE r.sha256 IS NOT NULL AND r.sha256 = ? AND r.url IS NULL LIMIT 1", [sha256]).isEmpty
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
            SELECT r.*, r.url AS externalURL, j.at, j.who, j.reason, j.from_version AS fromVersion
            FROM resource_version r JOIN journal j ON j.id = r.entry \(clause)
            """
        return try ResourceVersion.fetchAll(database, sql: sql, arguments: arguments)
    }
}

extension ResourceVersion: FetchableRecord {
    package static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .millisecondsSince1970
    }
}
