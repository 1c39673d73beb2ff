import BellerophonBase
import Foundation

/// Reads and atomically replaces a small private file, without blocking.
enum StateFileAccess {
    /// The content of a regular file of this user or root; nil if there is no file.
    static func read(_ url: URL, limit: Int) throws(StatusStoreError) -> Data? {
        let file: OpenFile
        do throws(FileError) {
            file = try OpenFile(url.path)
        } catch {
            if error.code == ENOENT { return nil }
            throw failure(url, "it can't be opened", error)
        }
        guard file.facts.isRegularFile else { throw .unusable(path: url.path, "is not a regular file") }
        guard file.facts.st_uid == geteuid() || file.facts.st_uid == 0 else {
            throw .unusable(path: url.path, "belongs to another user, so it is not trusted")
        }
        // A file that others can access by accident is made private.
        if file.facts.st_mode & 0o077 != 0 { fchmod(file.descriptor.number, 0o600) }
        let bytes = try file.start(limit: limit + 1) { failure(url, "it can't be read", $0) }
        guard bytes.count <= limit else { throw .unusable(path: url.path, "is larger than any status record") }
        return Data(bytes)
    }

    /// Atomically replaces a file. If anything fails, the old file remains.
    static func replace(_ url: URL, with data: Data) throws(StatusStoreError) {
        // For a symbolic link, its target is replaced and the link remains.
        let place = url.resolvingSymlinksInPath()
        let folder = place.deletingLastPathComponent()
        let prefix = ".\(place.lastPathComponent)."
        let draft = folder.appendingPathComponent(prefix + UUID().uuidString).path
        do throws(FileError) {
            try FileCalls.replace(place.path, with: data, draft: draft)
        } catch {
            throw failure(url, "it can't be written", error)
        }
        FileCalls.removeDrafts(in: folder) { $0 == prefix }
    }

    private static func failure(_ url: URL, _ what: String, _ error: FileError) -> StatusStoreError {
        .system(path: url.path, "\(what): \(error.reason)")
    }
}
