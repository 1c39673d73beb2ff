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
        for (name, document) in signed.manifests {
            replies[manifest.path(ofResource: name)] = PrerenderedReply(
                manifest.route, type: "application/jose", etag: document.etag,
                cache: signed.signer.cache(settings.cache).header, body: document.text.utf8)
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
        return PrerenderedReply(
            ReadPath.signedStatus.route, type: "application/jose", etag: document.etag,
            cache: signed.signer.cache(settings.cache).header,
            more: settings.fields(of: status, stream: scope.eventsPath + ReadPath.signedSuffix), body: document.text.utf8)
    }
}
