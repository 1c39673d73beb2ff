public import Foundation

/// Keeps the last known status between two runs of an app.
public protocol StatusStore: Sendable {
    /// The record of an earlier run; nil where there is none.
    /// - Throws: where there is one and it cannot be read.
    func load() throws -> StatusRecord?

    /// Replaces the record, whole or not at all.
    func save(_ record: StatusRecord) throws
}

/// A status as it is kept.
public struct StatusRecord: Codable, Equatable, Sendable {
    public var isInactive: Bool
    public var requiresUpdate: Bool
    public var interval: Double
    public var message: String?
    public var requiredVersion: String?
    public var link: String?
    /// When the stage began, by the wall clock.
    public var since: Date
    /// The installed version at that time: a required update ends with a new version.
    public var appVersion: String?

    public init(_ document: StatusDocument, since: Date, appVersion: String?) {
        isInactive = document.isInactive
        requiresUpdate = document.requiresUpdate
        interval = document.interval.isFinite ? document.interval : 0
        message = document.message
        requiredVersion = document.requiredVersion
        link = document.link
        self.since = since
        self.appVersion = appVersion
    }

    /// The document, its text sanitised anew: a file can be edited.
    public var document: StatusDocument {
        StatusDocument(
            isInactive: isInactive, requiresUpdate: requiresUpdate, interval: interval, message: message,
            requiredVersion: requiredVersion, link: link
        )
    }
}

/// A record in a file, as JSON.
public struct FileStatusStore: StatusStore {
    public let url: URL

    public init(url: URL) {
        self.url = url
    }

    public func load() throws -> StatusRecord? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try JSONDecoder().decode(StatusRecord.self, from: Data(contentsOf: url))
    }

    public func save(_ record: StatusRecord) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try encoder.encode(record).write(to: url, options: .atomic)
    }
}
