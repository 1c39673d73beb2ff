import BellerophonStore
import Foundation

extension ReadModel {
    /// The signed documents by their paths. They do not depend on the client or on the server's address.
    static func replies(_ signed: SignedSide, _ snapshot: Snapshot, _ settings: ReadSettings) -> [String: PrerenderedReply] {
        var replies: [String: PrerenderedReply] = [:]
        for scope in snapshot.statuses.keys {
            guard let reply = reply(signed, scope, snapshot, settings) else { continue }
            for path in ReadPath.signedStatus.paths(of: scope) { replies[path] = reply }
        }
        let manifest = ReadPath.signedManifest(settings)
        for name in signed.manifestNames {
            guard let document = signed.manifest(name) else { continue }
            replies[manifest.path(ofResource: name)] = reply(manifest.route, document, signed.signer.cache(settings.cache))
        }
        return replies
    }

    /// The signed reply for a channel without a publish.
    func signedReply(_ path: String) -> PrerenderedReply? {
        guard let signed, let scope = ReadPath.signedStatus.scope(of: path) else { return nil }
        return Self.reply(signed, scope, snapshot, settings)
    }

    private static func reply(
        _ signed: SignedSide, _ scope: Scope, _ snapshot: Snapshot, _ settings: ReadSettings
    ) -> PrerenderedReply? {
        guard let (status, document) = signed.status(scope, in: snapshot) else { return nil }
        var more: [(name: String, value: String)] = []
        if let published = status.publishedAt { more.append(("Bellerophon-Published", "\(published.milliseconds)")) }
        more.append(("Bellerophon-Events", settings.reference(toStream: scope.eventsPath + ReadPath.signedSuffix)))
        return reply(ReadPath.signedStatus.route, document, signed.signer.cache(settings.cache), more)
    }

    private static func reply(
        _ route: RouteClass, _ document: SignedDocument, _ cache: CachePolicy, _ more: [(name: String, value: String)] = []
    ) -> PrerenderedReply {
        let fields = [
            (name: "Content-Type", value: "application/jose"), (name: "ETag", value: document.etag),
            (name: "Cache-Control", value: cache.header),
        ]
        return PrerenderedReply(route: route, etag: document.etag, fields: fields + more, body: Array(document.text.utf8))
    }
}
