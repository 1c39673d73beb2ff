import BellerophonBase
import Foundation
import SafeText

extension SigningKey {
    /// The largest key file in bytes; a JWK of an Ed25519 key is smaller.
    private static let fileLimit = 16 * 1024

    /// Reads a key file. Only this user and root may be able to read or change it.
    /// - Throws: ``SigningKeyError``.
    package static func read(file: URL) throws(SigningKeyError) -> SigningKey {
        let path = file.path
        let data: Data
        do throws(SecretFile.Problem) {
            data = try SecretFile.read(path, limit: fileLimit, readers: .owner)
        } catch {
            throw switch error {
            case .notFile: .notFile(path)
            case .foreign(let owner): .foreign(path, owner: owner)
            case .exposed(let mode): .exposed(path, mode: mode)
            case .tooLarge(let limit): .unfit(path, "it has more than \(limit) bytes")
            case .system(let number): .system("read", path, number)
            }
        }
        do {
            return try SigningKey(jwk: data)
        } catch {
            guard case .notKey(let reason) = error else { throw error }
            throw .unfit(path, reason)
        }
    }

    /// Writes the key atomically to a new file that only this user can read.
    /// - Throws: ``SigningKeyError``, for example if the file exists.
    package func write(newFile file: URL) throws(SigningKeyError) {
        let (path, folder) = (file.path, file.deletingLastPathComponent())
        let contents = try jwk + Data("\n".utf8)
        guard FileFacts(path: path, followsLinks: false) == nil else { throw .exists(path) }
        let draft = folder.appendingPathComponent(".signing-key.\(UUID().uuidString)").path
        do throws(FileError) {
            try FileCalls.replace(path, with: contents, draft: draft, mode: 0o600, createsOnly: true, isNameDurable: false)
        } catch {
            throw error.code == EEXIST ? .exists(path) : .system("write", path, error.code)
        }
        // Failure is ignored: the file exists even if its name is not yet durable.
        try? FileCalls.synchronizeFolder(folder.path)
    }
}

/// Why a signing key can't be read, created or written.
package enum SigningKeyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The data is not a signing key; the text describes the problem.
    case notKey(String)
    /// The file at this path contains no signing key; the second text describes the problem.
    case unfit(String, String)
    /// The path leads to something other than a regular file.
    case notFile(String)
    /// The file belongs to another user.
    case foreign(String, owner: UInt32)
    /// Other users can read or change the file.
    case exposed(String, mode: mode_t)
    /// A file exists at the path; keys are never overwritten.
    case exists(String)
    /// The system's cryptography library failed.
    case noCryptography
    /// A system call failed: the action, the path and the value of `errno`.
    case system(String, String, Int32)

    /// The problem in one line with a way to fix it, safe to draw.
    package var description: String {
        switch self {
        case .notKey(let reason): "this is not a signing key: \(Self.safe(reason))"
        case .unfit(let path, let reason):
            "\(Self.safe(path)) is not a signing key: \(Self.safe(reason)); 'bellerophon-server keygen' makes one"
        case .notFile(let path): "\(Self.safe(path)) is not a regular file; name the file that 'bellerophon-server keygen' made"
        case .foreign(let path, let owner):
            "\(Self.safe(path)) belongs to another user (\(owner)), who could change it; "
                + "make it this user's with chown, and use a new key if that user is not trusted"
        case .exposed(let path, let mode):
            "\(Self.safe(path)) can be read or changed by others than its owner (mode \(String(mode, radix: 8))); "
                + "run chmod 600 on it, and use a new key if somebody may have read it"
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
