import BellerophonBase
import Digests
import Foundation
import HTTPTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Performs the actions of a ``SyncMachine`` for one sync.
///
/// Unchecked because only one task uses it, from one thread at a time.
final class SyncRun: @unchecked Sendable {
    let box: CloudBoxClient
    let name: ResourceName
    let folder: ResourceFolder
    let configuration: CloudBoxConfiguration
    /// Held from before the first byte of a file.
    var lock: FileLock?
    var part: PartFile?
    var digests: [Digest] = []
    /// The number of file bytes received in this sync.
    var received: Int64 = 0
    /// The version that was in use at the start.
    let before: Int64?
    /// The URLs, tags and versions of meta documents, stored at the end; for signed documents also the expiry.
    var metas: [(address: String, tag: String?, version: Int64, expiresAt: Date?)] = []

    init(_ box: CloudBoxClient, _ name: ResourceName) {
        self.box = box
        self.name = name
        folder = box.folder(of: name)
        configuration = box.configuration
        before = box.state.withLock { $0.entries[name]?.held?.version }
    }

    func perform() async -> SyncOutcome {
        adoptFromDisk()
        let plan = box.state.withLock { state in
            state.entries[name].map { (entry: $0, servers: state.health.ranked($0.servers, at: .now)) }
        }
        guard let (entry, servers) = plan else {
            return .failed(CloudBoxError(name.text, .notRegistered(registered: box.registeredNames)))
        }
        var machine = SyncMachine(
            servers: servers, have: entry.held?.version, digestAtHand: entry.held?.digest,
            resumptions: configuration.limits.resumptions
        )
        var action = machine.start()
        while true {
            switch action {
            case .fetchMeta(let server):
                action = machine.handle(await fetchMeta(server), from: server)
            case .fetchFile(let order):
                if let refusal = refusedBefore(order.meta.version) { return conclude(.failed(refusal)) }
                if let reason = damagedBefore(order) {
                    action = machine.handle(.failed(reason), for: order)
                    continue
                }
                if let outcome = await lockFolder(for: order.meta.version) { return outcome }
                let answer = await fetchFile(order, have: versionInUse)
                let failures = machine.attempts.count
                action = machine.handle(answer, for: order)
                discardPart(after: answer, action)
                if machine.attempts.count > failures { rememberDamage(machine.attempts.last?.reason, of: order, answer) }
            case .renumber(let order):
                if let outcome = await lockFolder(for: order.meta.version) { return outcome }
                action = await BlockingWork.run { self.renumber(order) } ?? .fetchFile(order)
            case .install(let order, let version):
                let problem = await BlockingWork.run { self.install(version, of: order.meta) }
                // Another server can't repair a disk error or a rejection by this program.
                if let problem { return conclude(.failed(problem)) }
                succeed(order.server)
                return conclude(.installed(version: version))
            case .finish(let end):
                return conclude(end)
            }
        }
    }

    // MARK: Helpers

    /// Reads or changes the state of the resource.
    /// - Returns: nil if it is not registered.
    @discardableResult
    func withEntry<Value: Sendable>(_ body: (inout CloudBoxClient.Entry) -> Value) -> Value? {
        box.state.withLock { $0.update(name, body) }
    }

    var versionInUse: Int64? { withEntry { $0.held?.version } ?? nil }

    /// The version that the app's deserializer rejected last, and the reason.
    var refused: (version: Int64, why: String)? { withEntry { $0.refused } ?? nil }

    /// The maximum size of a version that a server sends, in bytes.
    var limit: Int64 { withEntry { $0.limit } ?? configuration.limits.resourceBytes }

    /// A request to a source server or to the URL in its meta document. Configured headers are only sent to the
    /// server's own origin.
    func request(_ url: URL, of server: URL) -> URLRequest {
        var request = URLRequest(url: url)
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        request.setValue("bellerophon", forHTTPHeaderField: "User-Agent")
        guard url.origin == server.origin else { return request }
        for (field, value) in configuration.headers { request.setValue(value, forHTTPHeaderField: field) }
        return request
    }

    func progress(_ state: ResourceProgress.State, _ received: Int64 = 0, _ total: Int64? = nil) {
        let progress = ResourceProgress(name: name.text, state: state, received: received, total: total)
        box.record(progress, of: name)
    }

    /// Updates the size of the folder.
    func updateUsedBytes() {
        let bytes = folder.newest().usedBytes
        box.state.withLock { $0.count(bytes, for: name) }
    }
}
