package import Foundation

/// The error of a failed system call on a file.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The attempted action, as the verb of a sentence: "open", "write".
    package let action: String
    package let path: String
    /// The value of `errno`.
    package let code: Int32

    package init(_ action: String, _ path: String, code: Int32 = errno) {
        self.action = action
        self.path = path
        self.code = code
    }

    /// The system's description of the error.
    package var reason: String { String(cString: strerror(code)) }

    package var description: String { "can't \(action) \(path): \(reason)" }
}

/// System calls for files that must be complete after a crash. Interrupted calls are repeated.
package enum FileCalls {
    /// Opens a file with `O_CLOEXEC`, so that child processes do not inherit it.
    /// - Parameter flags: the flags of open(2); with `O_CREAT` a new file has the mode 0600.
    package static func open(_ path: String, _ flags: Int32) throws(FileError) -> Int32 {
        while true {
            let descriptor = Foundation.open(path, flags | O_CLOEXEC, 0o600)
            if descriptor >= 0 { return descriptor }
            if errno != EINTR { throw FileError("open", path) }
        }
    }

    /// Writes all bytes.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if count >= 0 { written += count } else if errno != EINTR { throw FileError("write", path) }
        }
    }

    /// Writes all bytes.
    package static func write(_ data: Data, to descriptor: Int32, path: String) throws(FileError) {
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(FileError) in try write(bytes, to: descriptor, path: path) }
        }
        try result.get()
    }

    /// Flushes a file from the system's cache to the disk; on Apple's systems the disk's cache is flushed too.
    package static func synchronize(_ descriptor: Int32, path: String) throws(FileError) {
        while fullSync(descriptor) != 0 {
            if errno != EINTR { throw FileError("save", path) }
        }
    }

    /// Flushes the entries of a folder to the disk.
    package static func synchronizeFolder(_ path: String) throws(FileError) {
        let descriptor = try open(path, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        try synchronize(descriptor, path: path)
    }

    package static func rename(_ old: String, to new: String) throws(FileError) {
        if Foundation.rename(old, new) != 0 { throw FileError("install", new) }
    }

    /// Replaces a small file atomically: a reader, also after a crash, finds either the old or the new content.
    /// - Parameters:
    ///   - draft: the path of the temporary file, in the same folder. One that a crash has left is removed.
    ///   - mode: the permissions, whatever the umask of the process; nil for 0600 and the umask.
    ///   - createsOnly: whether a file at the path is an error, with the code `EEXIST`, also one that has appeared meanwhile.
    ///   - isNameDurable: whether the folder is flushed too.
    package static func replace(
        _ path: String, with data: Data, draft: String, mode: mode_t? = nil, createsOnly: Bool = false,
        isNameDurable: Bool = true
    ) throws(FileError) {
        unlink(draft)
        let descriptor = try open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        do throws(FileError) {
            defer { close(descriptor) }
            if let mode, fchmod(descriptor, mode) != 0 { throw FileError("write", draft) }
            try write(data, to: descriptor, path: draft)
            try synchronize(descriptor, path: draft)
            try createsOnly ? name(draft, path) : rename(draft, to: path)
        } catch {
            unlink(draft)
            throw error
        }
        if isNameDurable { try synchronizeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path) }
    }

    /// Gives a new file its name. Unlike rename(2), link(2) never replaces a file that has appeared in the meantime.
    private static func name(_ draft: String, _ path: String) throws(FileError) {
        if link(draft, path) == 0 {
            unlink(draft)
            return
        }
        let code = errno
        // A file system without hard links.
        guard code == EPERM || code == ENOTSUP || code == ENOSYS else { throw FileError("install", path, code: code) }
        guard FileFacts(path: path, followsLinks: false) == nil else { throw FileError("install", path, code: EEXIST) }
        try rename(draft, to: path)
    }

    /// Removes a file and what a crash in the middle of ``replace(_:with:draft:mode:createsOnly:isNameDurable:)`` has left. It is
    /// no error if there is no file.
    package static func remove(_ path: String, draft: String) throws(FileError) {
        unlink(draft)
        guard unlink(path) == 0 || errno == ENOENT else { throw FileError("remove", path) }
        try synchronizeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    /// Removes temporary files that are older than one hour, which interrupted writes have left. Recent ones may be in use.
    /// - Parameter isOwn: whether a prefix is that of a temporary file; a UUID follows it in the name.
    package static func removeDrafts(in folder: URL, where isOwn: (String) -> Bool) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
            let end = name.suffix(UUID().uuidString.count)
            guard UUID(uuidString: String(end)) != nil, isOwn(String(name.dropLast(end.count))) else { continue }
            let file = folder.appendingPathComponent(name).path
            let date = try? FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
            if let date, -date.timeIntervalSinceNow > 3600 { unlink(file) }
        }
    }

    /// Creates a folder and its missing parents with the mode 0700 (XDG Base Directory Specification).
    package static func makeFolder(_ url: URL) throws(FileError) {
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw FileError("make the folder", url.path, code: code(of: error))
        }
    }

    private static func code(of error: any Error) -> Int32 {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        guard let underlying, underlying.domain == NSPOSIXErrorDomain else { return errno == 0 ? EIO : errno }
        return Int32(underlying.code)
    }
}
