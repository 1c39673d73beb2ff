#if Server
import Digests
import Foundation

/// Where the bytes of the resources in a shared store are, by their SHA-256.
protocol SharedContent: Sendable {
    /// The size of the largest resource, in bytes; nil without a limit.
    var limit: Int64? { get }

    /// Keeps a file for all servers. The bytes are durable at the latest when the change is committed.
    func keep(_ file: URL, sha256: String, with change: any SharedChange) throws

    /// Copies the bytes.
    /// - Returns: false if they are not there.
    func fetch(_ sha256: String, to incoming: IncomingContent) throws(StoreError) -> Bool
}

/// Keeps the bytes beside the rows of the journal.
struct JournalContent: SharedContent {
    let journal: any SharedJournal
    let limit: Int64? = 64 << 20

    func keep(_ file: URL, sha256: String, with change: any SharedChange) throws {
        guard let data = FileManager.default.contents(atPath: file.path), Digest(.sha256, of: data)?.hex == sha256 else {
            throw StoreError(.damaged, "the file of a resource is not in the store, or is changed", hint: "publish it again")
        }
        try change.keep(data, sha256: sha256)
    }

    func fetch(_ sha256: String, to incoming: IncomingContent) throws(StoreError) -> Bool {
        guard let data = try journal.content(sha256) else { return false }
        try incoming.write(data)
        return true
    }
}

/// Keeps the bytes in a folder that all servers see, such as one on a file server.
struct FolderContent: SharedContent {
    let folder: URL
    let limit: Int64? = nil

    func keep(_ file: URL, sha256: String, with change: any SharedChange) throws {
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw StoreError(
                .unavailable, "the folder \(folder.path), which the servers share for the bytes of resources, is not there",
                hint: "is it mounted? Nothing was published")
        }
        let content = try ContentFolder(folder)
        let incoming = try IncomingContent(in: content.incoming, space: UploadSpace(folder) { nil })
        defer { incoming.discard() }
        try incoming.copy(file)
        let summary = try incoming.finish()
        guard summary.sha256.hex == sha256 else {
            throw StoreError(.damaged, "the file of a resource is changed", hint: "publish it again")
        }
        try content.place(summary, from: incoming.file)
    }

    func fetch(_ sha256: String, to incoming: IncomingContent) throws(StoreError) -> Bool {
        let file = folder.appendingPathComponent("content").appendingPathComponent(String(sha256.prefix(2)))
            .appendingPathComponent(sha256)
        guard ContentFolder.size(of: file) != nil else { return false }
        try incoming.copy(file)
        return true
    }
}
#endif
