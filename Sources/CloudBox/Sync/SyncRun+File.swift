import BellerophonBase
import Digests
import Foundation
import HTTPTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The second half of a sync: the file.
extension SyncRun {
    func fetchFile(_ order: SyncMachine.Order, have: Int64?) async -> SyncMachine.FileAnswer {
        if let size = order.meta.size, size > limit { return .failed(.tooLarge(limit: limit)) }
        let facts = PartFacts.load(folder.partFactsURL)
        let goesOn = !order.isAnew && facts?.isPart(of: order.meta) == true && isPartWithin(order.meta.size ?? limit)
        let part: PartFile
        switch await openPart(order.meta, goesOn: goesOn) {
        case .success(let opened): part = opened
        case .failure(let failure): return .failed(.disk(failure.description))
        }
        self.part = part
        let receiver = FileReceiver(part, from: facts, factsURL: folder.partFactsURL, rules: rules(order.meta, have: have))
        progress(.receiving, part.count, order.meta.size)
        if part.count > 0, part.count == order.meta.size { return complete(receiver, wasResumed: true) }
        let (_, end) = await box.client.perform(
            request(order, facts: facts, part: part), limits: configuration.limits.ofExchange, handler: receiver
        )
        received += receiver.received
        let answer = read(receiver, end)
        if case .failed(let reason) = answer { fail(order.server, reason) }
        if case .cut(let reason, _) = answer { fail(order.server, reason) }
        updateUsedBytes()
        return answer
    }

    /// Whether the bytes of an earlier transfer are within the size. More bytes would be read for nothing.
    private func isPartWithin(_ size: Int64) -> Bool {
        FileInspection.regularSize(folder.partURL).map { $0 <= size } ?? false
    }

    /// The reason why a server's file was rejected recently; nil if it may be fetched.
    func damagedBefore(_ order: SyncMachine.Order) -> CloudBoxError.Reason? {
        let damaged = withEntry { $0.damaged[order.server] } ?? nil
        guard let damaged, damaged.isFile(of: order.meta), ContinuousClock.now < damaged.restsUntil else { return nil }
        return damaged.reason
    }

    /// Records that a server's file does not match the server's meta document, or is larger than the limit.
    func rememberDamage(
        _ reason: CloudBoxError.Reason?, of order: SyncMachine.Order, _ answer: SyncMachine.FileAnswer
    ) {
        guard let reason else { return }
        switch reason {
        case .digestMismatch, .wrongSize, .tooLarge: break
        default: return
        }
        withEntry { entry in
            if entry.damaged[order.server]?.isFile(of: order.meta) == true {
                entry.damaged[order.server]?.failed(reason, at: .now)
            } else {
                entry.damaged[order.server] = DamagedFile(order.meta, reason, at: .now)
            }
        }
        // A failure that the transfer itself detected is already counted.
        if case .complete = answer { fail(order.server, reason) }
    }

    /// Opens the part file. To resume a transfer, the existing bytes are read for the digests.
    private func openPart(_ meta: ResourceMeta, goesOn: Bool) async -> Result<PartFile, FileError> {
        part = nil
        if !goesOn { folder.removePart() }
        let (path, kinds) = (folder.partURL.path, kinds(for: meta))
        return await BlockingWork.run {
            Result { () throws(FileError) in try PartFile(path, kinds: kinds, keepsBytes: goesOn) }
        }
    }

    func request(_ order: SyncMachine.Order, facts: PartFacts?, part: PartFile) -> URLRequest {
        var request = request(order.meta.url, of: order.server)
        guard part.count > 0 else { return request }
        request.setValue("bytes=\(part.count)-", forHTTPHeaderField: "Range")
        if let facts, let tag = facts.tag, facts.url == order.meta.url.absoluteString {
            request.setValue(tag, forHTTPHeaderField: "If-Range")
        }
        return request
    }

    func read(_ receiver: FileReceiver, _ end: HTTPEnd<SyncMachine.FileAnswer>) -> SyncMachine.FileAnswer {
        switch end {
        case .complete where receiver.isShort:
            return .cut(.transport("the connection was cut"), hasProgress: receiver.received > 0 && receiver.canGoOn)
        case .complete: return complete(receiver, wasResumed: receiver.isResumed)
        case .failed(.cancelled): return .failed(.cancelled)
        case .failed(let failure):
            return .cut(CloudBoxError.Reason(failure), hasProgress: receiver.received > 0 && receiver.canGoOn)
        case .cut(let answer): return answer
        }
    }

    func complete(_ receiver: FileReceiver, wasResumed: Bool) -> SyncMachine.FileAnswer {
        digests = receiver.part.finish()
        return .complete(
            size: receiver.part.count, digests: digests, version: receiver.version, wasResumed: wasResumed
        )
    }

    func kinds(for meta: ResourceMeta) -> [Digest.Kind] {
        meta.sha256 == nil && meta.md5 != nil ? [.sha256, .md5] : [.sha256]
    }

    func rules(_ meta: ResourceMeta, have: Int64?) -> FileReceiver.Rules {
        let (box, name) = (box, name)
        let total = configuration.limits.totalBytes
        let kept = NumberedFiles.versions(in: folder.url).compactMap { FileInspection.regularSize(folder.file(of: $0)) }
            .reduce(0, +)
        return FileReceiver.Rules(
            meta: meta, have: have, limit: limit,
            room: { box.state.withLock { total - $0.usedBytes + ($0.entries[name]?.usedBytes ?? 0) } },
            totalBytes: total,
            onProgress: { received, size in
                box.state.withLock { $0.count(kept + received, for: name) }
                box.record(ResourceProgress(name: name.text, state: .receiving, received: received, total: size), of: name)
            }
        )
    }

    /// Prepares the local bytes for installation under the new version's number; nil if they can't be read or do not match.
    func renumber(_ order: SyncMachine.Order) -> SyncMachine.Action? {
        do {
            folder.removePart()
            let held = try box.held(name.text)
            let part = try PartFile(folder.partURL.path, kinds: [.sha256], keepsBytes: false)
            try part.append(try held.load())
            digests = part.finish()
            guard digests.first == order.meta.sha256 else { return nil }
            self.part = part
            return .install(order, version: order.meta.version)
        } catch {
            return nil
        }
    }
}
