import BellerophonBase
import Digests
public import Foundation
import HTTPTransport
import Synchronization

/// An app's resources, updated over the air. Bundled and cached versions are available immediately; syncs install newer ones.
///
/// ```swift
/// let box = CloudBoxClient(CloudBoxConfiguration(folder: folder, servers: [server], bundled: .folder(shipped)))
/// try box.register("help.txt")
/// let help = try box.data(for: "help.txt")        // immediately, from the disk
/// let outcome = await box.sync("help.txt")        // in the background
/// ```
/// The highest version wins; at equal versions the bundled one wins. All members may be called on any thread.
public final class CloudBoxClient: Sendable {
    /// The configuration, with limits clamped to their bounds.
    public let configuration: CloudBoxConfiguration
    let state = Mutex(State())
    let client: HTTPClient
    let beforeInstallStep: InstallHook
    let transfers: AsyncSemaphore
    let updateStreams = Broadcast<ResourceUpdate>(bufferSize: 256)
    let progressStreams = Broadcast<ResourceProgress>(bufferSize: 64)

    /// Creates a box without registered resources.
    public convenience init(_ configuration: CloudBoxConfiguration) {
        self.init(configuration, beforeInstallStep: { _ in })
    }

    /// - Parameter beforeInstallStep: a hook that is called before each step of an installation.
    package init(_ configuration: CloudBoxConfiguration, beforeInstallStep: @escaping InstallHook) {
        var configuration = configuration
        configuration.limits = configuration.limits.bounded
        self.configuration = configuration
        self.beforeInstallStep = beforeInstallStep
        client = HTTPClient(configuration.sessionConfiguration())
        transfers = AsyncSemaphore(configuration.limits.transfers)
    }

    // MARK: Registering

    /// Registers a resource.
    ///
    /// An unusable bundled version is not an error here: look-ups and ``facts(for:)`` report it, and a sync can install
    /// a valid version.
    /// - Parameters:
    ///   - name: a valid ``ResourceName``.
    ///   - servers: replace the configuration's servers.
    ///   - bundled: replaces the configuration's bundled version.
    ///   - limit: the maximum size in bytes of a version that a server sends. A larger one is refused, at the latest when its
    ///     first byte above the limit arrives, and nothing of it stays on the disk. Negative counts as 0. Default: nil, for
    ///     ``CloudBoxConfiguration/Limits/resourceBytes``. Bundled and cached versions are not affected.
    /// - Throws: ``CloudBoxError`` if the name or a server is invalid, or the name is already registered.
    public func register(
        _ name: String, servers: [URL]? = nil, bundled: BundledResource? = nil, limit: Int64? = nil
    ) throws(CloudBoxError) {
        guard let valid = ResourceName(name) else { throw CloudBoxError(name, .invalidName) }
        for server in servers ?? [] where !Self.isUsable(server) {
            throw CloudBoxError(name, .unusableServer(server.absoluteString))
        }
        let limit = max(limit ?? configuration.limits.resourceBytes, 0)
        var entry = Entry(name: valid, servers: servers ?? configuration.servers, limit: limit)
        do throws(CloudBoxError) {
            let resource = if let bundled { bundled } else { try configuration.bundled.resource(valid) }
            entry.bundled = try BundledVersion.verified(resource, name: valid)
        } catch {
            entry.bundledProblem = error
        }
        entry.held = entry.bundled
        let folder = folder(of: valid)
        entry.isTidy = folder.tidy(have: entry.held?.version, limit: limit)
        entry.adopt(folder.newest())
        let isNew = state.withLock { state in
            guard state.entries[valid] == nil else { return false }
            state.add(entry)
            return true
        }
        if !isNew { throw CloudBoxError(name, .alreadyRegistered) }
    }

    /// The names of all registered resources, sorted.
    public var registeredNames: [String] {
        state.withLock { $0.entries.keys.sorted().map(\.text) }
    }

    // MARK: Looking up

    /// The bytes of the newest bundled or cached version, available immediately. Large files are memory-mapped.
    /// - Throws: ``CloudBoxError`` if the name is not registered, there is no version, or its file can't be read.
    public func data(for name: String) throws(CloudBoxError) -> Data {
        try version(of: name).data
    }

    /// The file of the version in use, which a later sync may remove; nil if the version is embedded in the binary.
    public func fileURL(for name: String) throws(CloudBoxError) -> URL? {
        guard case .file(let url) = try held(name).content else { return nil }
        return url
    }

    /// What is known about a resource.
    ///
    /// The digest of a bundled version is computed on the first call.
    public func facts(for name: String) throws(CloudBoxError) -> ResourceFacts {
        let entry = try entry(name)
        if let held = entry.held, held.digest == nil, held.size <= BundledVersion.checkedSize {
            let digest = (try? data(for: name)).flatMap { Digest(.sha256, of: $0) }
            state.withLock { state in
                guard state.entries[entry.name]?.held?.version == held.version else { return }
                state.entries[entry.name]?.held?.digest = digest
            }
        }
        return try knownFacts(for: name)
    }

    /// Like ``facts(for:)``, without computing a missing digest. The first digest in a process loads the system's
    /// cryptography library, which a program may postpone until after its first frame.
    package func knownFacts(for name: String) throws(CloudBoxError) -> ResourceFacts {
        try entry(name).facts
    }

    /// The facts of all registered resources, sorted by name.
    public var allFacts: [ResourceFacts] {
        registeredNames.compactMap { try? facts(for: $0) }
    }

    /// The number and the bytes of the version in use, both of the same version.
    func version(of name: String) throws(CloudBoxError) -> (number: Int64, data: Data) {
        var failure: (any Error)?
        // Another process may remove the file before it is read; the second pass then reads its successor.
        for _ in 0..<2 {
            let entry = try entry(name)
            guard let held = entry.held else { throw entry.nothingAtHand }
            if let loaded = entry.loaded, loaded.version == held.version { return (held.version, loaded.data) }
            do {
                let data = try held.load()
                state.withLock { state in
                    guard state.entries[entry.name]?.held?.version == held.version else { return }
                    state.entries[entry.name]?.loaded = (held.version, data)
                }
                return (held.version, data)
            } catch {
                failure = error
                adoptCached(entry.name, replacing: held)
            }
        }
        throw CloudBoxError(name, .disk("can't read its file: \(failure?.localizedDescription ?? "unknown")"))
    }

    /// Reads the folder again after the file in use was removed.
    private func adoptCached(_ name: ResourceName, replacing old: HeldVersion) {
        let newest = folder(of: name).newest()
        state.withLock { state in
            _ = state.update(name) { entry in
                guard entry.held == old else { return }
                entry.held = entry.bundled
                entry.adopt(newest)
            }
        }
    }

    // MARK: Shared

    func held(_ name: String) throws(CloudBoxError) -> HeldVersion {
        let entry = try entry(name)
        guard let held = entry.held else { throw entry.nothingAtHand }
        return held
    }

    func entry(_ name: String) throws(CloudBoxError) -> Entry {
        let (entry, names) = state.withLock { state in
            (ResourceName(name).flatMap { state.entries[$0] }, state.entries.keys.sorted().map(\.text))
        }
        guard let entry else { throw CloudBoxError(name, .notRegistered(registered: names)) }
        return entry
    }

    /// Changes the entry of a registered resource.
    func change(_ name: String, _ body: (inout Entry) -> Void) throws(CloudBoxError) {
        let known = try entry(name).name
        state.withLock { _ = $0.update(known, body) }
    }

    func folder(of name: ResourceName) -> ResourceFolder {
        ResourceFolder(name: name, in: configuration.folder, beforeStep: beforeInstallStep)
    }

    static func isUsable(_ server: URL) -> Bool {
        let scheme = server.scheme?.lowercased()
        return (scheme == "http" || scheme == "https") && server.host?.isEmpty == false
    }
}
