import BellerophonBase
import Digests
import Foundation

/// One resource's folder: `FOLDER/NAME/VERSION` as in the original, plus files that only this library reads.
///
/// | file | content |
/// |---|---|
/// | `4` | version 4, complete |
/// | `.state.json` | its size, digest and date, and the entity tags of meta documents |
/// | `.part`, `.part.json` | the bytes of an interrupted transfer, and their source |
/// | `.lock` | locked while a process syncs this resource |
///
/// A file is renamed to its number after its bytes are durable, so a numbered file is always complete.
struct ResourceFolder: Sendable {
    /// The result of reading the folder.
    struct Newest: Sendable {
        var version: HeldVersion?
        var remark: String?
        var usedBytes: Int64 = 0
    }

    let name: ResourceName
    let url: URL
    let beforeStep: InstallHook

    init(name: ResourceName, in folder: URL, beforeStep: @escaping InstallHook) {
        self.name = name
        url = folder.appendingPathComponent(name.text, isDirectory: true)
        self.beforeStep = beforeStep
    }

    var partURL: URL { url.appendingPathComponent(".part") }
    var partFactsURL: URL { url.appendingPathComponent(".part.json") }
    private var stateURL: URL { url.appendingPathComponent(".state.json") }

    func file(of version: Int64) -> URL { url.appendingPathComponent(String(version)) }

    // MARK: Reading

    /// The newest cached version. A file is skipped if its size differs from the installed size.
    func newest() -> Newest {
        var found = Newest()
        let installed = state().installed
        for version in NumberedFiles.versions(in: url).reversed() {
            guard let size = FileInspection.regularSize(file(of: version)) else { continue }
            found.usedBytes += size
            let known = installed?.version == version ? installed : nil
            if let known, known.size != size {
                found.remark = "the cached version \(version) is damaged: it has \(size) bytes in place of \(known.size)"
            } else if found.version == nil {
                found.version = HeldVersion(
                    version: version, origin: .cached, content: .file(file(of: version)), size: size,
                    digest: known?.sha256.flatMap { Digest(.sha256, hex: $0) }, installedAt: known?.installedAt
                )
            }
        }
        found.usedBytes += FileInspection.regularSize(partURL) ?? 0
        return found
    }

    /// The stored state; empty if its file is missing or unreadable.
    func state() -> FolderState {
        FolderState.load(stateURL) ?? FolderState()
    }

    // MARK: Changing

    /// Locks the folder for a sync; nil if another process holds the lock.
    func lock() throws(CloudBoxError) -> FileLock? {
        do {
            try FileCalls.makeFolder(url)
            return try FileLock(url.appendingPathComponent(".lock").path)
        } catch {
            throw CloudBoxError(name.text, .disk(error.description))
        }
    }

    /// Removes leftovers of a killed process: replaced versions, temporary files, and a transfer that can't be resumed.
    /// - Parameters:
    ///   - have: the version in use.
    ///   - limit: the maximum size of a version that a server sends, in bytes.
    /// - Returns: false if nothing was removed because the folder is locked. Either another process syncs the resource,
    ///   or this process has forked a child, which holds the lock until it executes its program.
    func tidy(have: Int64?, limit: Int64) -> Bool {
        guard FileManager.default.fileExists(atPath: url.path) else { return true }
        guard let lock = try? lock() else { return false }
        let newest = newest().version?.version
        removeOlder(than: newest)
        unlink(stateURL.path + ".new")
        unlink(partFactsURL.path + ".new")
        if !canResume(after: max(have ?? -1, newest ?? -1), limit: limit) { removePart() }
        withExtendedLifetime(lock) {}
        return true
    }

    /// Whether the files of an interrupted transfer are the beginning of a version that is newer and within the limit.
    private func canResume(after version: Int64, limit: Int64) -> Bool {
        guard let facts = PartFacts.load(partFactsURL), let size = FileInspection.regularSize(partURL) else { return false }
        let isRecognizable = facts.digest != nil || facts.run == PartFacts.thisRun
        return size <= limit && facts.version > version && isRecognizable
    }

    /// Makes the received file durable and renames it to its version number.
    /// - Parameter descriptor: of the received file, open for writing.
    func install(
        _ descriptor: Int32, as version: Int64, size: Int64, digest: Digest?, at date: Date
    ) throws(CloudBoxError) -> HeldVersion {
        let target = file(of: version)
        let installed = FolderState.Installed(version: version, size: size, sha256: digest?.hex, installedAt: date)
        do {
            try beforeStep(.syncFile)
            try FileCalls.synchronize(descriptor, path: partURL.path)
            try beforeStep(.rename)
            try FileCalls.rename(partURL.path, to: target.path)
            try beforeStep(.syncFolder)
            try FileCalls.synchronizeFolder(url.path)
        } catch {
            throw CloudBoxError(name.text, .disk("\(error)"))
        }
        finish(installed)
        return HeldVersion(
            version: version, origin: .fresh, content: .file(target), size: size, digest: digest, installedAt: date
        )
    }

    /// Optional steps after the installation. Without them the digest is unknown and an old file remains for longer.
    private func finish(_ installed: FolderState.Installed) {
        guard (try? beforeStep(.writeState)) != nil else { return }
        remember { $0.installed = installed }
        guard (try? beforeStep(.removeOlder)) != nil else { return }
        unlink(partFactsURL.path)
        removeOlder(than: installed.version)
    }

    /// Changes the stored state. A failure only costs a later download.
    func remember(_ change: (inout FolderState) -> Void) {
        var state = state()
        change(&state)
        try? state.save(stateURL)
    }

    /// Removes the files of an interrupted transfer.
    func removePart() {
        unlink(partURL.path)
        unlink(partFactsURL.path)
    }

    private func removeOlder(than version: Int64?) {
        guard let version else { return }
        for older in NumberedFiles.versions(in: url) where older < version { unlink(file(of: older).path) }
    }

}

/// The stored state of a resource's folder.
struct FolderState: StoredFacts, Equatable, Sendable {
    struct Installed: Codable, Equatable, Sendable {
        var version: Int64
        var size: Int64
        var sha256: String?
        var installedAt: Date
    }

    /// The entity tag of a meta document, and the version that the document describes.
    struct Meta: Codable, Equatable, Sendable {
        var tag: String
        var version: Int64
        /// The expiry of a signed document; nil for an unsigned one.
        var expiresAt: Date?
    }

    var installed: Installed?
    /// Keyed by the meta document's URL; at most ``metaLimit`` entries.
    var metas: [String: Meta] = [:]

    static let metaLimit = 16
    /// The maximum size of the file in bytes.
    static let sizeLimit = 256 << 10
    /// The maximum size of a tag in bytes; longer tags are not stored.
    static let tagLimit = 512

    mutating func setTag(_ tag: String?, of address: String, version: Int64, expiresAt: Date?) {
        metas[address] = nil
        guard let tag, tag.utf8.count <= Self.tagLimit, address.utf8.count <= 2048 else { return }
        if metas.count >= Self.metaLimit { metas = [:] }
        metas[address] = Meta(tag: tag, version: version, expiresAt: expiresAt)
    }
}

/// The steps of an installation. If the program ends before any of them, either the old or the new version is intact.
package enum InstallStep: String, CaseIterable, Sendable {
    case syncFile, rename, syncFolder, writeState, removeOlder
}

/// A hook that is called before each step. A test makes it throw, or ends the program in it.
package typealias InstallHook = @Sendable (InstallStep) throws -> Void
