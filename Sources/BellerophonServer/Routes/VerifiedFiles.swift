import BellerophonBase
import BellerophonStore
import Foundation
import Logging
import Synchronization

/// Opens the files of resources, and only those whose bytes have the digest under which they were published.
///
/// A file is read whole when it is first opened in this process, and again after the file system has noted a change of it. It is
/// read in steps on the file pool, so that a large one keeps neither an event loop nor other files waiting. Requests of the same
/// file wait for the same reading, which goes on if they end.
actor VerifiedFiles {
    private let store: Store
    private let files: FilePool
    private let logger: Logger
    /// Ends readings, so that a large file does not delay the server's end.
    private nonisolated let isStopped = Atomic(false)
    /// When a damaged file is fetched again, and after which pause.
    private var fetches: [String: (due: ContinuousClock.Instant, pause: Duration)] = [:]
    private var readings: [String: Task<Bool, any Error>] = [:]

    /// The time between two looks at damaged files, which a command or another server may have repaired.
    private static let interval = Duration.seconds(10)
    /// How often a file is read again that changes while it is read.
    private static let patience = 3

    init(_ store: Store, _ files: FilePool, logger: Logger) {
        (self.store, self.files, self.logger) = (store, files, logger)
    }

    /// - Throws: 500 if the file is missing or has other bytes than when it was published. Such bytes are never sent. 404 if the
    ///   version was removed meanwhile.
    nonisolated func open(_ resource: ResourceVersion, _ url: URL) async throws -> StoredFile {
        guard let sha256 = resource.sha256 else { throw Self.damaged }
        for _ in 0..<Self.patience {
            do {
                let file = try await files.run { try StoredFile(url) }
                if store.isVerified(sha256, file.stamp) { return file }
            } catch let error as FileError where [ENOENT, ELOOP].contains(error.code) {}
            guard try await verify(sha256, size: resource.size, resource) else { throw Self.damaged }
        }
        throw Self.damaged
    }

    /// Looks at damaged files until the task is cancelled.
    nonisolated func watch() async {
        await withTaskCancellationHandler {
            while (try? await Task.sleep(for: Self.interval)) != nil { await lookAtDamage() }
        } onCancel: {
            isStopped.store(true, ordering: .relaxed)
        }
    }

    /// Looks once at the files that are damaged: they may be repaired or not needed any more.
    nonisolated func lookAtDamage() async {
        for sha256 in store.damagedContent where (try? store.needsContent(sha256)) == true {
            _ = try? await verify(sha256, size: nil, nil)
        }
    }

    private static var damaged: HTTPError {
        HTTPError(
            500, "the server's file of this resource is damaged", type: .damaged,
            hint: "see its log; clients keep their version")
    }

    /// Reads a file, unless it is known to be damaged and was not changed since. A damaged one is fetched from the shared store.
    /// - Returns: whether it has its digest now.
    private func verify(_ sha256: String, size: Int64?, _ resource: ResourceVersion?) async throws -> Bool {
        if let reading = readings[sha256] { return try await reading.value }
        let reading = Task { try await self.read(sha256, size: size, resource) }
        readings[sha256] = reading
        defer { readings[sha256] = nil }
        return try await reading.value
    }

    private nonisolated func read(_ sha256: String, size: Int64?, _ resource: ResourceVersion?) async throws -> Bool {
        if store.isKnownDamaged(sha256) {
            // Requests don't fetch it again and again; the regular look does, after longer and longer pauses.
            guard resource == nil, await mayFetch(sha256) else { return false }
            return await repair(sha256, nil, found: nil)
        }
        let check = store.contentCheck(sha256, size: size)
        var outcome: ContentCheck.Outcome?
        while outcome == nil {
            if isStopped.load(ordering: .relaxed) { throw CancellationError() }
            outcome = try await files.run { try check.step() }
        }
        guard let outcome else { return false }
        // A request looked for the version before it was removed, with its bytes.
        if case .damaged = outcome, let resource, try !store.needsContent(sha256) { throw ServerRouter.noResource(resource.name) }
        let isNews = store.recordVerification(outcome, of: sha256)
        switch outcome {
        case .changed: return true
        case .sound:
            if isNews {
                logger.notice("the file of a resource is as it was published again", metadata: Self.facts(sha256, resource))
            }
            return true
        case .damaged(_, let found): return await repair(sha256, resource, found: isNews ? found : nil)
        }
    }

    /// Whether it is time to fetch a damaged file again: 10 s after the first time, then after doubled pauses, at most an hour.
    private func mayFetch(_ sha256: String) -> Bool {
        fetches = fetches.filter { store.isKnownDamaged($0.key) }
        let former = fetches[sha256]
        if let former, former.due > .now { return false }
        let pause = min(former.map { $0.pause * 2 } ?? Self.interval, .seconds(3600))
        fetches[sha256] = (.now + pause, pause)
        return true
    }

    /// - Parameter found: what was found in the file; nil if the log has it.
    /// - Returns: whether the file is whole again.
    private nonisolated func repair(_ sha256: String, _ resource: ResourceVersion?, found: String?) async -> Bool {
        var metadata = Self.facts(sha256, resource)
        do {
            if try await store.repairContent(sha256) {
                logger.warning(
                    "the file of a resource was damaged, and was fetched again from the shared store", metadata: metadata)
                return true
            }
        } catch {
            metadata["problem"] = "\(error)"
        }
        guard let found else { return false }
        metadata["found"] = "\(found)"
        metadata["do"] = "publish the same bytes again, or bring the store back from a backup"
        logger.error("the file of a resource is not as it was published; it is not sent", metadata: metadata)
        return false
    }

    private static func facts(_ sha256: String, _ resource: ResourceVersion?) -> Logger.Metadata {
        guard let resource else { return ["sha256": "\(sha256)"] }
        return [
            "resource": "\(resource.name)", "version": "\(resource.version)", "expected": "\(resource.size ?? 0)",
            "sha256": "\(sha256)",
        ]
    }
}
