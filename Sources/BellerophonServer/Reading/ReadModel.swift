import BellerophonStore
import Digests
import Foundation

/// Everything that clients read, as one immutable value that all threads share. It finds the reply to a path when it is asked for it, so
/// that what a change costs does not grow with what else was published.
package final class ReadModel: Sendable {
    package let snapshot: Snapshot
    package let settings: ReadSettings
    /// One more than that of the read model before this one.
    let number: Int
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
        (self.snapshot, self.settings, number) = (snapshot, settings, (former?.number ?? 0) + 1)
        signed = signer.map { SignedSide(snapshot, $0, former: former?.signed, at: now) }
    }

    /// The reply to GET for a path without its query; nil if the read model has none.
    package func reply(_ path: String) -> PrerenderedReply? {
        if ReadPath.alive.match(path) != nil {
            return PrerenderedReply(.alive, type: "text/plain; charset=utf-8", cache: CachePolicy.none, body: "777".utf8)
        }
        if let scope = ReadPath.status.scope(of: path) {
            return snapshot.status(for: scope).map { status in
                PrerenderedReply(
                    .status, type: Self.json, etag: status.etag, cache: settings.cache.header,
                    more: settings.fields(of: status, stream: scope.eventsPath), body: status.body)
            }
        }
        return signedReply(path)
            ?? (settings.publicURL.isEmpty ? nil : manifest(path, at: settings.publicURL, cache: settings.cache.header))
    }

    /// Signed documents do not depend on the client or on the server's address.
    private func signedReply(_ path: String) -> PrerenderedReply? {
        guard let signed else { return nil }
        func reply(_ document: SignedDocument, _ route: RouteClass, _ fields: [(String, String)]) -> PrerenderedReply {
            PrerenderedReply(
                route, type: "application/jose", etag: document.etag, cache: signed.signer.cache(settings.cache).header,
                more: fields, body: document.text.utf8)
        }
        guard let scope = ReadPath.signedStatus.scope(of: path) else {
            return ReadPath.signedManifest.match(path)?["name"].flatMap { signed.manifests[$0] }.map { reply($0, .meta, []) }
        }
        return signed.status(scope, in: snapshot).map { status, document in
            reply(document, .status, settings.fields(of: status, stream: scope.eventsPath + ReadPath.signedSuffix))
        }
    }

    /// The reply to GET for a resource's manifest if no public address is configured. Clients of the original protocol
    /// use its `url` as it is, so that it must begin with the address under which the client knows this server. Shared
    /// caches must not keep such a reply, because one client's address would reach all others.
    /// - Parameter host: the request's `Host` field. If it is invalid, the `url` has no address.
    package func reply(_ path: String, host: String) -> PrerenderedReply? {
        guard settings.publicURL.isEmpty else { return nil }
        return manifest(path, at: Self.isHost(host) ? "\(settings.scheme)://\(host)" : "", cache: CachePolicy.perRequest)
    }

    private func manifest(_ path: String, at address: String, cache: String) -> PrerenderedReply? {
        guard let resource = ReadPath.manifest.match(path)?["name"].flatMap({ snapshot.resources[$0] }) else { return nil }
        let body = resource.meta(url: "\(address)\(ReadSettings.dataPath)/\(resource.name)/\(resource.version)")
        let etag = Digest(.sha256, of: body).map { "\"\($0.hex.prefix(32))\"" }
        return PrerenderedReply(.meta, type: Self.json, etag: etag, cache: cache, body: body)
    }

    private static let json = "application/json; charset=utf-8"

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
}

/// The settings of the documents that clients read.
package struct ReadSettings: Equatable, Sendable {
    package var cache = CachePolicy()
    /// Without a slash at its end.
    package static let metaPath = "/GBCloudBoxResourcesMeta"
    package static let dataPath = "/GBCloudBoxResourcesData"
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
        let place =
            publicURL.isEmpty
            ? path.split(separator: "/").last.map(String.init) ?? path
            : (URLComponents(string: publicURL)?.percentEncodedPath ?? "") + path
        return time + [("Bellerophon-Events", place)]
    }
}
