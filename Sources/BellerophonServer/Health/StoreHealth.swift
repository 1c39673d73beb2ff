import BellerophonStore
import Foundation
import Logging
import NIOCore

/// Whether the store is writable, and the free space on its disk. Both are checked on a separate thread, so that a disk
/// that hangs blocks neither an event loop nor the publisher.
actor StoreHealth {
    /// The result of one check.
    private struct Finding: Sendable {
        /// Why the store can't be written, without any path; nil if it can.
        var problem: String?
        /// The error for the log.
        var detail = ""
        var freeBytes: Int64?
    }

    private let store: any PublishedContent
    private let logger: Logger
    private let clock: @Sendable () -> NIODeadline
    private let queue = DispatchQueue(label: "bellerophon.health")
    private var running: (since: NIODeadline, task: Task<String?, Never>)?
    private var checkedAt: NIODeadline?
    private var problem: String?
    private var room = DiskRoom()
    /// Free bytes on the disk; nil before the first check, or if the system does not provide it.
    private(set) var freeBytes: Int64?

    /// The interval of the periodic checks.
    private static let interval = Duration.seconds(5)
    /// The time for which a result is reused. A check of a shared store takes the lock of all its servers, and commits.
    private var freshness: TimeAmount { store.isShared ? .seconds(5) : .seconds(1) }
    /// A check that takes longer is reported as a problem.
    private static let patience = TimeAmount.seconds(2)

    init(_ store: any PublishedContent, logger: Logger, clock: @escaping @Sendable () -> NIODeadline = { .now() }) {
        self.store = store
        self.logger = logger
        self.clock = clock
    }

    nonisolated var sharedContact: SharedContact? { store.sharedContact }
    nonisolated var contentDamage: ContentDamage { store.contentDamage }
    nonisolated var clockProblem: ClockProblem? { store.clockProblem }
    /// The time by which what is due must have its row.
    nonisolated var endTime: Date { store.endTime }

    /// Whether the store was writable at the last check and the last write; nil before the first of them.
    var isWritable: Bool? {
        if store.writeTrouble != nil { return false }
        return checkedAt == nil ? nil : problem == nil
    }

    /// Checks periodically until the task is cancelled.
    func watch() async {
        while !Task.isCancelled {
            _ = startCheck()
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// Why the store can't be written; nil if it can. It is checked at most once a second, a shared one every five seconds, regardless
    /// of the number of calls. A write that has failed since counts at once, until a later check or write succeeds.
    func writeProblem() async -> String? {
        let isFresh = running == nil && checkedAt.map { clock() - $0 < freshness } ?? false
        if !isFresh {
            let (since, task) = startCheck()
            guard clock() - since < Self.patience else { return "a write to the store has been pending for seconds" }
            _ = await task.value
        }
        return store.writeTrouble.map(Self.text) ?? problem
    }

    /// Begins a check unless one is in progress.
    private func startCheck() -> (since: NIODeadline, task: Task<String?, Never>) {
        if let running { return running }
        let (store, queue) = (store, queue)
        let task = Task { () -> String? in
            let finding = await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: Self.probe(at: store)) }
            }
            return self.adopt(finding)
        }
        let begun = (since: clock(), task: task)
        running = begun
        return begun
    }

    private static func probe(at store: any PublishedContent) -> Finding {
        var finding = Finding(freeBytes: store.freeBytes())
        do {
            try store.checkWritable()
        } catch {
            finding.problem = text(of: error)
            finding.detail = "\(error)"
        }
        return finding
    }

    private func adopt(_ finding: Finding) -> String? {
        if finding.problem != nil, problem == nil {
            logger.error("the store can't be written; nothing can be published", metadata: ["error": "\(finding.detail)"])
        } else if finding.problem == nil, problem != nil {
            logger.notice("the store can be written again")
        }
        (running, checkedAt, problem, freeBytes) = (nil, clock(), finding.problem, finding.freeBytes)
        log(room.update(finding.freeBytes))
        return finding.problem
    }

    private func log(_ change: DiskRoom.Change?) {
        let fields: Logger.Metadata = ["free": "\(freeBytes ?? 0)", "least": "\(DiskRoom.least)"]
        switch change {
        case .low:
            logger.warning("the disk that holds the store is almost full; once it is, nothing can be published", metadata: fields)
        case .enough: logger.notice("the disk that holds the store has room again", metadata: fields)
        case nil: break
        }
    }

    private static func text(of error: any Error) -> String {
        switch (error as? StoreError)?.kind {
        case .busy: "the store is locked by another process or server"
        case .unavailable, .unknown, .unconfirmed: "the shared store takes no changes, or does not confirm them"
        case .full: "the disk that holds the store is full"
        case .notPermitted: "the store may not be written"
        default: "the store can't be written"
        }
    }
}

/// Reports once when a disk has little space left, and once when it has enough again.
struct DiskRoom: Equatable, Sendable {
    enum Change: Equatable, Sendable { case low, enough }

    /// In bytes. Less free space is low.
    static let least: Int64 = 512 << 20
    private var isLow = false

    /// - Parameter free: bytes; nil if the system does not provide it, which changes nothing.
    mutating func update(_ free: Int64?) -> Change? {
        guard let free, (free < Self.least) != isLow else { return nil }
        isLow.toggle()
        return isLow ? .low : .enough
    }
}
