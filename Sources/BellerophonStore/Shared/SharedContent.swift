import Digests
import Foundation

/// Where the bytes of the resources in a shared store are, by their SHA-256.
protocol SharedContent: Sendable {
    /// The size of the largest resource, in bytes; nil without a limit.
    var limit: Int64? { get }

    /// Keeps a file for all servers, before the change that publishes it.
    /// - Returns: whether the bytes were not there yet.
    func keepBefore(_ file: URL, sha256: String) throws(StoreError) -> Bool

    /// Keeps a file for all servers, unless its bytes are there. They are durable at the latest when the change is committed.
    func save(_ file: URL, sha256: String, with change: any SharedChange) throws

    /// Copies the bytes after those that an earlier call has copied. If this fails, what has arrived remains.
    /// - Returns: false if they are not there.
    func fetch(_ sha256: String, to incoming: IncomingContent) throws(StoreError) -> Bool
}

extension SharedJournal {
    /// Where the bytes are.
    /// - Parameter folder: the folder in which the servers share them; nil if the journal has them.
    func content(in folder: URL?) -> any SharedContent {
        if let folder { FolderContent(folder: folder) } else { JournalContent(journal: self) }
    }
}

/// Keeps the bytes beside the rows of the journal.
struct JournalContent: SharedContent {
    let journal: any SharedJournal
    let limit: Int64? = 64 << 20

    func keepBefore(_ file: URL, sha256: String) throws(StoreError) -> Bool {
        try journal.save(Self.data(file, sha256), sha256: sha256)
    }

    func save(_ file: URL, sha256: String, with change: any SharedChange) throws {
        if try change.hasContent(sha256) { return }
        try change.save(Self.data(file, sha256), sha256: sha256)
    }

    private static func data(_ file: URL, _ sha256: String) throws(StoreError) -> Data {
        guard let data = FileManager.default.contents(atPath: file.path), Digest(.sha256, of: data)?.hex == sha256 else {
            throw StoreError(.damaged, "the file of a resource is not in the store, or is changed", hint: "publish it again")
        }
        return data
    }

    func fetch(_ sha256: String, to incoming: IncomingContent) throws(StoreError) -> Bool {
        while let part = try journal.content(sha256, from: incoming.size, count: Self.part) {
            if part.isEmpty { return true }
            try incoming.write(part)
        }
        return false
    }

    /// The size of a part that is fetched at a time, in bytes. A link of 64 KiB a second brings one within the time limit of a
    /// command.
    private static let part = 512 << 10
}

/// Keeps the bytes in a folder that all servers see, such as one on a file server.
struct FolderContent: SharedContent {
    let folder: URL
    let limit: Int64? = nil

    func save(_ file: URL, sha256: String, with change: any SharedChange) throws { _ = try keepBefore(file, sha256: sha256) }

    func keepBefore(_ file: URL, sha256: String) throws(StoreError) -> Bool {
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
            return false
        }
        let incoming = try content.receive()
        defer { incoming.discard() }
        try incoming.copy(file)
        let summary = try incoming.finish()
        guard summary.sha256.hex == sha256 else {
            throw StoreError(.damaged, "the file of a resource is changed", hint: "publish it again")
        }
        try content.place(summary, from: incoming.file)
        return false
    }

    func fetch(_ sha256: String, to incoming: IncomingContent) throws(StoreError) -> Bool {
        let file = folder.appendingPathComponent("content").appendingPathComponent(String(sha256.prefix(2)))
            .appendingPathComponent(sha256)
        guard ContentFolder.size(of: file) != nil else { return false }
        try incoming.copy(file, from: incoming.size)
        return true
    }
}
