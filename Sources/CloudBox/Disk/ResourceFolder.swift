import BellerophonBase
import Digests
import Foundation

/// One resource's folder: `FOLDER/NAME/VERSION` as in the original, and beside it what only this library reads.
///
/// | file | what |
/// |---|---|
/// | `4` | version 4, whole |
/// | `.state.json` | its size, digest and date, and the entity tags of meta documents |
/// | `.part`, `.part.json` | what came of a transfer that was cut, and of what |
/// | `.lock` | held while a process syncs this resource |
///
/// A file gets its number by a rename after its bytes are safe, so a numbered file is whole at any time.
struct ResourceFolder: Sendable {
    /// What a look at the folder found.
    struct Newest: Sendable {
        var version: HeldVersion?
        var remark: String?
        var usedBytes: Int64 = 0
    }

    let name: ResourceName
    let url: URL
    let steps: InstallSteps

    init(name: ResourceName, in folder: URL, steps: InstallSteps) {
        self.name = name
        url = folder.appendingPathComponent(name.text, isDirectory: true)
        self.steps = steps
    }

    var partURL: URL { url.appendingPathComponent(".part") }
    var partFactsURL: URL { url.appendingPathComponent(".part.json") }
    private var stateURL: URL { url.appendingPathComponent(".state.json") }

    func file(of version: Int64) -> URL { url.appendingPathComponent(String(version)) }

    // MARK: Looking

    /// The newest cached version. A file whose size is not the one it was installed with is passed over.
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

    /// What is kept beside the versions; empty where there is nothing, or nothing that can be read.
    func state() -> FolderState {
        guard let size = FileInspection.regularSize(stateURL), size <= FolderState.sizeLimit else { return FolderState() }
        guard let data = try? Data(contentsOf: stateURL) else { return FolderState() }
        return (try? JSONDecoder().decode(FolderState.self, from: data)) ?? FolderState()
    }

    // MARK: Changing

    /// Takes the folder for a sync; nil where another process has it.
    func lock() throws(CloudBoxError) -> FileLock? {
        do {
            try FileCalls.makeFolder(url)
            return try FileLock(url.appendingPathComponent(".lock").path)
        } catch {
            throw CloudBoxError(name.text, .disk(error.description))
        }
    }

    /// Removes what a killed process has left: versions that a newer one has replaced, drafts, and a transfer nobody can
    /// go on with.
    /// - Returns: false where nothing was done, since the folder is locked: another process syncs the resource, or this
    ///   one is just starting a child, which holds the lock until it runs its program.
    func tidy() -> Bool {
        guard FileManager.default.fileExists(atPath: url.path) else { return true }
        guard let lock = try? lock() else { return false }
        removeOlder(than: newest().version?.version)
        remove(stateURL.path + ".new")
        remove(partFactsURL.path + ".new")
        if FileInspection.regularSize(partFactsURL) == nil { remove(partURL.path) }
        withExtendedLifetime(lock) {}
        return true
    }

    /// Gives the received file its number.
    /// - Parameter descriptor: of the received file, open for writing.
    func install(
        _ descriptor: Int32, as version: Int64, size: Int64, digest: Digest?, at date: Date
    ) throws(CloudBoxError) -> HeldVersion {
        let target = file(of: version)
        let installed = FolderState.Installed(version: version, size: size, sha256: digest?.hex, installedAt: date)
        do {
            try steps.before(.syncFile)
            try FileCalls.synchronize(descriptor, path: partURL.path)
            try steps.before(.rename)
            try FileCalls.rename(partURL.path, to: target.path)
            try steps.before(.syncFolder)
            try FileCalls.synchronizeFolder(url.path)
        } catch {
            throw CloudBoxError(name.text, .disk(Self.text(of: error)))
        }
        finish(installed)
        return HeldVersion(
            version: version, origin: .fresh, content: .file(target), size: size, digest: digest, installedAt: date
        )
    }

    /// The new version stands. What follows is comfort: without it a digest is unknown and an old file stays longer.
    private func finish(_ installed: FolderState.Installed) {
        guard (try? steps.before(.writeState)) != nil else { return }
        remember { $0.installed = installed }
        guard (try? steps.before(.removeOlder)) != nil else { return }
        remove(partFactsURL.path)
        removeOlder(than: installed.version)
    }

    /// Changes what is kept beside the versions. A failure costs a body next time, nothing more.
    func remember(_ change: (inout FolderState) -> Void) {
        var state = state()
        change(&state)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(state) else { return }
        try? FileCalls.replace(stateURL.path, with: data, draft: stateURL.path + ".new", isNameDurable: false)
    }

    /// Forgets a transfer that nobody goes on with.
    func removePart() {
        remove(partURL.path)
        remove(partFactsURL.path)
    }

    private func removeOlder(than version: Int64?) {
        guard let version else { return }
        for older in NumberedFiles.versions(in: url) where older < version { remove(file(of: older).path) }
    }

    private func remove(_ path: String) {
        _ = unlink(path)
    }

    private static func text(of error: any Error) -> String {
        (error as? FileError)?.description ?? "\(error)"
    }
}

/// What is kept beside the versions of a resource.
struct FolderState: Codable, Equatable, Sendable {
    struct Installed: Codable, Equatable, Sendable {
        var version: Int64
        var size: Int64
        var sha256: String?
        var installedAt: Date
    }

    /// The entity tag of a meta document, and the version it was about.
    struct Meta: Codable, Equatable, Sendable {
        var tag: String
        var version: Int64
        /// When the signed document ceases to hold; nil for one that was not signed.
        var expiresAt: Date?
    }

    var installed: Installed?
    /// By the meta document's address; at most ``metaLimit``.
    var metas: [String: Meta] = [:]

    static let metaLimit = 16
    /// Bytes of the whole file.
    static let sizeLimit: Int64 = 256 << 10
    /// Bytes of one tag; a longer one is not kept.
    static let tagLimit = 512

    mutating func keep(_ tag: String?, of address: String, version: Int64, expiresAt: Date?) {
        metas[address] = nil
        guard let tag, tag.utf8.count <= Self.tagLimit, address.utf8.count <= 2048 else { return }
        if metas.count >= Self.metaLimit { metas = [:] }
        metas[address] = Meta(tag: tag, version: version, expiresAt: expiresAt)
    }
}
