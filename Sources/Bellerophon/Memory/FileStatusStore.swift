import BellerophonBase
public import Foundation

/// Stores a record in a file that only its owner can read: a line of JSON, and a line with its checksum.
///
/// Writes are atomic: the record is written to a temporary file, synchronised to disk and renamed. Several processes may
/// share the file.
public struct FileStatusStore: StatusStore {
    /// The location of the file.
    public let url: URL
    /// The most bytes of a file. A message takes at most a sixth of it, and the signed document the same again.
    private static let sizeLimit = 256 * 1024

    /// Creates a store. The file need not exist.
    public init(url: URL) {
        self.url = url
    }

    /// Reads the record; nil without a file. Never blocks, for example on a pipe, and reads a bounded number of bytes.
    /// - Throws: ``StatusStoreError`` if the file is not a valid record.
    public func load() throws -> StatusRecord? {
        guard let data = try StateFileAccess.read(url, limit: Self.sizeLimit) else { return nil }
        return try Self.record(in: data, path: url.path)
    }

    /// Writes the record, unless the file contains a record that the server published later: an older status must not
    /// unblock an app that another process knows to be killed.
    /// - Throws: ``StatusStoreError`` if the file cannot be written.
    public func save(_ record: StatusRecord) throws {
        do {
            try FileCalls.makeFolder(url.deletingLastPathComponent())
        } catch {
            throw StatusStoreError.system(path: error.path, "the folder can't be made: \(error.reason)")
        }
        // The wait is short: a process that was stopped while it held the lock must not block this one. The replacement
        // is atomic without the lock too.
        let lock = try? FileLock.wait(url.path + ".lock", limit: .milliseconds(20), interval: .milliseconds(1))
        try withExtendedLifetime(lock) {
            let present = try? load()
            if let present, !record.replaces(present) { return }
            try StateFileAccess.replace(url, with: Self.data(of: record.succeeding(present)))
        }
    }

    /// A store in the user's state folder: `$XDG_STATE_HOME/FOLDER`, otherwise `~/.local/state/FOLDER` (XDG Base
    /// Directory Specification).
    /// - Parameters:
    ///   - folder: the folder's name, such as the app's. Slashes in it are replaced.
    ///   - status: identifies the status among those of the same app, for example by its address. Each has its own file.
    ///   - environment: the variables to read; by default those of the process.
    public static func userState(
        _ folder: String, of status: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> FileStatusStore {
        let name = folder.replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "\0", with: "_")
        let place = UserFolder.state.url(environment).appendingPathComponent(["", ".", ".."].contains(name) ? "_\(name)" : name)
        return FileStatusStore(url: place.appendingPathComponent("status-\(status.fingerprint).json"))
    }

    // MARK: File format

    static func data(of record: StatusRecord) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let line = try encoder.encode(record)
        return line + Data("\n\(checksumName) \(CRC32.hex(of: line))\n".utf8)
    }

    static func record(in data: Data, path: String) throws -> StatusRecord {
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty, lines[1].elementsEqual("\(checksumName) \(CRC32.hex(of: lines[0]))".utf8) else {
            throw StatusStoreError.damaged(path)
        }
        do {
            return try JSONDecoder().decode(StatusRecord.self, from: lines[0])
        } catch {
            throw StatusStoreError.damaged(path)
        }
    }

    private static let checksumName = "crc32"
}

/// Why a file is not a status record, or could not be written.
public enum StatusStoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path does not lead to a regular file.
    case notAFile(String)
    /// The file is larger than any record.
    case tooLarge(String)
    /// The checksum does not match: the file was corrupted or edited.
    case damaged(String)
    /// The file belongs to another user.
    case foreignOwner(String)
    /// A system call failed; the text states which and why.
    case system(path: String, String)

    /// One line for display.
    public var description: String {
        switch self {
        case .notAFile(let path): "\(path) is no regular file; remove it"
        case .tooLarge(let path): "\(path) is larger than any status record; remove it"
        case .damaged(let path): "\(path) is damaged: its checksum does not fit; the next status replaces it"
        case .foreignOwner(let path): "\(path) belongs to another user, so it is not trusted; remove it"
        case .system(let path, let why): "\(path): \(why)"
        }
    }
}
