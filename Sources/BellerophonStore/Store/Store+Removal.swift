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

    package init(removed: [Removed], freedBytes: Int64) {
        self.removed = removed
        self.freedBytes = freedBytes
    }
}

extension Store {
    /// The permitted number of versions to keep.
    package static let keptVersions = 1...10_000

    /// Removes a resource, or one version that is not the newest. Clients never go back to a lower version, so that the
    /// newest is replaced by ``rollback(_:to:by:reason:request:)`` or by removing the whole resource. The journal keeps
    /// its rows, and no version number is used again.
    package func deleteResource(
        _ name: String, version: Int64? = nil, by author: Author, reason: String? = nil
    ) async throws(StoreError) -> ResourceRemoval {
        try StoreText.validate(reason, "reason", limit: StoreText.reasonLimit)
        let note = StoreText.singleLine(reason)
        let removal = try previewDeletion(name, version: version)
        return try await remove(removal, action: "resource-delete", by: author, reason: note)
    }

    /// Removes all but the newest versions of each resource, or of one, and every file that no version uses.
    /// - Parameter kept: the number of versions to keep, at least 1.
    package func pruneResources(
        _ name: String? = nil, keeping kept: Int, by author: Author, reason: String? = nil
    ) async throws(StoreError) -> ResourceRemoval {
        try StoreText.validate(reason, "reason", limit: StoreText.reasonLimit)
        let note = StoreText.singleLine(reason)
        let removal = try previewPruning(name, keeping: kept)
        return try await remove(removal, action: "resource-prune", by: author, reason: note, sweepsAll: true)
    }

    /// The versions that ``deleteResource(_:version:by:reason:)`` would remove.
    package func previewDeletion(_ name: String, version: Int64? = nil) throws(StoreError) -> [ResourceRemoval.Removed] {
        let (newest, versions) = try existingVersions(of: name)
        guard let version else { return [ResourceRemoval.Removed(name: name, versions: versions.map(\.version))] }
        guard versions.contains(where: { $0.version == version }) else {
            throw Self.noVersion(of: name, wanted: version, versions)
        }
        guard version != newest.version else {
            throw StoreError(
                .conflict, "version \(version) of \(name) is the newest; clients would keep it",
                hint: "go back with `resource rollback` first, or delete the whole resource"
            )
        }
        return [ResourceRemoval.Removed(name: name, versions: [version])]
    }

    /// The versions that ``pruneResources(_:keeping:by:reason:)`` would remove.
    package func previewPruning(_ name: String? = nil, keeping kept: Int) throws(StoreError) -> [ResourceRemoval.Removed] {
        guard Self.keptVersions.contains(kept) else {
            throw .invalid("the number of versions to keep must be 1 to \(Self.keptVersions.upperBound), found \(kept)")
        }
        let names: [String]
        if let name { names = [name] } else { names = try database.read { try ResourceTable(database: $0).names() } }
        var removed: [ResourceRemoval.Removed] = []
        for name in names {
            let old = try existingVersions(of: name).all.dropFirst(kept).map(\.version)
            if !old.isEmpty { removed.append(ResourceRemoval.Removed(name: name, versions: old)) }
        }
        return removed
    }

    /// Removes versions and writes their journal rows in one transaction, then deletes the files that no version uses.
    private func remove(
        _ removed: [ResourceRemoval.Removed], action: String, by author: Author, reason: String?, sweepsAll: Bool = false
    ) async throws(StoreError) -> ResourceRemoval {
        let now = now
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
                    JournalTable.Draft(
                        at: now, author: author, action: action, resource: one.name,
                        version: try journal.lastVersion(of: one.name) ?? versions.first?.version,
                        reason: [reason, "versions \(Self.ranges(one.versions))"].compactMap { $0 }.joined(separator: "; "),
                        body: .removal(versions: one.versions, contents: contents)))
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

    /// Descending versions as text: `7, 5-3`.
    static func ranges(_ versions: [Int64]) -> String {
        var runs: [(first: Int64, last: Int64)] = []
        for version in versions {
            if let run = runs.last, run.last == version + 1 {
                runs[runs.count - 1].last = version
            } else {
                runs.append((version, version))
            }
        }
        return runs.map { $0.first == $0.last ? "\($0.first)" : "\($0.first)-\($0.last)" }.joined(separator: ", ")
    }
}
