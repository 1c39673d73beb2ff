import Digests
import Foundation

/// Where the bytes of the resources in a shared store are, by their SHA-256: beside the rows of the journal, or in a folder that
/// all servers see, such as one on a file server.
struct SharedContent: Sendable {
    let journal: any SharedJournal
    /// Nil if the journal has the bytes.
    let folder: URL?

    /// Keeps a file for all servers, unless its bytes are there.
    /// - Parameters:
    ///   - change: the change that publishes them, which makes them durable at the latest when it is committed; nil before that
    ///     change.
    ///   - hint: what a person can do if the file is too large.
    /// - Returns: whether bytes were added that have to be removed if they are not published.
    @discardableResult
    func save(_ file: URL, sha256: String, with change: (any SharedChange)? = nil, hint: String = usualHint) throws -> Bool {
        if let folder {
            try Self.save(file, sha256: sha256, in: folder)
            return false
        }
        if let size = ContentFolder.size(of: file), size > Self.limit {
            throw StoreError(
                .full, "a resource of \(size) bytes is too large for the shared store, which takes \(Self.limit)", hint: hint)
        }
        if try change?.hasContent(sha256) == true { return false }
        guard let data = FileManager.default.contents(atPath: file.path), Digest(.sha256, of: data)?.hex == sha256 else {
            throw StoreError(.damaged, "the file of a resource is not in the store, or is changed", hint: "publish it again")
        }
        guard let change else { return try journal.save(data, sha256: sha256) }
        try change.save(data, sha256: sha256)
        return true
    }

    static let usualHint =
        "the setting `content` names a folder that the servers share; or publish an external address; nothing was published"

    private static func save(_ file: URL, sha256: String, in folder: URL) throws(StoreError) {
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw StoreError(
                .unavailable, "the folder \(folder.path), which the servers share for the bytes of resources, is not there",
                hint: "is it mounted? Nothing was published")
        }
        let content = try ContentFolder(folder)
        // Bytes that nobody names stay, because another server may be about to name them.
        if let present = try? Data(contentsOf: content.file(sha256), options: .alwaysMapped),
            Digest(.sha256, of: present)?.hex == sha256
        {
            return
        }
        let incoming = try content.receive()
        defer { incoming.discard() }
        try incoming.copy(file)
        try content.place(incoming, as: sha256)
    }

    /// Copies the bytes after those that an earlier call has copied. If this fails, what has arrived remains.
    /// - Returns: false if they are not there.
    func fetch(_ sha256: String, to incoming: IncomingContent) throws(StoreError) -> Bool {
        if let folder {
            let file = folder.appendingPathComponent("content/\(sha256.prefix(2))/\(sha256)")
            guard ContentFolder.size(of: file) != nil else { return false }
            try incoming.copy(file, from: incoming.size)
            return true
        }
        while let part = try journal.content(sha256, from: incoming.size, count: Self.part) {
            if part.isEmpty { return true }
            try incoming.write(part)
        }
        return false
    }

    /// The size of the largest resource that the journal takes, in bytes.
    private static let limit: Int64 = 64 << 20
    /// The size of a part that is fetched at a time, in bytes. A link of 64 KiB a second brings one within the time limit of a
    /// command.
    private static let part = 512 << 10
}

extension ContentFolder {
    /// Completes a copy of bytes, and gives it its place.
    /// - Throws: ``StoreError`` of kind `damaged` if they do not have their digest.
    func place(_ incoming: IncomingContent, as sha256: String) throws(StoreError) {
        let summary = try incoming.finish()
        guard summary.sha256.hex == sha256 else {
            throw StoreError(.damaged, "the bytes of a resource do not have their digest", hint: "publish them again")
        }
        try place(summary, from: incoming.file)
    }
}
