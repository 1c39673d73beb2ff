#if Server
public import CloudBox
import Dispatch
public import Foundation

extension Store {
    /// Begins to take a resource's bytes.
    public func receive() throws(StoreError) -> IncomingContent {
        try IncomingContent(in: content.incoming)
    }

    /// Publishes the bytes that came in as a resource's newest version.
    /// - Parameters:
    ///   - content: from ``receive()``; used up.
    ///   - version: must be greater than the newest; nil takes the next.
    ///   - expected: what the bytes must be.
    public func putResource(
        _ name: String, content incoming: IncomingContent, version: Int64? = nil, expected: [Digest] = [],
        by who: String, reason: String? = nil
    ) async throws(StoreError) -> ResourcePut {
        defer { incoming.discard() }
        let (who, now) = (StoreText.who(who), now)
        try StoreText.check(reason, "reason", limit: StoreText.reasonLimit)
        return try await onOwnThread { [self] () throws(StoreError) in
            let draft = try draft(name, incoming, version, expected)
            let summary = try incoming.finish()
            return try content.keepingFiles { () throws(StoreError) in
                try checkVersion(draft)
                try content.place(summary, from: incoming.file)
                return try append(draft, by: who, reason: reason, at: now)
            }
        }
    }

    /// The same from a file.
    public func putResource(
        _ name: String, file: URL, version: Int64? = nil, expected: [Digest] = [], by who: String,
        reason: String? = nil
    ) async throws(StoreError) -> ResourcePut {
        try ResourceVersion.checkName(name)
        let incoming = try receive()
        try await onOwnThread { () throws(StoreError) in try incoming.copy(file) }
        return try await putResource(name, content: incoming, version: version, expected: expected, by: who, reason: reason)
    }

    /// Publishes a resource whose bytes are elsewhere.
    public func putExternal(
        _ name: String, _ external: ExternalResource, by who: String, reason: String? = nil
    ) async throws(StoreError) -> ResourcePut {
        try StoreText.check(reason, "reason", limit: StoreText.reasonLimit)
        let draft = try draft(name, external)
        let (who, now) = (StoreText.who(who), now)
        return try await onOwnThread { [self] () throws(StoreError) in try append(draft, by: who, reason: reason, at: now) }
    }

    /// Publishes the bytes of an older version under a new, higher one: clients only move up.
    /// - Parameter version: nil takes the newest one with other bytes.
    public func rollback(
        _ name: String, to version: Int64? = nil, by who: String, reason: String? = nil
    ) async throws(StoreError) -> ResourceVersion {
        try StoreText.check(reason, "reason", limit: StoreText.reasonLimit)
        let (who, now) = (StoreText.who(who), now)
        return try await onOwnThread { [self] () throws(StoreError) in
            try content.keepingFiles { () throws(StoreError) in
                let draft = try rollbackDraft(name, to: version)
                return try append(draft, by: who, reason: reason, at: now).resource
            }
        }
    }

    /// Adds a version in one transaction with the journal's row of it.
    private func append(
        _ draft: ResourceTable.Draft, by who: String, reason: String?, at now: Date
    ) throws(StoreError) -> ResourcePut {
        try database.writeNow { database in
            let table = ResourceTable(database: database)
            let put = try table.resolve(draft, by: who, reason: StoreText.note(reason), at: now)
            if put.isNew { try table.append(put.resource) }
            return put
        }
    }

    /// Whether a resource could be put under this name and version now, before its bytes are sent.
    public func checkPut(_ name: String, version: Int64?) throws(StoreError) {
        try ResourceVersion.checkName(name)
        try checkVersion(ResourceTable.Draft(name: name, version: version))
    }

    private func checkVersion(_ draft: ResourceTable.Draft) throws(StoreError) {
        _ = try preview(draft)
    }
}

extension Store {
    /// What putting would publish; every check is made and nothing is changed.
    public func previewResource(
        _ name: String, content incoming: IncomingContent, version: Int64? = nil, expected: [Digest] = []
    ) throws(StoreError) -> ResourcePut {
        try preview(draft(name, incoming, version, expected))
    }

    /// The same of a file.
    public func previewResource(
        _ name: String, file: URL, version: Int64? = nil, expected: [Digest] = []
    ) async throws(StoreError) -> ResourcePut {
        let incoming = try receive()
        defer { incoming.discard() }
        try await onOwnThread { () throws(StoreError) in try incoming.copy(file) }
        return try previewResource(name, content: incoming, version: version, expected: expected)
    }

    public func previewExternal(_ name: String, _ external: ExternalResource) throws(StoreError) -> ResourcePut {
        try preview(draft(name, external))
    }

    public func previewRollback(_ name: String, to version: Int64? = nil) throws(StoreError) -> ResourceVersion {
        try preview(rollbackDraft(name, to: version)).resource
    }

    /// The newest version of each resource, by name.
    public func resources() throws(StoreError) -> [ResourceVersion] {
        try database.read { try ResourceTable(database: $0).newest() }
    }

    /// Every version of a resource, newest first.
    public func versions(of name: String) throws(StoreError) -> [ResourceVersion] {
        try database.read { try ResourceTable(database: $0).versions(of: name) }
    }

    /// One version of a resource.
    /// - Parameter version: nil takes the newest.
    public func resource(_ name: String, version: Int64? = nil) throws(StoreError) -> ResourceVersion? {
        try database.read { database in
            let table = ResourceTable(database: database)
            guard let version else { return try table.versions(of: name, limit: 1).first }
            return try table.version(version, of: name)
        }
    }

    /// The file with a version's bytes, which never changes; nil for an external resource.
    public func file(for resource: ResourceVersion) -> URL? {
        guard resource.externalURL == nil, let sha256 = resource.sha256 else { return nil }
        return content.file(sha256)
    }

    func digestsInUse() throws(StoreError) -> Set<String> {
        try database.read { try ResourceTable(database: $0).digests() }
    }

    private func preview(_ draft: ResourceTable.Draft) throws(StoreError) -> ResourcePut {
        let now = now
        return try database.read { database in
            try ResourceTable(database: database).resolve(draft, by: "", reason: nil, at: now)
        }
    }
}

extension Store {
    private func draft(
        _ name: String, _ incoming: IncomingContent, _ version: Int64?, _ expected: [Digest]
    ) throws(StoreError) -> ResourceTable.Draft {
        try ResourceVersion.checkName(name)
        let summary = try incoming.finish()
        for digest in expected {
            let found = digest.kind == .md5 ? summary.md5 : summary.sha256
            guard found != digest else { continue }
            throw StoreError(
                .digestMismatch, "the bytes have the \(found.kind.rawValue) \(found.hex), not \(digest.hex)",
                hint: "they were changed on the way, or the digest is of another file; nothing was published"
            )
        }
        return ResourceTable.Draft(
            name: name, version: version, size: summary.size, md5: summary.md5.hex, sha256: summary.sha256.hex
        )
    }

    private func draft(_ name: String, _ external: ExternalResource) throws(StoreError) -> ResourceTable.Draft {
        try ResourceVersion.checkName(name)
        try external.validate()
        return ResourceTable.Draft(
            name: name, version: external.version, size: external.size, md5: external.md5, sha256: external.sha256,
            url: external.url
        )
    }

    private func rollbackDraft(_ name: String, to version: Int64?) throws(StoreError) -> ResourceTable.Draft {
        let versions = try versions(of: name)
        guard let newest = versions.first else {
            throw StoreError(.notFound, "there is no resource \(StoreJSON.quoted(name))")
        }
        let wanted = version ?? versions.first { !$0.hasContent(of: newest) }?.version
        guard let wanted, let old = versions.first(where: { $0.version == wanted }) else {
            throw Self.noVersion(of: name, wanted: version, versions)
        }
        guard old.version != newest.version else {
            throw StoreError(.conflict, "version \(wanted) of \(name) is the newest already")
        }
        if let file = file(for: old), ContentFolder.size(of: file) != old.size {
            throw StoreError(.damaged, "the file of \(name) version \(wanted) is not in the store any more")
        }
        return ResourceTable.Draft(
            name: name, version: newest.version + 1, size: old.size, md5: old.md5, sha256: old.sha256,
            url: old.externalURL, fromVersion: old.version
        )
    }

    private static func noVersion(of name: String, wanted: Int64?, _ versions: [ResourceVersion]) -> StoreError {
        guard let wanted else {
            let what = versions.count == 1 ? "one version only" : "the same bytes in every version"
            return StoreError(.conflict, "\(name) has \(what); there is nothing to go back to")
        }
        let known = versions.prefix(10).map { String($0.version) }.joined(separator: ", ")
        return StoreError(.notFound, "\(name) has no version \(wanted)", hint: "it has \(known)")
    }
}

/// Runs work that waits for the disk outside of the threads that tasks share.
private func onOwnThread<Value: Sendable>(
    _ work: @escaping @Sendable () throws(StoreError) -> Value
) async throws(StoreError) -> Value {
    let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            continuation.resume(returning: Result { () throws(StoreError) in try work() })
        }
    }
    return try result.get()
}
#endif
