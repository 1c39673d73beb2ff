import BellerophonBase
import Foundation

/// Files that only their owner may read or write.
enum OwnersFile {
    /// Creates an empty file unless it exists, and removes all permissions of others.
    static func make(_ file: URL) throws(StoreError) {
        let descriptor = try StoreError.onDisk { () throws(FileError) in try FileCalls.open(file.path, O_RDWR | O_CREAT) }
        defer { close(descriptor) }
        try narrow(descriptor, file)
    }

    /// Removes all permissions of others from an existing file.
    static func narrow(_ file: URL) throws(StoreError) {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return }
        guard descriptor >= 0 else { throw .system(errno, "can't open \(file.path)") }
        defer { close(descriptor) }
        try narrow(descriptor, file)
    }

    private static func narrow(_ descriptor: Int32, _ file: URL) throws(StoreError) {
        guard let facts = FileFacts(descriptor: descriptor) else { throw .system(errno, "can't examine \(file.path)") }
        guard facts.st_mode & 0o077 != 0 else { return }
        guard fchmod(descriptor, facts.st_mode & 0o700) == 0 else { throw .system(errno, "can't protect \(file.path)") }
    }
}
