import Digests
import Foundation

extension CloudBoxClient {
    /// The mutable state of a box.
    struct State: Sendable {
        var entries: [ResourceName: Entry] = [:]
        private var syncs = 0
        var health = ServerHealth()
        /// The size of all cached versions and part files, in bytes.
        private(set) var usedBytes: Int64 = 0

        mutating func add(_ entry: Entry) {
            entries[entry.name] = entry
            usedBytes += entry.usedBytes
        }

        /// Sets the size of a resource's files on the disk.
        mutating func count(_ bytes: Int64, for name: ResourceName) {
            usedBytes += bytes - (entries[name]?.usedBytes ?? 0)
            entries[name]?.usedBytes = bytes
        }

        /// Reads or changes the entry of a resource.
        /// - Returns: nil if it is not registered.
        mutating func update<Value>(_ name: ResourceName, _ body: (inout Entry) -> Value) -> Value? {
            guard var entry = entries[name] else { return nil }
            defer { entries[name] = entry }
            return body(&entry)
        }

        /// A number for a new sync.
        mutating func syncNumber() -> Int {
            syncs += 1
            return syncs
        }
    }

    /// One registered resource.
    struct Entry: Sendable {
        let name: ResourceName
        let servers: [URL]
        /// The maximum size of a version that a server sends, in bytes.
        let limit: Int64
        /// The version in use.
        var held: HeldVersion?
        var bundled: HeldVersion?
        var bundledProblem: CloudBoxError?
        var cachedRemark: String?
        /// The bytes of the version in use, after they were first requested.
        var loaded: (version: Int64, data: Data)?
        var object: (version: Int64, value: any Sendable)?
        var deserializer: (@Sendable (Data) throws -> any Sendable)?
        var handlers: [@MainActor @Sendable (ResourceUpdate) -> Void] = []
        /// The version that the deserializer rejected, so that it is not fetched repeatedly.
        var refused: (version: Int64, why: String)?
        /// By source server: the file that arrived damaged, so that it is not fetched again immediately.
        var damaged: [URL: DamagedFile] = [:]
        var lastSync: SyncRecord?
        var progress: ResourceProgress
        var progressReportedAt: ContinuousClock.Instant?
        /// The running sync, which concurrent callers share.
        var running: (number: Int, task: Task<SyncOutcome, Never>)?
        /// A cancelled sync that may still be running; the next sync waits for it.
        var ending: Task<SyncOutcome, Never>?
        /// Whether leftovers of a killed process have been removed from the folder.
        var isTidy = true
        /// The bytes on the disk, in the library's folder.
        var usedBytes: Int64 = 0

        init(name: ResourceName, servers: [URL], limit: Int64) {
            self.name = name
            self.servers = servers
            self.limit = limit
            progress = ResourceProgress(name: name.text, state: .idle, received: 0, total: nil)
        }

        /// Uses the newest cached version if it is newer than the current one. At equal versions the bundled one wins,
        /// as in the original.
        mutating func adopt(_ cached: ResourceFolder.Newest) {
            cachedRemark = cached.remark
            usedBytes = cached.usedBytes
            guard let version = cached.version, version.version > held?.version ?? -1 else { return }
            held = version
        }

        /// Replaces the version in use with the bundled one, because the deserializer rejected it.
        mutating func fallBackToBundled(why: String) {
            guard let held, held.origin != .bundled, let bundled else { return }
            refused = (held.version, why)
            cachedRemark = "version \(held.version) was refused by this program: \(why)"
            self.held = bundled
            loaded = nil
        }

        var nothingAtHand: CloudBoxError { bundledProblem ?? CloudBoxError(name.text, .nothingYet) }

        var facts: ResourceFacts {
            ResourceFacts(
                name: name.text, version: held?.version, origin: held?.origin, size: held?.size, digest: held?.digest,
                installedAt: held?.installedAt, bundledVersion: bundled?.version, servers: servers, lastSync: lastSync,
                progress: progress, remark: cachedRemark ?? bundledProblem?.description
            )
        }
    }
}

/// A bundled or cached version.
struct HeldVersion: Equatable, Sendable {
    var version: Int64
    var origin: ResourceFacts.Origin
    var content: BundledResource.Content
    /// In bytes.
    var size: Int64
    var digest: Digest?
    var installedAt: Date?

    func load() throws -> Data {
        switch content {
        case .file(let url): try FileInspection.data(url)
        case .bytes(let data): data
        }
    }
}

/// Validates bundled versions.
enum BundledVersion {
    /// Up to this size in bytes, content is compared with its digest, and a missing digest is computed.
    static let checkedSize: Int64 = 16 << 20

    static func verified(_ resource: BundledResource?, name: ResourceName) throws(CloudBoxError) -> HeldVersion? {
        guard let resource else { return nil }
        guard resource.version >= 0 else {
            throw CloudBoxError(name.text, .bundled("version \(resource.version) is below 0"))
        }
        var held = HeldVersion(version: resource.version, origin: .bundled, content: resource.content, size: 0)
        switch resource.content {
        case .bytes(let data): held.size = Int64(data.count)
        case .file(let url):
            guard let size = FileInspection.regularSize(url) else {
                throw CloudBoxError(name.text, .bundled("there is no file \(url.path)"))
            }
            held.size = size
        }
        held.digest = resource.digest
        guard let stated = resource.digest, held.size <= checkedSize else { return held }
        guard let data = try? held.load(), let found = Digest(stated.kind, of: data) else {
            throw CloudBoxError(name.text, .bundled("its file can't be read"))
        }
        guard found == stated else { throw CloudBoxError(name.text, .bundled("expected \(stated), got \(found)")) }
        return held
    }
}
