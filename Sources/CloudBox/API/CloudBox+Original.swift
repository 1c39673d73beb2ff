public import Foundation

/// The original's vocabulary, for a program that was written for it.
extension CloudBox {
    public typealias UpdateHandler = @MainActor @Sendable (_ identifier: String, _ version: Int64, _ data: Data) -> Void
    public typealias Deserializer = @Sendable (_ data: Data) -> (any Sendable)?

    public func registerResource(_ identifier: String, withSourceServers servers: [URL]) throws(CloudBoxError) {
        try register(identifier, servers: servers)
    }

    public func registerPostUpdateHandler(
        _ handler: @escaping UpdateHandler, forResource identifier: String
    ) throws(CloudBoxError) {
        try addPostUpdateHandler(for: identifier) { handler($0.identifier, $0.version, $0.data) }
    }

    /// - Parameter deserializer: nil where the bytes are unusable.
    public func registerDeserializer(
        _ deserializer: @escaping Deserializer, forResource identifier: String
    ) throws(CloudBoxError) {
        try setDeserializer(for: identifier) { data in
            guard let object = deserializer(data) else { throw UnusableBytes() }
            return object
        }
    }

    /// Syncs in the background; what comes of it is told by handlers, the notification and ``facts(for:)``.
    public func syncResource(_ identifier: String) throws(CloudBoxError) {
        _ = try entry(identifier)
        Task { await sync(identifier) }
    }

    /// Syncs every registered resource in the background.
    public func syncResources() {
        Task { await syncAll() }
    }

    /// Nil where neither a bundled nor a cached version is at hand.
    public func dataForResource(_ identifier: String) throws(CloudBoxError) -> Data? {
        _ = try entry(identifier)
        return try? data(for: identifier)
    }

    /// Nil where nothing is at hand, or no deserializer makes an object of it.
    public func objectForResource(_ identifier: String) throws(CloudBoxError) -> (any Sendable)? {
        _ = try entry(identifier)
        return try? anyObject(of: identifier)
    }
}

private struct UnusableBytes: Error, CustomStringConvertible {
    var description: String { "the deserializer made nothing of it" }
}
