public import Digests
public import Foundation

/// What is known about one resource at this moment, without its bytes.
public struct ResourceFacts: Equatable, Sendable {
    /// Where the version in use came from.
    public enum Origin: String, Equatable, Sendable, CaseIterable {
        /// Shipped with the app.
        case bundled
        /// Synced by an earlier run, or by another process that shares the folder.
        case cached
        /// Synced by this run.
        case fresh
    }

    public var name: String
    /// Nil where neither a bundled nor a cached version is at hand; so are the facts that belong to it.
    public var version: Int64?
    public var origin: Origin?
    /// Bytes.
    public var size: Int64?
    /// SHA-256; nil also where the version is larger than 16 MiB and nobody has stated its digest.
    public var digest: Digest?
    /// When this version was installed in the folder, by the wall clock; nil for a bundled one.
    public var installedAt: Date?
    /// The bundled version, also while a newer one is in use.
    public var bundledVersion: Int64?
    /// The source servers that are asked for it.
    public var servers: [URL]
    /// How the last sync of this run ended; nil before it.
    public var lastSync: SyncRecord?
    /// What a sync is doing now, or did last.
    public var progress: ResourceProgress
    /// Something that a person should know: a damaged cached file, a bundled version that can't be used.
    public var remark: String?

    public init(
        name: String, version: Int64? = nil, origin: Origin? = nil, size: Int64? = nil, digest: Digest? = nil,
        installedAt: Date? = nil, bundledVersion: Int64? = nil, servers: [URL] = [], lastSync: SyncRecord? = nil,
        progress: ResourceProgress? = nil, remark: String? = nil
    ) {
        self.name = name
        self.version = version
        self.origin = origin
        self.size = size
        self.digest = digest
        self.installedAt = installedAt
        self.bundledVersion = bundledVersion
        self.servers = servers
        self.lastSync = lastSync
        self.progress = progress ?? ResourceProgress(name: name, state: .idle)
        self.remark = remark
    }
}

/// How a sync ended, and when.
public struct SyncRecord: Equatable, Sendable {
    public var outcome: SyncOutcome
    /// By the wall clock.
    public var at: Date
    /// From its start, waiting for its turn included.
    public var duration: Duration

    public init(outcome: SyncOutcome, at: Date, duration: Duration) {
        self.outcome = outcome
        self.at = at
        self.duration = duration
    }
}

/// What came of one sync.
public enum SyncOutcome: Equatable, Sendable {
    /// A newer version is in use. `received` counts the body bytes of this sync: less than the size where a cut
    /// transfer went on, none where the server had only renumbered bytes that were at hand.
    case updated(version: Int64, from: Int64?, received: Int64)
    /// The version at hand stays; no server has a newer one.
    case unchanged(version: Int64?)
    /// Another process that shares the folder is syncing this resource right now.
    case busyElsewhere
    /// The version at hand stays, and this is why.
    case failed(CloudBoxError)
}

/// A resource's new version, as the update stream, handlers and the notification tell it.
public struct ResourceUpdate: Equatable, Sendable {
    public var identifier: String
    public var version: Int64
    /// The version that was in use before; nil where there was none.
    public var previousVersion: Int64?
    public var data: Data

    public init(identifier: String, version: Int64, previousVersion: Int64?, data: Data) {
        self.identifier = identifier
        self.version = version
        self.previousVersion = previousVersion
        self.data = data
    }
}

/// How far a sync has come.
public struct ResourceProgress: Equatable, Sendable {
    public enum State: String, Equatable, Sendable {
        /// Never synced by this run.
        case idle
        /// For its turn: only so many transfers run at once.
        case waiting
        /// For the meta document.
        case asking
        case receiving
        case installing
        /// The last sync updated it.
        case updated
        /// The last sync left it as it is.
        case unchanged
        case failed
    }

    public var name: String
    public var state: State
    /// Bytes of the file at hand, those of an earlier transfer that goes on included.
    public var received: Int64
    /// Bytes; nil where nobody has said.
    public var total: Int64?

    public init(name: String, state: State, received: Int64 = 0, total: Int64? = nil) {
        self.name = name
        self.state = state
        self.received = received
        self.total = total
    }

    /// From 0 to 1; nil where the total is unknown.
    public var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(max(Double(received) / Double(total), 0), 1)
    }

    /// Whether a sync is under way.
    public var isActive: Bool {
        switch state {
        case .waiting, .asking, .receiving, .installing: true
        case .idle, .updated, .unchanged, .failed: false
        }
    }
}
