#if Server
import BellerophonStore
import Digests
import Foundation
import NIOCore

/// Everything that clients read, rendered once per change. It is immutable and shared by all threads.
package final class ReadModel: Sendable {
    package let snapshot: Snapshot
    package let settings: ReadSettings
    private let replies: [String: PrerenderedReply]
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
        let signed = signer.map { SignedSide(snapshot, settings, $0, former: former?.signed, at: now) }
        self.signed = signed
        var replies = ["/alive": Self.alive]
        for (scope, status) in snapshot.statuses {
            let reply = Self.reply(status, scope: scope, settings)
            for path in Self.paths(scope) { replies[path] = reply }
        }
        if !settings.publicURL.isEmpty {
            for (name, resource) in snapshot.resources {
                replies["\(settings.metaPath)/\(name)"] = Self.reply(
                    resource, settings, at: settings.publicURL, cache: settings.cache.header)
            }
        }
        if let signed { replies.merge(Self.replies(signed, snapshot, settings)) { first, _ in first } }
        self.replies = replies
    }

    /// The reply to GET for a path without its query; nil if the read model has none.
    package func reply(_ path: String) -> PrerenderedReply? {
        if let reply = replies[path] { return reply }
        if path.hasSuffix("/status\(Self.signedSuffix)") { return signedReply(path) }
        guard path.hasSuffix("/status"), let scope = Self.scope(path, ending: "status"),
            let status = snapshot.status(for: scope)
        else { return nil }
        return Self.reply(status, scope: scope, settings)
    }

    /// The reply to GET for a resource's manifest if no public address is configured. Clients of the original protocol
    /// use its `url` as it is, so that it must begin with the address under which the client knows this server. Shared
    /// caches must not keep such a reply, because one client's address would reach all others.
    /// - Parameter host: the request's `Host` field. If it is invalid, the `url` has no address.
    package func reply(_ path: String, host: String) -> PrerenderedReply? {
        guard settings.publicURL.isEmpty, path.hasPrefix(settings.metaPath + "/"),
            let resource = snapshot.resources[String(path.dropFirst(settings.metaPath.utf8.count + 1))]
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
        let isSigned = path.hasSuffix("/events\(Self.signedSuffix)")
        guard isSigned ? signed != nil : path.hasSuffix("/events") else { return nil }
        let ending = isSigned ? "events\(Self.signedSuffix)" : "events"
        guard let scope = Self.scope(path, ending: ending), snapshot.status(for: scope) != nil else { return nil }
        return StreamTopic(scope: scope, isSigned: isSigned)
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

    // MARK: Paths

    /// Parses `/status`, `/v1/apps/APP/status` and `/v1/apps/APP/channels/CHANNEL/status`, or the same paths with
    /// `events`.
    static func scope(_ path: String, ending: String) -> Scope? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.first == "", parts.last == ending else { return nil }
        if parts.count == 2 { return .main }
        guard parts.count >= 5, parts[1] == "v1", parts[2] == "apps" else { return nil }
        if parts.count == 5 { return try? Scope(app: parts[3]) }
        guard parts.count == 7, parts[4] == "channels" else { return nil }
        return try? Scope(app: parts[3], channel: parts[5])
    }

    /// All paths of a scope's status; the short ones are of the main channel and the default app.
    static func paths(_ scope: Scope) -> [String] {
        var paths = ["/v1/apps/\(scope.app)/channels/\(scope.channel)/status"]
        if scope.channel == Scope.mainChannel { paths.append("/v1/apps/\(scope.app)/status") }
        if scope == .main { paths.append("/status") }
        return paths
    }

    // MARK: Rendering

    private static let alive = PrerenderedReply(
        route: .alive, etag: nil,
        fields: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", CachePolicy.none)], body: Array("777".utf8)
    )

    private static func reply(_ status: PublishedStatus, scope: Scope, _ settings: ReadSettings) -> PrerenderedReply {
        var fields = [
            (name: "Content-Type", value: "application/json; charset=utf-8"),
            (name: "ETag", value: status.etag),
            (name: "Cache-Control", value: settings.cache.header),
        ]
        if let published = status.publishedAt { fields.append(("Bellerophon-Published", "\(published.milliseconds)")) }
        fields.append(("Bellerophon-Events", scope.eventsPath))
        return PrerenderedReply(route: .status, etag: status.etag, fields: fields, body: Array(status.body))
    }

    private static func reply(
        _ resource: ResourceVersion, _ settings: ReadSettings, at address: String, cache: String
    ) -> PrerenderedReply {
        let body = resource.meta(url: "\(address)\(settings.dataPath)/\(resource.name)/\(resource.version)")
        let etag = Digest(.sha256, of: body).map { "\"\($0.hex.prefix(32))\"" }
        var fields = [(name: "Content-Type", value: "application/json; charset=utf-8")]
        if let etag { fields.append(("ETag", etag)) }
        fields.append(("Cache-Control", cache))
        return PrerenderedReply(route: .meta, etag: etag, fields: fields, body: Array(body))
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
}

extension Date {
    /// Whole milliseconds since 1970.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}
#endif
