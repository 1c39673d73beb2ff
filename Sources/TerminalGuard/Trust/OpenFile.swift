import BellerophonBase
import Foundation

/// A regular file that is open for reading, with the facts of the open file: it can't be exchanged after they were checked.
struct OpenFile: ~Copyable {
    private let path: String
    let facts: stat
    private let descriptor: Int32

    /// - Throws: ``GuardInstallError`` if there is no file, or something else than a regular file.
    init(_ path: String, ifMissing hint: String? = nil) throws(GuardInstallError) {
        let descriptor: Int32
        do throws(FileError) {
            // Without O_NONBLOCK, opening a pipe would wait for a writer.
            descriptor = try FileCalls.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            throw Self.refusal(of: path, code: error.code, hint)
        }
        var facts = stat()
        let code = fstat(descriptor, &facts) == 0 ? 0 : errno
        guard code == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw GuardInstallError(path, code == 0 ? .notFile(facts.kindOfFile) : .system(code))
        }
        (self.path, self.facts, self.descriptor) = (path, facts, descriptor)
    }

    deinit {
        close(descriptor)
    }

    /// Reads at most this number of bytes from the start.
    func start(limit: Int) throws(GuardInstallError) -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while data.count < limit {
            let count = Foundation.read(descriptor, &buffer, min(buffer.count, limit - data.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw GuardInstallError(path, .system(errno)) }
            if count == 0 { break }
            data.append(contentsOf: buffer[..<count])
        }
        return data
    }

    /// The reason for a failed open(2). A socket can't be opened, and fails with a code that does not say so.
    private static func refusal(of path: String, code: Int32, _ hint: String?) -> GuardInstallError {
        var facts = stat()
        guard code != ENOENT, lstat(path, &facts) == 0 else {
            return GuardInstallError(path, code == ENOENT ? .missing : .system(code), ifMissing: hint)
        }
        return switch facts.st_mode & S_IFMT {
        case S_IFLNK: GuardInstallError(path, .link)
        case S_IFREG: GuardInstallError(path, .system(code))
        default: GuardInstallError(path, .notFile(facts.kindOfFile))
        }
    }
}

extension stat {
    /// Whether it is a regular file that at least one user may execute.
    var isExecutableFile: Bool { st_mode & S_IFMT == S_IFREG && st_mode & 0o111 != 0 }

    func isSameFile(as other: stat) -> Bool { st_dev == other.st_dev && st_ino == other.st_ino }

    var kindOfFile: String {
        switch st_mode & S_IFMT {
        case S_IFDIR: "a folder"
        case S_IFLNK: "a symbolic link"
        case S_IFIFO: "a named pipe"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "not a regular file"
        }
    }
}
