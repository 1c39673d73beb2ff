import BellerophonBase
import Foundation

/// The calls that keep a small file whole, private, and never make the app wait.
enum StateFileAccess {
    /// All bytes of a regular file of this user; nil where there is no file.
    static func read(_ url: URL, limit: Int) throws(StatusStoreError) -> Data? {
        // Without O_NONBLOCK a pipe in the file's place would wait for a writer.
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
        // One that others may write, by an accident, is made private again.
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

    /// Puts a new file in the place of the old one, which stays as it is if anything fails.
    static func replace(_ url: URL, with data: Data) throws(StatusStoreError) {
        // Where a link leads elsewhere, the file there is replaced, and the link stays.
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

    /// Removes what a process that was killed while it wrote has left behind, after an hour.
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
