import Foundation
import Synchronization

/// The parts of the box's state that a sync reads and changes.
extension CloudBoxClient {
    /// The resource, and its servers in the order of requests; nil if it is not registered.
    func syncPlan(for name: ResourceName, at now: ContinuousClock.Instant) -> (entry: Entry, servers: [URL])? {
        state.withLock { state in
            state.entries[name].map { ($0, state.health.ranked($0.servers, at: now)) }
        }
    }

    // MARK: Versions

    func versionInUse(of name: ResourceName) -> Int64? {
        state.withLock { $0.entries[name]?.held?.version }
    }

    /// Sets the version in use.
    /// - Returns: the version that was in use before.
    func use(_ version: HeldVersion, of name: ResourceName) -> Int64? {
        state.withLock { state in
            let previous = state.entries[name]?.held?.version
            state.entries[name]?.held = version
            state.entries[name]?.loaded = nil
            state.entries[name]?.cachedRemark = nil
            state.count(version.size, for: name)
            return previous
        }
    }

    /// The maximum size of a version that a server sends, in bytes.
    func limit(of name: ResourceName) -> Int64 {
        state.withLock { $0.entries[name]?.limit } ?? configuration.limits.resourceBytes
    }

    /// The version that the app's deserializer rejected last, and the reason.
    func refusedVersion(of name: ResourceName) -> (version: Int64, why: String)? {
        state.withLock { $0.entries[name]?.refused }
    }

    func refuse(_ version: Int64, of name: ResourceName, why: String) {
        state.withLock { $0.entries[name]?.refused = (version, why) }
    }

    func deserializer(of name: ResourceName) -> (@Sendable (Data) throws -> any Sendable)? {
        state.withLock { $0.entries[name]?.deserializer }
    }

    /// Stores the deserialized object of a version.
    func keep(_ object: any Sendable, of version: Int64, for name: ResourceName) {
        state.withLock { $0.entries[name]?.object = Entry.Object(version: version, value: object) }
    }

    // MARK: Disk

    /// Sets the size of a resource's folder in bytes.
    func count(_ bytes: Int64, for name: ResourceName) {
        state.withLock { $0.count(bytes, for: name) }
    }

    /// The number of bytes that this resource may have within the total limit.
    func room(for name: ResourceName, of total: Int64) -> Int64 {
        state.withLock { total - $0.usedBytes + ($0.entries[name]?.usedBytes ?? 0) }
    }

    /// Whether leftovers of a killed process are still in the folder.
    func needsTidying(_ name: ResourceName) -> Bool {
        state.withLock { $0.entries[name]?.isTidy == false }
    }

    func tidied(_ name: ResourceName) {
        state.withLock { $0.entries[name]?.isTidy = true }
    }

    // MARK: Servers

    /// The file of a server that did not match the server's meta document.
    func damagedFile(of name: ResourceName, from server: URL) -> DamagedFile? {
        state.withLock { $0.entries[name]?.damaged[server] }
    }

    func rememberDamage(
        _ reason: CloudBoxError.Reason, of name: ResourceName, _ meta: ResourceMeta, from server: URL,
        at now: ContinuousClock.Instant
    ) {
        state.withLock { state in
            if var known = state.entries[name]?.damaged[server], known.isFile(of: meta) {
                known.failed(reason, at: now)
                state.entries[name]?.damaged[server] = known
            } else {
                state.entries[name]?.damaged[server] = DamagedFile(meta, reason, at: now)
            }
        }
    }

    func serverAnswered(_ server: URL, after latency: Duration) {
        state.withLock { $0.health.answered(server, after: latency) }
    }

    func serverSucceeded(_ server: URL, with name: ResourceName) {
        state.withLock { state in
            state.health.succeeded(server)
            state.entries[name]?.damaged[server] = nil
        }
    }

    func serverFailed(_ server: URL) {
        state.withLock { $0.health.failed(server, at: .now, chance: Double.random(in: 0..<1)) }
    }
}
