import BellerophonStore
import Foundation
import Logging
import NIOCore

/// Whether the store is writable, and the free space on its disk. Both are checked on a separate thread, so that a disk
/// that hangs blocks neither an event loop nor the publisher.
actor StoreHealth {
    private let store: any PublishedContent
    private let logger: Logger
    private let clock: @Sendable () -> NIODeadline
    private let queue = DispatchQueue(label: "bellerophon.health")
    private var running: (since: NIODeadline, task: Task<Void, Never>)?
    private var checkedAt: NIODeadline?
    /// Why the store can't be written; nil if it can.
    private var problem: (any Error)?
    /// Whether the disk has little room, which is logged when it begins and when it ends.
    private var isLow = false
    /// Free bytes on the disk; nil before the first check, or if the system does not provide it.
    private(set) var freeBytes: Int64?

    /// The interval of the periodic checks.
    private static let interval = Duration.seconds(5)
    /// The time for which a result is reused. A check of a shared store takes the lock of all its servers, and commits.
    private var freshness: TimeAmount { store.isShared ? .seconds(5) : .seconds(1) }
    /// A check that takes longer is reported as a problem.
    private static let patience = TimeAmount.seconds(2)
    /// Fewer free bytes are little room.
    static let least: Int64 = 512 << 20

    init(_ store: any PublishedContent, logger: Logger, clock: @escaping @Sendable () -> NIODeadline = { .now() }) {
        self.store = store
        self.logger = logger
        self.clock = clock
    }

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
            await task.value
        }
        return (store.writeTrouble ?? problem).map(Self.text)
    }

    /// Begins a check unless one is in progress.
    private func startCheck() -> (since: NIODeadline, task: Task<Void, Never>) {
        if let running { return running }
        let task = Task {
            let (free, result) = await withCheckedContinuation { [store, queue] continuation in
                queue.async { continuation.resume(returning: (store.freeBytes(), Result { try store.checkWritable() })) }
            }
            record(free, result)
        }
        let begun = (since: clock(), task: task)
        running = begun
        return begun
    }

    private func record(_ free: Int64?, _ result: Result<Void, any Error>) {
        let former = problem
        problem = if case .failure(let error) = result { error } else { nil }
        (running, checkedAt, freeBytes) = (nil, clock(), free)
        if former != nil, problem == nil { logger.notice("the store can be written again") }
        if former == nil, let problem {
            logger.error("the store can't be written; nothing can be published", metadata: ["error": "\(problem)"])
        }
        guard let free, (free < Self.least) != isLow else { return }
        isLow.toggle()
        let metadata: Logger.Metadata = ["free": "\(free)", "least": "\(Self.least)"]
        if isLow {
            logger.warning(
                "the disk that holds the store is almost full; once it is, nothing can be published", metadata: metadata)
        } else {
            logger.notice("the disk that holds the store has room again", metadata: metadata)
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
