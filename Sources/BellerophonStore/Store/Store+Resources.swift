import BellerophonBase
import Digests
import Dispatch
import Foundation

/// What the newest version of a resource gets.
package enum ResourceSource: Sendable {
    /// Bytes from ``Store/receive(size:)``, and the digests that they must have. The version must be higher than the newest; nil
    /// selects the next.
    case content(IncomingContent, version: Int64? = nil, expected: [Digest] = [])
    /// Bytes that are stored elsewhere.
    case external(ExternalResource)
    /// The bytes of an older version, under a new and higher one, because clients never go back to a lower version. Nil selects
    /// the newest version with other bytes.
    case older(Int64?)
}

extension Store {
    /// Begins to receive a resource's bytes.
    /// - Parameter size: the number of bytes, if known.
    /// - Throws: ``StoreError`` of kind `full` if too little space would remain for statuses.
    package func receive(size: Int64? = nil) throws(StoreError) -> IncomingContent {
        try uploadSpace.require(size ?? 0)
        return try IncomingContent(in: content.incoming, space: uploadSpace)
    }

    /// Publishes a resource's newest version. Received bytes are consumed by this call.
    /// - Parameter request: the caller's key for this request; a repeated request is performed only once.
    package func putResource(
        _ name: String, _ source: ResourceSource, by author: Author, reason: String? = nil, request: RequestKey? = nil
    ) async throws(StoreError) -> ResourcePut {
        defer { if case .content(let incoming, _, _) = source { incoming.discard() } }
        try StoreText.validate(reason, "reason", limit: StoreText.reasonLimit)
        let origin = ResourceTable.Origin(
            author: author, reason: StoreText.singleLine(reason), request: request, at: now)
        return try await onOwnThread { [self] () throws(StoreError) in
            switch source {
            case .external: return try append(draft(name, source), from: origin)
            case .content(let incoming, _, _):
                let draft = try draft(name, source)
                let summary = try incoming.finish()
                return try content.keepingFiles { () throws(StoreError) in
                    if request == nil { _ = try preview(draft) }
                    try content.place(summary, from: incoming.file)
                    return try append(draft, from: origin)
                }
            case .older(let version):
                return try content.keepingFiles { () throws(StoreError) in
                    if let request, let former = try rollback(of: name, to: version, origin.reason, named: request) {
                        return former
                    }
                    let draft = try draft(name, source)
                    try checkContent(of: draft)
                    return try append(draft, from: origin)
                }
            }
        }
    }

    /// The version that ``putResource(_:_:by:reason:request:)`` would publish. Nothing is changed.
    package func previewResource(_ name: String, _ source: ResourceSource) throws(StoreError) -> ResourcePut {
        try preview(draft(name, source))
    }

    /// The result of an earlier rollback with the same key.
    private func rollback(
        of name: String, to target: Int64?, _ reason: String?, named request: RequestKey
    ) throws(StoreError) -> ResourcePut? {
        try database.read { database in
            guard let row = try JournalTable(database: database).row(of: request.text) else { return nil }
            guard row.resource == name, row.action == "rollback", row.reason == reason,
                target == nil || row.fromVersion == target, let version = row.version,
                let former = try ResourceTable(database: database).version(version, of: name)
            else { throw RequestKey.reused(request.text, row: row.id) }
            return ResourcePut(resource: former, isNew: true)
        }
    }

    /// Adds a version and its journal row in one transaction.
    private func append(_ draft: ResourceTable.Draft, from origin: ResourceTable.Origin) throws(StoreError) -> ResourcePut {
        let contents = draft.url == nil ? [draft.sha256].compactMap(\.self) : []
        return try database.writeNow(keeping: contents) { database in
            // The bytes may have taken minutes to arrive.
            _ = try checkedToken(of: origin.author, for: .resources, in: database)
            return try ResourceTable(database: database).put(draft, from: origin)
        }
    }

    /// Checks whether a resource could be published under this name and version, before its bytes are sent.
    /// - Parameters:
    ///   - size: the number of bytes, if known.
    ///   - author: the author, whose quota is checked if it is a token.
    package func checkPut(_ name: String, version: Int64?, size: Int64? = nil, by author: Author) throws(StoreError) {
        try ResourceVersion.checkName(name)
        _ = try preview(ResourceTable.Draft(name: name, version: version))
        guard author.kind == .token else { return }
        try database.read { try ResourceTable(database: $0).checkQuota(of: author.name, adding: size ?? 1) }
    }

    /// The newest version of each resource, by name.
    package func resources() throws(StoreError) -> [ResourceVersion] {
        try database.readList { try ResourceTable(database: $0).newest() }
    }

    /// Every version of a resource, newest first.
    package func versions(of name: String) throws(StoreError) -> [ResourceVersion] {
        try database.readList { try ResourceTable(database: $0).versions(of: name) }
    }

    /// The same with the newest one.
    /// - Throws: ``StoreError`` of kind `notFound` if there is none.
    func existingVersions(of name: String) throws(StoreError) -> (newest: ResourceVersion, all: [ResourceVersion]) {
        let versions = try versions(of: name)
        guard let newest = versions.first else {
            throw StoreError(.notFound, "there is no resource \(JSONText.quoted(name))")
        }
        return (newest, versions)
    }

    /// One version of a resource.
    package func resource(_ name: String, version: Int64) throws(StoreError) -> ResourceVersion? {
        try database.read { try ResourceTable(database: $0).version(version, of: name) }
    }

    /// The file with a version's bytes, which never changes; nil for an external resource.
    package func file(for resource: ResourceVersion) -> URL? {
        guard resource.externalURL == nil, let sha256 = resource.sha256 else { return nil }
        return content.file(sha256)
    }

    private func preview(_ draft: ResourceTable.Draft) throws(StoreError) -> ResourcePut {
        let now = now
        return try database.read { database in
            try ResourceTable(database: database).resolve(draft, from: ResourceTable.Origin(author: .nobody, at: now))
        }
    }

    private func draft(_ name: String, _ source: ResourceSource) throws(StoreError) -> ResourceTable.Draft {
        switch source {
        case .content(let incoming, let version, let expected):
            try ResourceVersion.checkName(name)
            let summary = try incoming.finish()
            for digest in expected {
                let found = digest.kind == .md5 ? summary.md5 : summary.sha256
                guard found != digest else { continue }
                throw StoreError(
                    .digestMismatch, "the bytes have the \(found.kind.rawValue) \(found.hex), not \(digest.hex)",
                    hint: "they were changed in transit, or the digest is of another file; nothing was published"
                )
            }
            return ResourceTable.Draft(
                name: name, version: version, size: summary.size, md5: summary.md5.hex, sha256: summary.sha256.hex)
        case .external(let external):
            try ResourceVersion.checkName(name)
            try external.validate()
            return ResourceTable.Draft(
                name: name, version: external.version, size: external.size, md5: external.md5, sha256: external.sha256,
                url: external.url)
        case .older(let version): return try rollbackDraft(name, to: version)
        }
    }

    private func rollbackDraft(_ name: String, to version: Int64?) throws(StoreError) -> ResourceTable.Draft {
        let (newest, versions) = try existingVersions(of: name)
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

    static func noVersion(of name: String, wanted: Int64?, _ versions: [ResourceVersion]) -> StoreError {
        guard let wanted else {
            let what = versions.count == 1 ? "one version only" : "the same bytes in every version"
            return StoreError(.conflict, "\(name) has \(what); there is nothing to go back to")
        }
        let known = versions.prefix(10).map { String($0.version) }.joined(separator: ", ")
        return StoreError(.notFound, "\(name) has no version \(wanted)", hint: "it has \(known)")
    }
}

/// Runs blocking disk work outside of the threads of Swift concurrency.
func onOwnThread<Value: Sendable>(
    _ work: @escaping @Sendable () throws(StoreError) -> Value
) async throws(StoreError) -> Value {
    try await PendingWrite.run { pending, continuation in
        DispatchQueue.global().async {
            let result = PendingWrite.$present.withValue(pending) { Result { () throws(StoreError) in try work() } }
            continuation.resume(returning: result)
        }
    }
}
