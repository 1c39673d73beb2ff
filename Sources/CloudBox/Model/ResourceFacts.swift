public import Digests
public import Foundation

/// What is currently known about a resource, without its bytes.
public struct ResourceFacts: Equatable, Sendable {
    /// The origin of the version in use.
    public enum Origin: String, Equatable, Sendable, CaseIterable {
        /// Shipped with the app.
        case bundled
        /// Synced by an earlier run, or by another process that shares the folder.
        case cached
        /// Synced by this run.
        case fresh
    }

    /// The resource's name.
    public var name: String
    /// The version in use; nil, as are its properties, if neither a bundled nor a cached version exists.
    public var version: Int64?
    /// The origin of the version in use.
    public var origin: Origin?
    /// The size in bytes.
    public var size: Int64?
    /// The SHA-256; nil also if the version is larger than 16 MiB and no digest is stated.
    public var digest: Digest?
    /// The wall-clock time at which this version was installed in the folder; nil for a bundled version.
    public var installedAt: Date?
    /// The bundled version, even if a newer one is in use; nil if none ships.
    public var bundledVersion: Int64?
    /// The source servers for the resource.
    public var servers: [URL]
    /// The result of the last sync in this run; nil before the first.
    public var lastSync: SyncRecord?
    /// The progress of the current or the last sync.
    public var progress: ResourceProgress
    /// A problem to show to a person, such as a damaged cached file or an unusable bundled version.
    public var remark: String?
}

/// The outcome, the time and the duration of a sync.
public struct SyncRecord: Equatable, Sendable {
    /// The outcome of the sync.
    public var outcome: SyncOutcome
    /// The wall-clock time of its end.
    public var at: Date
    /// The time from its start, including the wait for a transfer slot.
    public var duration: Duration
}

/// The outcome of a sync.
public enum SyncOutcome: Equatable, Sendable {
    /// A newer version is in use. `received` is the number of body bytes in this sync: less than the size after a
    /// resumed transfer, zero if the local bytes only got a new version number.
    case updated(version: Int64, from: Int64?, received: Int64)
    /// The current version stays in use; no server has a newer one.
    case unchanged(version: Int64?)
    /// Another process that shares the folder is syncing this resource.
    case busyElsewhere
    /// The sync failed; the current version stays in use.
    case failed(CloudBoxError)
}

/// A resource's new version, as reported by the update stream, the handlers and the notification.
public struct ResourceUpdate: Equatable, Sendable {
    /// The resource's name.
    public var name: String
    /// The new version.
    public var version: Int64
    /// The version that was in use before; nil if there was none.
    public var previousVersion: Int64?
    /// The bytes of the new version.
    public var data: Data
}

/// The progress of a sync.
public struct ResourceProgress: Equatable, Sendable {
    /// The state of a sync.
    public enum State: String, Equatable, Sendable {
        /// No sync in this run.
        case idle
        /// Waiting for a transfer slot.
        case waiting
        /// Requesting the meta document.
        case asking
        /// Receiving the file.
        case receiving
        /// Installing the file.
        case installing
        /// The last sync installed a newer version.
        case updated
        /// The last sync changed nothing.
        case unchanged
        /// The last sync failed.
        case failed
    }

    /// The resource's name.
    public var name: String
    /// The state of the sync.
    public var state: State
    /// The number of bytes of the file so far, including those of an earlier transfer.
    public var received: Int64 = 0
    /// The size of the file in bytes; nil if unknown.
    public var total: Int64?

    /// The completed fraction, 0 to 1; nil if the total is unknown.
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
