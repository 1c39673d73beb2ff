import Foundation
import HTTPTransport
import StatusModel
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The first half of a sync: the meta document.
extension SyncRun {
    func fetchMeta(_ server: URL) async -> SyncMachine.MetaAnswer {
        progress(.asking)
        guard let url = metaURL(server) else { return .failed(.unusableServer(server.absoluteString)) }
        var request = request(url, of: server)
        let type = configuration.verifier == nil ? "application/json" : "application/jose"
        request.setValue(type, forHTTPHeaderField: "Accept")
        let known = usableTag(of: url)
        if let known { request.setValue(known.tag, forHTTPHeaderField: "If-None-Match") }
        let start = ContinuousClock.now
        let (receiver, end) = await box.client.perform(
            request, limits: configuration.limits.ofExchange, handler: MetaReceiver(limit: configuration.limits.metaBytes)
        )
        let answer = read(receiver, end, url: url, known: known)
        assess(server, answer, after: start.duration(to: .now))
        return answer
    }

    func read(
        _ receiver: MetaReceiver, _ end: HTTPEnd<CloudBoxError.Reason>, url: URL, known: FolderState.Meta?
    ) -> SyncMachine.MetaAnswer {
        switch end {
        case .cut(.httpStatus(404)) where configuration.verifier != nil: return .failed(.noSignedManifest)
        case .cut(let reason): return .failed(reason)
        case .failed(let failure): return .failed(CloudBoxError.Reason(failure))
        case .complete: break
        }
        if receiver.status == 304 {
            guard let known else { return .failed(.badMeta("304, but no document is known")) }
            return .notModified(version: known.version)
        }
        do throws(TrustError) {
            return read(try verified(receiver.body), url: url, tag: receiver.tag)
        } catch {
            return .failed(.untrusted(error))
        }
    }

    /// The JSON that a trusted key has signed for this resource; the whole body if there is no verifier.
    private func verified(_ body: Data) throws(TrustError) -> Data {
        guard let verifier = configuration.verifier else { return body }
        return try verifier.verify(manifest: body, of: name.text, at: configuration.date())
    }

    private func read(_ json: Data, url: URL, tag: String?) -> SyncMachine.MetaAnswer {
        switch ResourceMeta.read(json, from: url) {
        case .success(let meta):
            let isSigned = configuration.verifier != nil
            // Without the digest, the signature does not cover the file's bytes.
            guard !isSigned || meta.sha256 != nil else { return .failed(.badMeta("it is signed, but sha256 is missing")) }
            metas.append((url.absoluteString, tag, meta.version, isSigned ? Self.expiry(of: json) : nil))
            return .document(meta)
        case .failure(let problem): return .failed(.badMeta(problem.text))
        }
    }

    /// The expiry of a signed document; nil if it states none, in which case its tag is never used.
    private static func expiry(of json: Data) -> Date? {
        struct Claims: Decodable { var exp: Double }
        return (try? JSONDecoder().decode(Claims.self, from: json)).map { Date(timeIntervalSince1970: $0.exp) }
    }

    func metaURL(_ server: URL) -> URL? {
        guard CloudBoxClient.isUsable(server) else { return nil }
        var path = configuration.metaPath.split(separator: "/").map(String.init)
        if configuration.verifier != nil { path.append((path.popLast() ?? "") + ".jws") }
        return (path + [name.text]).reduce(server) { $0.appendingPathComponent($1) }
    }

    /// The stored tag of a meta document, if a 304 reply would mean that there is nothing newer.
    func usableTag(of url: URL) -> FolderState.Meta? {
        guard let meta = folder.state().metas[url.absoluteString] else { return nil }
        if configuration.verifier != nil {
            // Otherwise an attacker could suppress newer manifests indefinitely with 304 replies.
            guard let expiresAt = meta.expiresAt, configuration.date() < expiresAt else { return nil }
        }
        return meta.version <= versionInUse ?? -1 ? meta : nil
    }

    /// Records the result of a meta request. A server that announces a newer version only succeeds after delivering it.
    func assess(_ server: URL, _ answer: SyncMachine.MetaAnswer, after latency: Duration) {
        if case .failed(let reason) = answer { return fail(server, reason) }
        box.state.withLock { $0.health.answered(server, after: latency) }
        if case .document(let meta) = answer, meta.version > versionInUse ?? -1 { return }
        succeed(server)
    }

    func succeed(_ server: URL) {
        box.state.withLock { state in
            state.health.succeeded(server)
            state.entries[name]?.damaged[server] = nil
        }
    }

    func fail(_ server: URL, _ reason: CloudBoxError.Reason) {
        switch reason {
        case .cancelled, .disk, .httpStatus(404), .noSignedManifest, .httpStatus(410), .httpStatus(416), .tooLarge, .folderFull:
            return
        default: break
        }
        box.state.withLock { $0.health.failed(server, at: .now, chance: Double.random(in: 0..<1)) }
    }
}
