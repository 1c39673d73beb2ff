public import Foundation

/// The API of the original GBCloudBox, for programs that were written for it.
extension CloudBoxClient {
    /// A handler that is called on the main actor after an update.
    public typealias UpdateHandler = @MainActor @Sendable (_ identifier: String, _ version: Int64, _ data: Data) -> Void
    /// Converts bytes to an object; returns nil if they are unusable. Called on any thread.
    public typealias Deserializer = @Sendable (_ data: Data) -> (any Sendable)?

    /// Registers a resource with its source servers.
    public func registerResource(_ identifier: String, withSourceServers servers: [URL]) throws(CloudBoxError) {
        try register(identifier, servers: servers)
    }

    /// Adds a handler that is called after each update of a resource.
    public func registerPostUpdateHandler(
        _ handler: @escaping UpdateHandler, forResource identifier: String
    ) throws(CloudBoxError) {
        try addPostUpdateHandler(for: identifier) { handler($0.name, $0.version, $0.data) }
    }

    /// Sets the deserializer of a registered resource.
    /// - Parameters:
    ///   - deserializer: returns nil if the bytes are unusable.
    ///   - identifier: the name of the resource.
    public func registerDeserializer(
        _ deserializer: @escaping Deserializer, forResource identifier: String
    ) throws(CloudBoxError) {
        try setDeserializer(for: identifier) { data in
            guard let object = deserializer(data) else { throw UnusableBytes() }
            return object
        }
    }

    /// Syncs a resource in the background. Handlers, the notification and ``facts(for:)`` report the result.
    public func syncResource(_ identifier: String) throws(CloudBoxError) {
        _ = try entry(identifier)
        Task { await sync(identifier) }
    }

    /// Syncs every registered resource in the background.
    public func syncResources() {
        Task { await syncAll() }
    }

    /// The bytes of the version in use; nil if neither a bundled nor a cached version exists.
    public func dataForResource(_ identifier: String) throws(CloudBoxError) -> Data? {
        _ = try entry(identifier)
        return try? data(for: identifier)
    }

    /// The object of the version in use; nil if there is no version, or no deserializer that accepts it.
    public func objectForResource(_ identifier: String) throws(CloudBoxError) -> (any Sendable)? {
        _ = try entry(identifier)
        return try? anyObject(of: identifier)
    }
}

extension Notification.Name {
    /// Posted on the main actor after an update. As in the original, `userInfo` contains `identifier` (`String`),
    /// `version` (`Int64`) and `data` (`Data`). The object is the ``CloudBoxClient``.
    public static let kGBCloudBoxResourceUpdatedNotification = Notification.Name("kGBCloudBoxResourceUpdatedNotification")
}

extension ResourceUpdate {
    /// The original's name of ``name``.
    @available(*, deprecated, renamed: "name")
    public var identifier: String { name }
}

private struct UnusableBytes: Error, CustomStringConvertible {
    var description: String { "the deserializer returned nil" }
}
