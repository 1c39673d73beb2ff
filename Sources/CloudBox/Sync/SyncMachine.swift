import Digests
import Foundation

/// Decides the next action of a sync without performing it.
///
/// Servers are tried in the given order until one delivers a newer version or confirms the current one. After a server
/// with an older version, the next one is tried.
struct SyncMachine {
    struct Order: Equatable {
        var server: URL
        var meta: ResourceMeta
        /// Whether to discard the bytes of an earlier transfer.
        var isAnew = false
    }

    enum Action: Equatable {
        case fetchMeta(server: URL)
        case fetchFile(Order)
        /// The local bytes equal the new version; only the version number changes.
        case renumber(Order)
        case install(Order, version: Int64)
        case finish(End)
    }

    enum End: Equatable {
        case installed(version: Int64)
        case unchanged
        case failed(CloudBoxError.Reason)
    }

    enum MetaAnswer: Equatable {
        case document(ResourceMeta)
        /// HTTP 304: the known document, about this version, is still valid.
        case notModified(version: Int64)
        case failed(CloudBoxError.Reason)
    }

    enum FileAnswer: Equatable {
        /// All bytes were received. `version` is the file's own version, if stated.
        case complete(size: Int64, digests: [Digest], version: Int64?, wasResumed: Bool)
        /// The file's own version is newer than the meta's; nothing was received.
        case otherVersion(Int64)
        /// The transfer was interrupted. `hasProgress`: bytes arrived, and the transfer can be resumed.
        case cut(CloudBoxError.Reason, hasProgress: Bool)
        /// The server can't resume the earlier transfer.
        case notResumable
        case failed(CloudBoxError.Reason)
    }

    private var servers: ArraySlice<URL>
    /// The version in use.
    private let have: Int64?
    private let digestAtHand: Digest?
    private let resumptions: Int

    /// The servers that have failed so far.
    private(set) var attempts: [CloudBoxError.Attempt] = []
    private var hasAnswer = false
    /// Whether a server announced a newer version that it has not delivered.
    private var hasPromise = false
    private var hasAskedAgain = false
    private var hasBegunAnew = false
    private var resumptionsLeft = 0

    init(servers: [URL], have: Int64?, digestAtHand: Digest?, resumptions: Int) {
        self.servers = servers[...]
        self.have = have
        self.digestAtHand = digestAtHand
        self.resumptions = resumptions
    }

    mutating func start() -> Action {
        servers.isEmpty ? .finish(.failed(.noServers)) : nextServer()
    }

    mutating func handle(_ answer: MetaAnswer, from server: URL) -> Action {
        switch answer {
        case .document(let meta):
            hasAnswer = true
            if meta.version > have ?? -1 { return fetch(Order(server: server, meta: meta)) }
            return stay(at: meta.version)
        case .notModified(let version):
            hasAnswer = true
            return stay(at: version)
        case .failed(let reason):
            return giveUp(server, reason)
        }
    }

    mutating func handle(_ answer: FileAnswer, for order: Order) -> Action {
        switch answer {
        case .complete(let size, let digests, let version, let wasResumed):
            if let reason = Self.fault(of: order.meta, size: size, digests: digests) {
                return wasResumed ? beginAnew(order, else: reason) : giveUp(order.server, reason)
            }
            return .install(order, version: version ?? order.meta.version)
        case .otherVersion(let version):
            guard !hasAskedAgain else {
                return giveUp(order.server, .changedMeanwhile(meta: order.meta.version, file: version))
            }
            hasAskedAgain = true
            return .fetchMeta(server: order.server)
        case .cut(let reason, let hasProgress):
            guard hasProgress, resumptionsLeft > 0 else { return giveUp(order.server, reason) }
            resumptionsLeft -= 1
            return .fetchFile(Order(server: order.server, meta: order.meta))
        case .notResumable:
            return beginAnew(order, else: .httpStatus(416))
        case .failed(let reason):
            return giveUp(order.server, reason)
        }
    }

    // MARK: Rules

    /// The effect of a file's `Resource-Version` header on its transfer. The original's server sends an empty header.
    /// - Returns: the version of the file, or what ends the transfer.
    static func read(version text: String?, meta: ResourceMeta, have: Int64?) -> (version: Int64?, end: FileAnswer?) {
        let text = text?.trimmingCharacters(in: .whitespaces) ?? ""
        if text.isEmpty { return (nil, nil) }
        guard let version = VersionNumber(digits: text)?.value else {
            return (nil, .failed(.badVersion(String(text.prefix(40)))))
        }
        if version == meta.version { return (version, nil) }
        if version <= have ?? -1 { return (nil, .failed(.staleFile(version: version, promised: meta.version))) }
        // Digests and the size only apply to the version in the meta document.
        return meta.digest == nil && meta.size == nil ? (version, nil) : (nil, .otherVersion(version))
    }

    private static func fault(of meta: ResourceMeta, size: Int64, digests: [Digest]) -> CloudBoxError.Reason? {
        if let expected = meta.size, expected != size { return .wrongSize(expected: expected, got: size) }
        guard let expected = meta.digest else { return nil }
        for digest in digests where digest.kind == expected.kind {
            return digest == expected ? nil : .digestMismatch(expected: expected, got: digest)
        }
        return .disk("this system computes no \(expected.kind.rawValue)")
    }

    private mutating func fetch(_ order: Order) -> Action {
        hasPromise = true
        if let digestAtHand, digestAtHand == order.meta.sha256 { return .renumber(order) }
        return .fetchFile(order)
    }

    private mutating func stay(at version: Int64) -> Action {
        if version == have, !hasPromise { return .finish(.unchanged) }
        return nextServer()
    }

    private mutating func beginAnew(_ order: Order, else reason: CloudBoxError.Reason) -> Action {
        guard !hasBegunAnew else { return giveUp(order.server, reason) }
        hasBegunAnew = true
        return .fetchFile(Order(server: order.server, meta: order.meta, isAnew: true))
    }

    private mutating func giveUp(_ server: URL, _ reason: CloudBoxError.Reason) -> Action {
        switch reason {
        case .cancelled, .disk: return .finish(.failed(reason))
        default: break
        }
        attempts.append(CloudBoxError.Attempt(server: server, reason: reason))
        return nextServer()
    }

    private mutating func nextServer() -> Action {
        guard let server = servers.popFirst() else { return .finish(lastWord) }
        hasAskedAgain = false
        hasBegunAnew = false
        resumptionsLeft = resumptions
        return .fetchMeta(server: server)
    }

    private var lastWord: End {
        if hasAnswer, !hasPromise || attempts.isEmpty { return .unchanged }
        return .failed(attempts.count == 1 ? attempts[0].reason : .allServersFailed(attempts))
    }
}
