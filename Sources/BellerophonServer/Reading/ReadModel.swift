import BellerophonStore
import Digests
import Foundation
import NIOCore

/// Everything that clients read, rendered once per change. It is immutable and shared by all threads.
package final class ReadModel: Sendable {
    package let snapshot: Snapshot
    package let settings: ReadSettings
    /// One more than that of the read model before this one.
    let number: Int
    private let replies: [String: PrerenderedReply]
    private let manifest: ReadPath
    /// Nil without a signing key.
    let signed: SignedSide?

    /// - Parameters:
    ///   - signer: nil if nothing is signed.
    ///   - former: the previous read model, from which unchanged and fresh signed documents are reused.
    ///   - now: decides the time of issue of newly signed documents.
    package init(
        _ snapshot: Snapshot, settings: ReadSettings, signer: DocumentSigner? = nil, former: ReadModel? = nil,
        at now: Date = Date()
    ) {
        self.snapshot = snapshot
        self.settings = settings
        number = (former?.number ?? 0) + 1
        let signed = signer.map { SignedSide(snapshot, settings, $0, former: former?.signed, at: now) }
        self.signed = signed
        manifest = .manifest(settings)
        // Few of what thousands of apps and resources have changes at a time.
        let base = former.flatMap { $0.settings == settings ? $0 : nil }
        var replies = base?.replies ?? [:]
        for path in ReadPath.alive.patterns { replies[path.description] = Self.alive }
        for (scope, status) in snapshot.statuses where base?.snapshot.statuses[scope]?.isSame(as: status) != true {
            let reply = Self.reply(status, scope: scope, settings)
            for path in ReadPath.status.paths(of: scope) { replies[path] = reply }
        }
        for scope in base?.snapshot.statuses.keys.filter({ snapshot.statuses[$0] == nil }) ?? [] {
            for path in ReadPath.status.paths(of: scope) + ReadPath.signedStatus.paths(of: scope) { replies[path] = nil }
        }
        if !settings.publicURL.isEmpty {
            for (name, resource) in snapshot.resources where base?.snapshot.resources[name] != resource {
                replies[manifest.path(ofResource: name)] = Self.reply(
                    resource, settings, at: settings.publicURL, cache: settings.cache.header)
            }
        }
        for name in base?.snapshot.resources.keys.filter({ snapshot.resources[$0] == nil }) ?? [] {
            for path in [manifest, .signedManifest(settings)] { replies[path.path(ofResource: name)] = nil }
        }
        if let signed { replies.merge(Self.replies(signed, snapshot, settings)) { $1 } }
        self.replies = replies
    }

    /// The reply to GET for a path without its query; nil if the read model has none.
    package func reply(_ path: String) -> PrerenderedReply? {
        if let reply = replies[path] { return reply }
        guard let scope = ReadPath.status.scope(of: path) else { return signedReply(path) }
        guard let status = snapshot.status(for: scope) else { return nil }
        return Self.reply(status, scope: scope, settings)
    }

    /// The reply to GET for a resource's manifest if no public address is configured. Clients of the original protocol
    /// use its `url` as it is, so that it must begin with the address under which the client knows this server. Shared
    /// caches must not keep such a reply, because one client's address would reach all others.
    /// - Parameter host: the request's `Host` field. If it is invalid, the `url` has no address.
    package func reply(_ path: String, host: String) -> PrerenderedReply? {
        guard settings.publicURL.isEmpty, let name = manifest.match(path)?["name"], let resource = snapshot.resources[name]
        else { return nil }
        return Self.reply(
            resource, settings, at: Self.isHost(host) ? "\(settings.scheme)://\(host)" : "", cache: CachePolicy.perRequest)
    }

    /// Whether a `Host` field is a name or an address, with or without a port (RFC 9110, section 7.2).
    static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 255
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "-")...UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "["),
                    UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }

    /// The topic of a stream's path; nil for an unknown app, and for a signed stream without a signing key.
    package func streamTopic(_ path: String) -> StreamTopic? {
        let plain = ReadPath.events.scope(of: path)
        guard let scope = plain ?? (signed == nil ? nil : ReadPath.signedEvents.scope(of: path)),
            snapshot.status(for: scope) != nil
        else { return nil }
        return StreamTopic(scope: scope, isSigned: plain == nil)
    }

    /// The current status of a topic as an event; nil for an unknown app.
    package func statusEvent(_ topic: StreamTopic) -> StreamEvent? {
        guard topic.isSigned else { return snapshot.status(for: topic.scope).map(StreamEvent.init(status:)) }
        return signed?.status(topic.scope, in: snapshot).map { StreamEvent(signed: $0.signed, of: $0.status) }
    }

    /// Events for the resources whose version differs from an older read model's, by name.
    package func resourceEvents(since older: ReadModel) -> [StreamEvent] {
        snapshot.resources.values
            .filter { older.snapshot.resources[$0.name]?.version != $0.version }
            .sorted { $0.name < $1.name }
            .map(StreamEvent.init(resource:))
    }

    // MARK: Rendering

    private static let alive = PrerenderedReply(
        route: ReadPath.alive.route, etag: nil,
        fields: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", CachePolicy.none)], body: Array("777".utf8)
    )

    private static func reply(_ status: PublishedStatus, scope: Scope, _ settings: ReadSettings) -> PrerenderedReply {
        var fields = [
            (name: "Content-Type", value: "application/json; charset=utf-8"),
            (name: "ETag", value: status.etag),
            (name: "Cache-Control", value: settings.cache.header),
        ]
        if let published = status.publishedAt { fields.append(("Bellerophon-Published", "\(published.milliseconds)")) }
        fields.append(("Bellerophon-Events", settings.reference(toStream: scope.eventsPath)))
        return PrerenderedReply(route: ReadPath.status.route, etag: status.etag, fields: fields, body: Array(status.body))
    }

    private static func reply(
        _ resource: ResourceVersion, _ settings: ReadSettings, at address: String, cache: String
    ) -> PrerenderedReply {
        let data = ReadPath.data(settings).path(ofResource: resource.name)
        let body = resource.meta(url: "\(address)\(data)/\(resource.version)")
        let etag = Digest(.sha256, of: body).map { "\"\($0.hex.prefix(32))\"" }
        var fields = [(name: "Content-Type", value: "application/json; charset=utf-8")]
        if let etag { fields.append(("ETag", etag)) }
        fields.append(("Cache-Control", cache))
        return PrerenderedReply(route: ReadPath.manifest(settings).route, etag: etag, fields: fields, body: Array(body))
    }
}

/// The settings with which the read model is rendered.
package struct ReadSettings: Equatable, Sendable {
    package var cache = CachePolicy()
    /// Without a slash at its end.
    package var metaPath = "/GBCloudBoxResourcesMeta"
    package var dataPath = "/GBCloudBoxResourcesData"
    /// The address before the path of a resource's data, such as `https://status.example.com`; if empty, it comes from
    /// the request.
    package var publicURL = ""
    /// The scheme of an address from a request: `http`, or `https` with TLS.
    package var scheme = "http"

    package init() {}

    /// How a status names the path of its stream: below the public address, or beside the status, where it is behind every proxy. It names
    /// no host, so that it is also right for a client that knows this server by another name.
    func reference(toStream path: String) -> String {
        guard !publicURL.isEmpty else { return path.split(separator: "/").last.map(String.init) ?? path }
        return (URLComponents(string: publicURL)?.percentEncodedPath ?? "") + path
    }
}

extension Date {
    /// Whole milliseconds since 1970.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}
