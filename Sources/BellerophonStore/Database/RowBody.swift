import BellerophonBase
import Foundation
import GRDB

/// What a row about something else than a status says, beside its other columns. Times are milliseconds since 1970.
///
/// Everything that a store knows follows from its rows: the views `token` and `proposal` of ``Schema`` read some of these texts, and
/// ``JournalTable/apply(_:)`` keeps the table of versions.
enum RowBody: Codable, Equatable, Sendable {
    /// The bytes of a version, or the address at which they are.
    case version(size: Int64?, md5: String?, sha256: String?, url: String?)
    /// Versions that are removed, and the SHA-256 of their bytes. Other versions may have the same bytes.
    case removal(versions: [Int64], contents: [String])
    /// A token, without its name: that is the row's. Who has made it is the row's author.
    case token(hash: String, scopes: String, person: String, quota: Int64?, expiresAt: Int64?)
    case proposal(change: ProposedChange, expiresAt: Int64, follows: Int64?)
    case rule(ApprovalRule)

    /// - Throws: ``StoreError`` of kind `newerStore` if this version does not know the row of something else than a status, or can't
    ///   read all that it says.
    init?(_ row: Row) throws(StoreError) {
        let (action, text) = (row[JournalColumn.action] as String, row[JournalColumn.body] as String?)
        if row[JournalColumn.app] as String? != nil || action == "token-revoke" { return nil }
        // A decision on a proposal, which may be one that only a newer version knows: see ``ProposalTable``.
        if text == nil, row[JournalColumn.proposal] as Int64? != nil { return nil }
        guard let text, let body = try? StoreJSON.value(Self.self, from: Data(text.utf8)),
            body.actions.contains(action), try StoreJSON.string(body) == text
        else {
            throw StoreError(
                .newerStore, "row \(row[JournalColumn.id] as Int64) of the journal, \(JSONText.quoted(action)), can't be read",
                hint: "use the newest version of bellerophon-server on every machine")
        }
        self = body
    }

    /// The actions of rows that have it.
    private var actions: [String] {
        switch self {
        case .version: ["resource", "rollback"]
        case .removal: ["resource-delete", "resource-prune"]
        case .token: ["token-create"]
        case .proposal: ["propose"]
        case .rule: [RuleChange.action]
        }
    }

    /// The SHA-256 of the bytes that a version needs.
    var contents: [String] { if case .version(_, _, let sha256?, url: nil) = self { [sha256] } else { [] } }

    /// The SHA-256 of the bytes of versions that are removed.
    var droppedContents: [String] { if case .removal(_, let contents) = self { contents } else { [] } }
}

extension JournalTable {
    /// Keeps the table of versions as the rows say.
    func apply(_ row: Row) throws {
        let (id, name) = (row[JournalColumn.id] as Int64, row[JournalColumn.resource] as String?)
        switch try RowBody(row) {
        case .version(let size, let md5, let sha256, let url):
            // The token whose quota counts.
            let owner = row.author?.tokenName
            try database.execute(
                sql:
                    "INSERT INTO resource_version (name, version, size, md5, sha256, url, entry, owner) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [name, row[JournalColumn.version] as Int64?, size, md5, sha256, url, id, owner])
        case .removal(let versions, _):
            for version in versions {
                try database.execute(
                    sql: "DELETE FROM resource_version WHERE name = ? AND version = ?", arguments: [name, version])
            }
        case .token, .proposal, .rule, nil: break
        }
    }
}
