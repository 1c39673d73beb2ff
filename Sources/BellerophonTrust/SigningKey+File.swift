import BellerophonBase
public import Foundation
import SafeText

extension SigningKey {
    /// Larger than any JWK of such a key.
    private static let fileLimit = 16 * 1024

    /// Reads a key's file, if only this user and root can read or change it.
    public static func read(file: URL) throws(SigningKeyError) -> SigningKey {
        let path = file.path
        // Without waiting, should it be a pipe.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("read", path, errno) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system("read", path, errno) }
        try check(facts, path)
        // Foundation has nil for an empty file.
        guard let data = try? handle.read(upToCount: fileLimit + 1) ?? Data() else { throw .system("read", path, EIO) }
        guard data.count <= fileLimit else { throw .unfit(path, "it has more than \(fileLimit) bytes") }
        do {
            return try SigningKey(jwk: data)
        } catch {
            guard case .notKey(let reason) = error else { throw error }
            throw .unfit(path, reason)
        }
    }

    /// Asked of the open file, so that no other can be put in its place.
    private static func check(_ facts: stat, _ path: String) throws(SigningKeyError) {
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .notFile(path) }
        guard facts.st_uid == geteuid() || facts.st_uid == 0 else { throw .foreign(path, owner: facts.st_uid) }
        var refused: mode_t = 0o077
        // systemd's credentials are root's, and a service's right to one is an access list, which shows as the group's.
        if facts.st_uid == 0, facts.st_gid == 0 { refused = 0o037 }
        guard facts.st_mode & refused == 0 else { throw .exposed(path, mode: facts.st_mode & 0o7777) }
    }

    /// Writes the key to a new file that only this user can read. There is either no file or a whole one when this ends.
    public func write(newFile file: URL) throws(SigningKeyError) {
        let (path, folder) = (file.path, file.deletingLastPathComponent())
        let contents = try jwk + Data("\n".utf8)
        var facts = stat()
        guard lstat(path, &facts) != 0 else { throw .exists(path) }
        let temporary = folder.appendingPathComponent(".signing-key.\(UUID().uuidString)").path
        defer {
            unlink(temporary)
            // Where the system can't make the name durable, the file is there all the same.
            try? FileCalls.synchronizeFolder(folder.path)
        }
        do throws(FileError) {
            let descriptor = try FileCalls.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
            defer { close(descriptor) }
            // Whatever the mask of this process takes away.
            guard fchmod(descriptor, 0o600) == 0 else { throw FileError("write", path) }
            try FileCalls.write(contents, to: descriptor, path: path)
            try FileCalls.synchronize(descriptor, path: path)
        } catch {
            throw .system("write", path, error.code)
        }
        // Unlike a renaming, a link takes nobody's place.
        guard link(temporary, path) == 0 else { throw errno == EEXIST ? .exists(path) : .system("write", path, errno) }
    }
}

/// Why there is no signing key, and what to do.
public enum SigningKeyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The JSON is no key.
    case notKey(String)
    /// A file that is no key, by its path.
    case unfit(String, String)
    case notFile(String)
    case foreign(String, owner: UInt32)
    case exposed(String, mode: mode_t)
    case exists(String)
    /// The system's cryptography library failed.
    case noCryptography
    /// What the system refused, by its error's number.
    case system(String, String, Int32)

    /// One line that a person can act on, safe to draw.
    public var description: String {
        switch self {
        case .notKey(let reason): "this is no signing key: \(Self.safe(reason))"
        case .unfit(let path, let reason):
            "\(Self.safe(path)) is no signing key: \(Self.safe(reason)); 'bellerophon-server keygen' makes one"
        case .notFile(let path): "\(Self.safe(path)) is no regular file; name the file that 'bellerophon-server keygen' made"
        case .foreign(let path, let owner):
            "\(Self.safe(path)) belongs to another user (\(owner)), who could change it; "
                + "make it this user's with chown, and take a new key if that one was not to be trusted"
        case .exposed(let path, let mode):
            "\(Self.safe(path)) can be read or changed by others than its owner (mode \(String(mode, radix: 8))); "
                + "run chmod 600 on it, and take a new key if somebody may have read it"
        case .noCryptography:
            "the system's cryptography library offers no Ed25519 or no SHA-256; check its configuration (openssl.cnf)"
        case .exists(let path): "\(Self.safe(path)) is there already, and a key is never overwritten; name another file"
        case .system(let action, let path, let code): "can't \(action) \(Self.safe(path)): \(String(cString: strerror(code)))"
        }
    }

    private static func safe(_ text: String) -> String {
        TextSanitizer.sanitize(text, keepingNewlines: false, limit: 1024)
    }
}
