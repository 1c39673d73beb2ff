import Foundation

/// The result of removing versions of resources.
package struct ResourceRemoval: Codable, Equatable, Sendable {
    /// A resource and its removed versions, the newest first.
    package struct Removed: Codable, Equatable, Sendable {
        package let name: String
        package let versions: [Int64]
    }

    package let removed: [Removed]
    /// The size of the deleted files in bytes.
    package let freedBytes: Int64
}

extension Store {
    /// The permitted number of versions to keep.
    package static let keptVersions = 1...10_000

    /// Removes a resource, or one version that is not the newest. Clients never go back to a lower version, so that the
    /// newest is replaced by an older one (``ResourceSource/older(_:)``) or by removing the whole resource. The journal keeps
    /// its rows, and no version number is used again.
    /// - Parameter isDryRun: only says what would be removed.
    package func deleteResource(
        _ name: String, version: Int64? = nil, by author: Author, reason: String? = nil, isDryRun: Bool = false
    ) async throws(StoreError) -> ResourceRemoval {
        let (newest, versions) = try existingVersions(of: name)
        if let version {
            guard versions.contains(where: { $0.version == version }) else {
                throw Self.noVersion(of: name, wanted: version, versions)
            }
            guard version != newest.version else {
                throw StoreError(
                    .conflict, "version \(version) of \(name) is the newest; clients would keep it",
                    hint: "go back with `resource rollback` first, or delete the whole resource"
                )
            }
        }
        let removed = ResourceRemoval.Removed(name: name, versions: version.map { [$0] } ?? versions.map(\.version))
        return try await remove([removed], action: "resource-delete", by: author, reason, isDryRun)
    }

    /// Removes all but the newest versions of each resource, or of one, and every file that no version uses.
    /// - Parameters:
    ///   - kept: the number of versions to keep, at least 1.
    ///   - isDryRun: only says what would be removed.
    package func pruneResources(
        _ name: String? = nil, keeping kept: Int, by author: Author, reason: String? = nil, isDryRun: Bool = false
    ) async throws(StoreError) -> ResourceRemoval {
        guard Self.keptVersions.contains(kept) else {
            throw .invalid("the number of versions to keep must be 1 to \(Self.keptVersions.upperBound), found \(kept)")
        }
        var removed: [ResourceRemoval.Removed] = []
        let names = if let name { [name] } else { try database.read { try ResourceTable(database: $0).names() } }
        for name in names {
            let old = try existingVersions(of: name).all.dropFirst(kept).map(\.version)
            if !old.isEmpty { removed.append(ResourceRemoval.Removed(name: name, versions: old)) }
        }
        return try await remove(removed, action: "resource-prune", by: author, reason, isDryRun, sweepsAll: true)
    }

    /// Removes versions and writes their journal rows in one transaction, then deletes the files that no version uses.
    private func remove(
        _ removed: [ResourceRemoval.Removed], action: String, by author: Author, _ text: String?, _ isDryRun: Bool,
        sweepsAll: Bool = false
    ) async throws(StoreError) -> ResourceRemoval {
        try StoreText.validate(text, "reason", limit: StoreText.reasonLimit)
        if isDryRun { return ResourceRemoval(removed: removed, freedBytes: 0) }
        let (reason, now) = (StoreText.singleLine(text), now)
        let digests = try await database.write { [self] database in
            _ = try checkedToken(of: author, for: .resources, in: database)
            var digests: [String] = []
            for one in removed {
                let table = ResourceTable(database: database)
                let versions = try table.versions(of: one.name)
                let contents = versions.filter { one.versions.contains($0.version) && $0.externalURL == nil }.compactMap(\.sha256)
                digests += contents
                let journal = JournalTable(database: database)
                _ = try journal.append(
                    JournalEntry(
                        at: now, who: author.name, action: action, resource: one.name,
                        version: try journal.lastVersion(of: one.name) ?? versions.first?.version,
                        reason: [reason, "versions \(Self.ranges(one.versions))"].compactMap { $0 }.joined(separator: "; "),
                        author: author), .removal(versions: one.versions, contents: contents))
            }
            return digests
        }
        let freed = try await onOwnThread { [self] () throws(StoreError) in
            if sweepsAll { content.removeLeftovers() }
            return try content.removeGarbage(sweepsAll ? nil : digests) { digest throws(StoreError) in
                try database.read { try ResourceTable(database: $0).needs(digest) }
            }
        }
        return ResourceRemoval(removed: removed, freedBytes: freed)
    }

    /// Versions as text, descending: `7, 5-3`.
    private static func ranges(_ versions: [Int64]) -> String {
        IndexSet(versions.map { Int($0) }).rangeView.reversed().map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.upperBound - 1)-\($0.lowerBound)"
        }.joined(separator: ", ")
    }
}
