import BellerophonBase
import Foundation

/// A regular file that is open for reading, with the facts of the open file: it can't be exchanged after they were checked.
struct OpenFile: ~Copyable {
    let path: String
    let facts: stat
    private let descriptor: Int32

    /// - Throws: ``TrustError`` if there is no file, or something else than a regular file.
    init(_ path: String) throws(TrustError) {
        let descriptor = try Self.descriptor(of: path)
        do throws(TrustError) {
            facts = try Self.facts(of: descriptor, path)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.path = path
    }

    private static func descriptor(of path: String) throws(TrustError) -> Int32 {
        do throws(FileError) {
            // Without O_NONBLOCK, opening a pipe would wait for a writer.
            return try FileCalls.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            throw refusal(of: path, code: error.code)
        }
    }

    private static func facts(of descriptor: Int32, _ path: String) throws(TrustError) -> stat {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw TrustError(path, .system(errno)) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw TrustError(path, .notFile(kind(of: facts))) }
        return facts
    }

    deinit {
        close(descriptor)
    }

    /// Reads the whole file.
    /// - Parameter limit: the maximum size in bytes; a larger file is an error.
    func read(limit: Int) throws(TrustError) -> Data {
        let data = try start(limit: limit + 1)
        guard data.count <= limit else { throw TrustError(path, .tooLarge(limit: limit)) }
        return data
    }

    /// Reads at most this number of bytes from the start.
    func start(limit: Int) throws(TrustError) -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while data.count < limit {
            let count = Foundation.read(descriptor, &buffer, min(buffer.count, limit - data.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw TrustError(path, .system(errno)) }
            if count == 0 { break }
            data.append(contentsOf: buffer[..<count])
        }
        return data
    }

    /// The reason for a failed open(2). A socket can't be opened, and fails with a code that does not say so.
    private static func refusal(of path: String, code: Int32) -> TrustError {
        var facts = stat()
        guard code != ENOENT, lstat(path, &facts) == 0 else { return TrustError(path, code == ENOENT ? .missing : .system(code)) }
        switch facts.st_mode & S_IFMT {
        case S_IFLNK: return TrustError(path, .link)
        case S_IFREG: return TrustError(path, .system(code))
        default: return TrustError(path, .notFile(kind(of: facts)))
        }
    }

    static func kind(of facts: stat) -> String {
        switch facts.st_mode & S_IFMT {
        case S_IFDIR: "a folder"
        case S_IFLNK: "a symbolic link"
        case S_IFIFO: "a named pipe"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "not a regular file"
        }
    }
}
