import Foundation
import Synchronization
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The first half of a sync: what a server says about the resource.
extension SyncRun {
    func fetchMeta(_ server: URL) async -> SyncMachine.MetaAnswer {
        progress(.asking)
        guard let url = metaURL(server) else { return .failed(.unusableServer(server.absoluteString)) }
        var request = request(url, of: server)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        let known = usableTag(of: url)
        if let known { request.setValue(known.tag, forHTTPHeaderField: "If-None-Match") }
        let receiver = MetaReceiver(limit: configuration.limits.metaBytes)
        let start = ContinuousClock.now
        let end = await box.transfers.transfers.run(request, into: receiver)
        let answer = read(receiver, end, url: url, known: known)
        assess(server, answer, after: start.duration(to: .now))
        return answer
    }

    func read(
        _ receiver: MetaReceiver, _ end: Transfers.End, url: URL, known: FolderState.Meta?
    ) -> SyncMachine.MetaAnswer {
        switch end {
        case .refused(let reason), .failed(let reason): return .failed(reason)
        case .complete: break
        }
        if receiver.status == 304 {
            guard let known else { return .failed(.badMeta("304, but no document is known")) }
            return .notModified(version: known.version)
        }
        switch ResourceMeta.read(receiver.body, from: url) {
        case .success(let meta):
            metas.append((url.absoluteString, receiver.tag, meta.version))
            return .document(meta)
        case .failure(let problem): return .failed(.badMeta(problem.text))
        }
    }

    func metaURL(_ server: URL) -> URL? {
        guard CloudBox.isUsable(server) else { return nil }
        let path = configuration.metaPath.split(separator: "/").map(String.init)
        return (path + [name.text]).reduce(server) { $0.appendingPathComponent($1) }
    }

    /// The kept tag of a meta document, where 304 would mean that there is nothing newer.
    func usableTag(of url: URL) -> FolderState.Meta? {
        guard let meta = folder.state().metas[url.absoluteString] else { return nil }
        let have = box.state.withLock { $0.entries[name]?.held?.version } ?? -1
        return meta.version <= have ? meta : nil
    }

    /// A server that has nothing newer is well; one that promises something newer has yet to bring it.
    func assess(_ server: URL, _ answer: SyncMachine.MetaAnswer, after latency: Duration) {
        if case .failed(let reason) = answer { return fail(server, reason) }
        let have = box.state.withLock { state in
            state.health.answered(server, after: latency)
            return state.entries[name]?.held?.version ?? -1
        }
        if case .document(let meta) = answer, meta.version > have { return }
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
        case .cancelled, .disk, .httpStatus(404), .httpStatus(410), .httpStatus(416), .tooLarge, .folderFull: return
        default: break
        }
        box.state.withLock { $0.health.failed(server, at: .now, chance: Double.random(in: 0..<1)) }
    }
}
