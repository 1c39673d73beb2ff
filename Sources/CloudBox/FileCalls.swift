import Foundation

/// The system's calls for files that must be whole after a crash, with their errors in words.
enum FileCalls {
    struct Failure: Error, CustomStringConvertible {
        let description: String
        let code: Int32

        init(_ action: String, _ path: String, code: Int32 = errno) {
            self.code = code
            description = "can't \(action) \(path): \(String(cString: strerror(code)))"
        }
    }

    static func open(_ path: String, _ flags: Int32) throws(Failure) -> Int32 {
        while true {
            let descriptor = Foundation.open(path, flags | O_CLOEXEC, 0o600)
            if descriptor >= 0 { return descriptor }
            if errno != EINTR { throw Failure("open", path) }
        }
    }

    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if count >= 0 { written += count } else if errno != EINTR { throw Failure("write", path) }
        }
    }

    static func sync(_ descriptor: Int32, path: String) throws(Failure) {
        while fsync(descriptor) != 0 {
            if errno != EINTR { throw Failure("save", path) }
        }
    }

    static func rename(_ old: String, to new: String) throws(Failure) {
        if Foundation.rename(old, new) != 0 { throw Failure("install", new) }
    }

    static func syncFolder(_ path: String) throws(Failure) {
        let descriptor = try open(path, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        try sync(descriptor, path: path)
    }

    /// Writes a small file whole or not at all, and makes sure of it.
    static func replace(_ path: String, with data: Data) throws(Failure) {
        let draft = path + ".new"
        let descriptor = try open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
        defer { close(descriptor) }
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(Failure) in
                try write(bytes, to: descriptor, path: draft)
                try sync(descriptor, path: draft)
            }
        }
        try result.get()
        try rename(draft, to: path)
    }

    static func makeFolder(_ url: URL) throws(Failure) {
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw Failure("make the folder", url.path, code: code(of: error))
        }
    }

    private static func code(of error: any Error) -> Int32 {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        guard let underlying, underlying.domain == NSPOSIXErrorDomain else { return errno == 0 ? EIO : errno }
        return Int32(underlying.code)
    }
}

/// A lock between processes on one resource's folder, for as long as this object lives.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Nil where another holder has it.
    init?(_ path: String) throws(FileCalls.Failure) {
        let descriptor = try FileCalls.open(path, O_RDWR | O_CREAT | O_NOFOLLOW)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            if code == EWOULDBLOCK { return nil }
            throw FileCalls.Failure("lock", path, code: code)
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }
}
