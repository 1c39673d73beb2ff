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

    /// The document as it counts for an installed version, its text sanitised anew: a file can be edited.
    ///
    /// A new version ends a required update, but not a pause that stood behind it.
    public func document(for version: String?) -> StatusDocument {
        StatusDocument(
            isInactive: isInactive, requiresUpdate: requiresUpdate && version == appVersion, interval: interval,
            message: message, requiredVersion: requiredVersion, link: link
        )
    }
}

/// A record in a file, as JSON.
public struct FileStatusStore: StatusStore {
    public let url: URL
    /// Larger than any record: its longest message takes a quarter of it.
    private static let sizeLimit = 64 * 1024

    public init(url: URL) {
        self.url = url
    }

    /// Reads no more than a record can be, and nothing that could keep the app waiting, such as a pipe.
    public func load() throws -> StatusRecord? {
        let place = url.resolvingSymlinksInPath()
        guard FileManager.default.fileExists(atPath: place.path) else { return nil }
        let kind = try FileManager.default.attributesOfItem(atPath: place.path)[.type] as? FileAttributeType
        guard kind == .typeRegular else { throw StatusStoreError.notAFile(url.path) }
        let file = try FileHandle(forReadingFrom: place)
        defer { try? file.close() }
        let data = try file.read(upToCount: Self.sizeLimit + 1) ?? Data()
        guard data.count <= Self.sizeLimit else { throw StatusStoreError.tooLarge(url.path) }
        return try JSONDecoder().decode(StatusRecord.self, from: data)
    }

    public func save(_ record: StatusRecord) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The mode that the XDG Base Directory Specification asks for.
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try encoder.encode(record).write(to: url, options: .atomic)
    }
}

/// Why a file is no status record.
public enum StatusStoreError: Error, Equatable, Sendable, CustomStringConvertible {
    case notAFile(String)
    case tooLarge(String)

    public var description: String {
        switch self {
        case .notAFile(let path): "\(path) is no regular file; remove it"
        case .tooLarge(let path): "\(path) is larger than any status record; remove it"
        }
    }
}
