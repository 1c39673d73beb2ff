import BellerophonBase
import Foundation

/// Reads and atomically replaces a small private file, without blocking.
enum StateFileAccess {
    /// The content of a regular file of this user or root; nil if there is no file.
    static func read(_ url: URL, limit: Int) throws(StatusStoreError) -> Data? {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        let descriptor = open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(url, "it can't be opened")
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw failure(url, "it can't be read") }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile(url.path) }
        guard facts.st_uid == geteuid() || facts.st_uid == 0 else { throw .foreignOwner(url.path) }
        // A file that others can access by accident is made private.
        if facts.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
        return try bytes(of: descriptor, limit: limit, url)
    }

    private static func bytes(of descriptor: CInt, limit: Int, _ url: URL) throws(StatusStoreError) -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(url, "it can't be read") }
            if count == 0 { return data }
            data.append(contentsOf: buffer[..<count])
            guard data.count <= limit else { throw .tooLarge(url.path) }
        }
    }

    /// Atomically replaces a file. If anything fails, the old file remains.
    static func replace(_ url: URL, with data: Data) throws(StatusStoreError) {
        // For a symbolic link, its target is replaced and the link remains.
        let place = url.resolvingSymlinksInPath()
        let folder = place.deletingLastPathComponent()
        let draft = folder.appendingPathComponent(".\(place.lastPathComponent).\(UUID().uuidString)").path
        do throws(FileError) {
            try FileCalls.replace(place.path, with: data, draft: draft)
        } catch {
            throw .system(path: url.path, "it can't be written: \(error.reason)")
        }
        sweep(folder, of: place.lastPathComponent)
    }

    /// Removes temporary files older than one hour, which interrupted writes have left behind.
    private static func sweep(_ folder: URL, of name: String) {
        let prefix = ".\(name)."
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
            guard entry.hasPrefix(prefix), UUID(uuidString: String(entry.dropFirst(prefix.count))) != nil else { continue }
            var facts = stat()
            let path = folder.appendingPathComponent(entry).path
            guard stat(path, &facts) == 0 else { continue }
            if time(nil) - facts.modificationSeconds > 3600 { unlink(path) }
        }
    }

    private static func failure(_ url: URL, _ what: String) -> StatusStoreError {
        .system(path: url.path, "\(what): \(String(cString: strerror(errno)))")
    }
}
