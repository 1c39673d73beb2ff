public import Foundation

/// A registered resource with a deserializer for its bytes.
///
/// ```swift
/// let texts = try box.register("texts.json") { try JSONDecoder().decode(Texts.self, from: $0) }
/// draw(try texts.value())
/// ```
public struct Resource<Value: Sendable>: Sendable {
    /// The resource's name.
    public let name: String
    /// The box that the resource is registered with.
    package let box: CloudBoxClient

    /// The object of the version in use, deserialized once per version. Errors: see ``CloudBoxClient/object(for:as:)``.
    public func value() throws(CloudBoxError) -> Value { try box.object(for: name) }

    /// The bytes of the version in use.
    public func data() throws(CloudBoxError) -> Data { try box.data(for: name) }

    /// What is known about the resource.
    public func facts() throws(CloudBoxError) -> ResourceFacts { try box.facts(for: name) }

    /// Requests a newer version and installs it: see ``CloudBoxClient/sync(_:)``.
    public func sync() async -> SyncOutcome { await box.sync(name) }

    /// Emits the object of each newer version from now on.
    public var values: AsyncStream<Value> {
        let updates = box.updates
        return AsyncStream { continuation in
            let task = Task { [name, weak box = box] in
                for await update in updates where update.name == name {
                    guard let value: Value = try? box?.object(for: name) else { continue }
                    continuation.yield(value)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension CloudBoxClient {
    /// Registers a resource with a deserializer for its bytes.
    ///
    /// A new version that the deserializer rejects is not installed. If it rejects the cached version, the bundled one
    /// is used.
    /// - Parameters:
    ///   - name: the name of the resource.
    ///   - servers: asked in place of the configuration's servers.
    ///   - bundled: the version that ships with the app, in place of the configuration's.
    ///   - limit: the maximum size in bytes of a version that a server sends, as for ``register(_:servers:bundled:limit:)``.
    ///   - deserializer: called on any thread, once per version; throws if the bytes are unusable.
    public func register<Value: Sendable>(
        _ name: String, servers: [URL]? = nil, bundled: BundledResource? = nil, limit: Int64? = nil,
        deserializer: @escaping @Sendable (Data) throws -> Value
    ) throws(CloudBoxError) -> Resource<Value> {
        try register(name, servers: servers, bundled: bundled, limit: limit)
        try setDeserializer(for: name, deserializer)
        return Resource(name: name, box: self)
    }

    /// Sets the deserializer of a registered resource, and drops the results of the previous one.
    package func setDeserializer(
        for name: String, _ deserializer: @escaping @Sendable (Data) throws -> any Sendable
    ) throws(CloudBoxError) {
        try change(name) { entry in
            entry.deserializer = deserializer
            entry.object = nil
            entry.refused = nil
        }
    }

    /// The object of the version in use, deserialized once per version.
    /// - Throws: ``CloudBoxError`` if there is no version, or if the deserializer is missing, rejects the bytes or
    ///   returns another type.
    public func object<Value>(for name: String, as type: Value.Type = Value.self) throws(CloudBoxError) -> Value {
        let object = try anyObject(of: name)
        guard let value = object as? Value else {
            let found = "\(Swift.type(of: object))"
            throw CloudBoxError(name, .wrongType(expected: "\(Value.self)", found: found))
        }
        return value
    }

    func anyObject(of name: String) throws(CloudBoxError) -> any Sendable {
        let (number, data) = try version(of: name)
        let entry = try entry(name)
        if let object = entry.object, object.version == number { return object.value }
        guard let deserializer = entry.deserializer else { throw CloudBoxError(name, .noDeserializer) }
        do {
            let value = try deserializer(data)
            try change(name) { $0.object = (number, value) }
            return value
        } catch {
            let why = RefusalText.of(error)
            try change(name) { $0.fallBackToBundled(why: why) }
            if try held(name).version != number { return try anyObject(of: name) }
            throw CloudBoxError(name, .refused(version: number, why))
        }
    }
}

/// The text of an app's own error.
enum RefusalText {
    static func of(_ error: any Error) -> String {
        switch error {
        case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context), DecodingError.keyNotFound(_, let context):
            return context.debugDescription
        case let error as any LocalizedError: return error.errorDescription ?? "\(error)"
        default: return "\(error)"
        }
    }
}
