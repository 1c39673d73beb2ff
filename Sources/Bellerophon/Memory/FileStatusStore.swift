import BellerophonBase
public import Foundation

/// Stores a record in a file that only its owner can read: a line of JSON, and a line with its checksum.
///
/// Writes are atomic: the record is written to a temporary file, synchronised to disk and renamed. A second file beside it has
/// the same status, so that damage to one of them loses nothing. Several processes may share the files: a save is merged with
/// what the file contains, in the order of publication, under a lock.
public struct FileStatusStore: StatusStore {
    /// The location of the file.
    public let url: URL
    /// The location of the second file: the path of the first with the suffix `.copy`.
    package var copyURL: URL { URL(fileURLWithPath: url.path + ".copy") }
    /// The most bytes of a file. It may have the texts of two documents of 64 KiB, each up to six times as long with its escapes, and a
    /// signed document.
    private static let sizeLimit = 1024 * 1024

    /// Creates a store. The files need not exist.
    public init(url: URL) {
        self.url = url
    }

    /// Reads the record; nil without any file. If the file is missing or can't be used, its copy is read. Never blocks, for
    /// example on a pipe, and reads a bounded number of bytes.
    /// - Throws: an error with a description for display if neither file is a valid record and one of them exists.
    public func load() throws -> StatusRecord? {
        do {
            if let record = try Self.read(url) { return record }
        } catch {
            guard var copy = try? Self.read(copyURL) else { throw error }
            copy.remark = "the copy of the last known status is used: \(error)"
            return copy
        }
        return try Self.read(copyURL)
    }

    private static func read(_ url: URL) throws -> StatusRecord? {
        try StateFileAccess.read(url, limit: sizeLimit).map { try record(in: $0, path: url.path) }
    }

    /// Writes the record, unless the file contains a record that the server published later: an older status must not
    /// unblock an app that another process knows to be killed.
    /// - Throws: an error with a description for display if a file cannot be written, or if another process holds the lock and
    ///   the record would let the app run.
    ///
    /// Nothing is written if another process has just written the same status: of a thousand processes that learn of a kill at
    /// the same time, a few write it. Otherwise each would wait for the disk, and for the others.
    public func save(_ record: StatusRecord) throws {
        if isKept(record) { return }
        do {
            try FileCalls.makeFolder(url.deletingLastPathComponent())
        } catch {
            throw StatusStoreError.system(path: error.path, "the folder can't be made: \(error.reason)")
        }
        let lock = acquireLock()
        try withExtendedLifetime(lock) {
            if isKept(record) { return }
            guard let merged = record.merged(over: try? load()) else { return }
            if case .success(nil) = lock, !merged.blocks { throw StatusStoreError.locked(url.path) }
            try write(merged)
        }
    }

    /// Whether both files have the same status already.
    private func isKept(_ record: StatusRecord) -> Bool {
        guard let present = try? Self.read(url), present.isAlmost(record) else { return false }
        return (try? Self.read(copyURL))?.hasStatus(of: present) == true
    }

    /// The wait is short: a process that was stopped while it held the lock must not block this one.
    /// - Returns: nil if another process holds the lock; a failure if the file system has no locks, or its file can't be opened.
    private func acquireLock() -> Result<FileLock?, FileError> {
        Result { () throws(FileError) in
            try FileLock.wait(url.path + ".lock", limit: .milliseconds(20), interval: .milliseconds(1))
        }
    }

    /// Writes both files. The copy is only written for another status, and not for a confirmation of the same.
    private func write(_ record: StatusRecord) throws {
        let data = try Self.data(of: record)
        try StateFileAccess.replace(url, with: data)
        if let copy = try? Self.read(copyURL), copy.hasStatus(of: record) { return }
        try StateFileAccess.replace(copyURL, with: data)
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

    /// The store of a status of an app, whether or not it has a screen: a kill that one form of the app has kept applies to the
    /// other.
    package static func userState(_ app: AppInfo, statusURL: URL, isSigned: Bool) -> FileStatusStore {
        userState(app.name, of: statusURL.absoluteString + (isSigned ? " signed" : ""))
    }

    // MARK: File format

    static func data(of record: StatusRecord) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let line = try encoder.encode(record)
        return line + Data("\n\(checksumName) \(line.fingerprint)\n".utf8)
    }

    static func record(in data: Data, path: String) throws -> StatusRecord {
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty, lines[1].elementsEqual("\(checksumName) \(lines[0].fingerprint)".utf8),
            let record = try? JSONDecoder().decode(StatusRecord.self, from: lines[0])
        else { throw StatusStoreError.damaged(path) }
        return record
    }

    private static let checksumName = "fnv1a"
}

/// Why a file is not a status record, or could not be written.
package enum StatusStoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The checksum does not match: the file was corrupted or edited.
    case damaged(String)
    /// Another process holds the file's lock.
    case locked(String)
    /// The file never becomes a record by itself; the text, which follows the path, says why.
    case unusable(path: String, String)
    /// A system call failed; the text states which and why.
    case system(path: String, String)

    /// One line for display.
    package var description: String {
        switch self {
        case .damaged(let path): "\(path) is damaged: its checksum does not fit; the next status replaces it"
        case .locked(let path): "\(path) is locked by another process; the next status is saved"
        case .unusable(let path, let why): "\(path) \(why); remove it"
        case .system(let path, let why): "\(path): \(why)"
        }
    }
}
