import BellerophonBase
public import Foundation

/// A record in a file that only its owner may read: a line of JSON, and a line with its checksum.
///
/// The file is whole at any time: it is written beside itself, brought to the disk, and renamed. Processes may share it.
public struct FileStatusStore: StatusStore {
    public let url: URL
    /// Larger than any record: its longest message takes a sixth of it, signed once more as much.
    private static let sizeLimit = 256 * 1024

    public init(url: URL) {
        self.url = url
    }

    /// Reads no more than a record can be, and nothing that could keep the app waiting, such as a pipe.
    public func load() throws -> StatusRecord? {
        guard let data = try StateFileAccess.read(url, limit: Self.sizeLimit) else { return nil }
        return try Self.record(in: data, path: url.path)
    }

    /// A record that another process has written, and that the server published later, stays: what is older must not
    /// free an app that was killed since.
    public func save(_ record: StatusRecord) throws {
        do {
            try FileCalls.makeFolder(url.deletingLastPathComponent())
        } catch {
            throw StatusStoreError.system(path: error.path, "the folder can't be made: \(error.reason)")
        }
        // The wait is short: a process that was stopped while it held the lock must not stop this one too. The replacement
        // is atomic without the lock as well.
        let lock = try? FileLock.wait(url.path + ".lock", limit: .milliseconds(20), interval: .milliseconds(1))
        try withExtendedLifetime(lock) {
            let present = try? load()
            if let present, !record.replaces(present) { return }
            try StateFileAccess.replace(url, with: Self.data(of: record.succeeding(present)))
        }
    }

    /// A file in the user's state folder: `$XDG_STATE_HOME/FOLDER`, else `~/.local/state/FOLDER` (XDG Base Directory
    /// Specification).
    /// - Parameters:
    ///   - folder: the folder's name, such as the app's. Slashes in it are replaced.
    ///   - status: what tells this status from others of the same app, such as its address: each has a file of its own.
    public static func userState(
        _ folder: String, of status: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> FileStatusStore {
        let name = folder.replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "\0", with: "_")
        let place = UserFolder.state.url(environment).appendingPathComponent(["", ".", ".."].contains(name) ? "_\(name)" : name)
        return FileStatusStore(url: place.appendingPathComponent("status-\(status.fingerprint).json"))
    }

    // MARK: The format

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

/// Why a file is no status record, or could not be written.
public enum StatusStoreError: Error, Equatable, Sendable, CustomStringConvertible {
    case notAFile(String)
    case tooLarge(String)
    /// The checksum does not fit: a disk's fault, or somebody's edit.
    case damaged(String)
    case foreignOwner(String)
    /// A call of the system failed; the text says which and why.
    case system(path: String, String)

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
