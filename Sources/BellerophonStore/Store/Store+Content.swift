extension Store {
    /// The files of resources that are not as they were published.
    package var contentDamage: ContentDamage { content.verified.damage }

    /// The digests of the files that are damaged or missing.
    package var damagedContent: [String] { content.verified.damaged }

    /// Whether this process has read a file in that state, and it had the digest of its name.
    package func isVerified(_ sha256: String, _ stamp: FileStamp) -> Bool { content.verified.has(sha256, stamp, isSound: true) }

    /// Whether this process has found a file damaged, and it is in the same state still.
    package func isKnownDamaged(_ sha256: String) -> Bool {
        content.verified.has(sha256, FileStamp(content.file(sha256)), isSound: false)
    }

    /// A new reading of a file, to be run step by step.
    /// - Parameter size: in bytes; nil if it is unknown.
    package func contentCheck(_ sha256: String, size: Int64?) -> ContentCheck {
        ContentCheck(content.file(sha256), sha256: sha256, size: size)
    }

    /// Notes what a reading has found.
    /// - Returns: whether that is news: damage that was not known, or its end.
    package func recordVerification(_ outcome: ContentCheck.Outcome, of sha256: String) -> Bool {
        switch outcome {
        case .sound(let stamp): content.verified.add(sha256, stamp)
        case .damaged(let stamp, _): content.verified.add(sha256, stamp, isSound: false)
        case .changed: false
        }
    }

    /// Replaces a file by the bytes that other servers have.
    /// - Returns: false if this store is this machine's alone, or the bytes are not there either.
    package func repairContent(_ sha256: String) async throws(StoreError) -> Bool {
        guard let bytes = database.shared?.bytes else { return false }
        return try await onOwnThread { [content] () throws(StoreError) in
            let incoming = try content.receive()
            defer { incoming.discard() }
            guard try bytes.fetch(sha256, to: incoming) else { return false }
            try content.place(incoming, as: sha256)
            return true
        }
    }

    /// Whether a version has the bytes. If none has, their damage does not matter any more.
    package func needsContent(_ sha256: String) throws(StoreError) -> Bool {
        let isNeeded = try database.read { try ResourceTable(database: $0).needs(sha256) }
        if !isNeeded { content.verified.remove(sha256) }
        return isNeeded
    }

    /// - Throws: ``StoreError`` of kind `damaged` if the bytes of a draft are not as they were published.
    func checkContent(of draft: ResourceTable.Draft) throws(StoreError) {
        guard draft.url == nil, let sha256 = draft.sha256 else { return }
        if let stamp = FileStamp(content.file(sha256)), isVerified(sha256, stamp) { return }
        let check = contentCheck(sha256, size: draft.size)
        var outcome: ContentCheck.Outcome?
        while outcome == nil { outcome = try check.step() }
        guard let outcome else { return }
        _ = recordVerification(outcome, of: sha256)
        guard case .sound = outcome else {
            throw StoreError(
                .damaged, "the file of \(draft.name) with the SHA-256 \(sha256.prefix(16))… is not as it was published",
                hint: "publish its bytes again instead; nothing was published")
        }
    }
}
