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
    private let signedReplies: [String: PrerenderedReply]
    private let manifest: ReadPath
    /// Nil without a signing key.
    package let signed: SignedSide?

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
        signedReplies = signed.map { Self.replies($0, snapshot, settings) } ?? [:]
        // Few of what thousands of apps and resources have changes at a time, and nearly always none of them is removed.
        let base = former.flatMap { former in
            former.settings == settings && former.snapshot.statuses.keys.allSatisfy { snapshot.statuses[$0] != nil }
                && former.snapshot.resources.keys.allSatisfy { snapshot.resources[$0] != nil } ? former : nil
        }
        var replies = base?.replies ?? [:]
        for path in ReadPath.alive.patterns { replies[path.description] = Self.alive }
        for (scope, status) in snapshot.statuses where base?.snapshot.statuses[scope]?.isSame(as: status) != true {
            let reply = Self.reply(status, scope: scope, settings)
            for path in ReadPath.status.paths(of: scope) { replies[path] = reply }
        }
        if !settings.publicURL.isEmpty {
            for (name, resource) in snapshot.resources where base?.snapshot.resources[name] != resource {
                replies[manifest.path(ofResource: name)] = Self.reply(
                    resource, settings, at: settings.publicURL, cache: settings.cache.header)
            }
        }
        self.replies = replies
    }

    /// The reply to GET for a path without its query; nil if the read model has none.
    package func reply(_ path: String) -> PrerenderedReply? {
        if let reply = replies[path] ?? signedReplies[path] { return reply }
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
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.:[]".contains($0)) }
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
        guard topic.isSigned else {
            return snapshot.status(for: topic.scope).map {
                .status($0, id: $0.eventID, data: String(decoding: $0.body, as: UTF8.self))
            }
        }
        return signed?.status(topic.scope, in: snapshot).map { .status($0, id: $1.eventID, data: $1.text) }
    }

    /// Events for the resources whose version differs from an older read model's, by name.
    package func resourceEvents(since older: ReadModel) -> [StreamEvent] {
        snapshot.resources.values
            .filter { older.snapshot.resources[$0.name]?.version != $0.version }
            .sorted { $0.name < $1.name }
            .map(StreamEvent.version)
    }

    // MARK: Rendering

    private static let alive = PrerenderedReply(
        ReadPath.alive.route, type: "text/plain; charset=utf-8", cache: CachePolicy.none, body: "777".utf8)

    private static let json = "application/json; charset=utf-8"

    private static func reply(_ status: PublishedStatus, scope: Scope, _ settings: ReadSettings) -> PrerenderedReply {
        PrerenderedReply(
            ReadPath.status.route, type: json, etag: status.etag, cache: settings.cache.header,
            more: settings.fields(of: status, stream: scope.eventsPath), body: status.body)
    }

    private static func reply(
        _ resource: ResourceVersion, _ settings: ReadSettings, at address: String, cache: String
    ) -> PrerenderedReply {
        let data = ReadPath.data(settings).path(ofResource: resource.name)
        let body = resource.meta(url: "\(address)\(data)/\(resource.version)")
        let etag = Digest(.sha256, of: body).map { "\"\($0.hex.prefix(32))\"" }
        return PrerenderedReply(ReadPath.manifest(settings).route, type: json, etag: etag, cache: cache, body: body)
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

    /// The header fields with a status's time and with the path of its stream: below the public address, or beside the status,
    /// where it is behind every proxy. It names no host, so that it is also right for a client that knows this server by another name.
    func fields(of status: PublishedStatus, stream path: String) -> [(String, String)] {
        let time = status.publishedAt.map { [("Bellerophon-Published", "\($0.milliseconds)")] } ?? []
        return time + [("Bellerophon-Events", reference(toStream: path))]
    }

    private func reference(toStream path: String) -> String {
        guard !publicURL.isEmpty else { return path.split(separator: "/").last.map(String.init) ?? path }
        return (URLComponents(string: publicURL)?.percentEncodedPath ?? "") + path
    }
}

extension Date {
    /// Whole milliseconds since 1970.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}
