#if Server
import Foundation

/// Files that only their owner may read.
enum OwnersFile {
    /// Makes an empty file where there is none, and takes others' rights away from one that is there.
    static func make(_ file: URL) throws(StoreError) {
        let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno, "can't make \(file.path)") }
        defer { close(descriptor) }
        try narrow(descriptor, file)
    }

    /// Takes others' rights away.
    static func narrow(_ file: URL) throws(StoreError) {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return }
        guard descriptor >= 0 else { throw .system(errno, "can't open \(file.path)") }
        defer { close(descriptor) }
        try narrow(descriptor, file)
    }

    private static func narrow(_ descriptor: Int32, _ file: URL) throws(StoreError) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system(errno, "can't examine \(file.path)") }
        guard facts.st_mode & 0o077 != 0 else { return }
        guard fchmod(descriptor, facts.st_mode & 0o700) == 0 else { throw .system(errno, "can't protect \(file.path)") }
    }

    /// Replaces a file's content at once: a reader sees the old or the new, and after a crash one of them is there.
    static func replace(_ file: URL, with text: String) throws(StoreError) {
        let next = file.appendingPathExtension("new")
        let descriptor = open(next.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno, "can't write \(next.path)") }
        let bytes = Array(text.utf8)
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        let number = count < 0 ? errno : ENOSPC
        let isWritten = count == bytes.count && synchronize(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(next.path, file.path) == 0 else {
            unlink(next.path)
            throw .system(number, "can't write \(file.path)")
        }
        try ContentFolder.synchronize(file.deletingLastPathComponent())
    }
}
#endif
