#if Server
import BellerophonStore
import Foundation
import NIOCore
import StatusModel
import Synchronization

extension ReadModelPublisher {
    /// The publisher's state for metrics and `/ready`. It is read without the actor, which may be waiting for the disk.
    struct Seen: Sendable {
        var readModel: ReadModel
        var loops: [LoopState] = []
        var readers: Readers?
        var snapshots = 0
        /// The number of times that signatures were renewed after half of their lifetime.
        var renewals = 0
        var isReadable = true
        /// Whether the store's path still refers to the opened file.
        var isInPlace = true
        /// When the last check of the store ended.
        var lastLook = NIODeadline.now()
        /// When time alone changes a status next; in the past while the journal has no row of that.
        var nextChange: Date?
    }

    nonisolated func metrics() async -> ServerMetrics {
        var metrics = ServerMetrics()
        let seen = seen.withLock { $0 }
        for loop in seen.loops {
            metrics.counts.add(await loop.allCounts())
        }
        if let readers = seen.readers { metrics.counts.add(await readers.counts) }
        metrics.connections = limiters.connections.count
        metrics.streams = limiters.streams.value
        metrics.activeRequests = limiters.requests
        metrics.authenticationFailures = limiters.failures.counts
        metrics.serial = seen.readModel.snapshot.serial
        metrics.snapshots = seen.snapshots
        metrics.renewals = seen.renewals
        metrics.stages = Stage.all(seen.readModel.snapshot.statuses)
        metrics.isReadable = seen.isReadable && seen.isInPlace
        metrics.isWritable = await health.isWritable
        metrics.freeBytes = await health.freeBytes
        metrics.lookAge = NIODeadline.now() - seen.lastLook
        metrics.shared = health.sharedContact
        metrics.damage = health.contentDamage
        metrics.clocksAgree = health.clockProblem == nil
        metrics.startedAt = startedAt
        return metrics
    }

    nonisolated func readiness() async -> Readiness {
        let problem = await health.writeProblem()
        let seen = seen.withLock { $0 }
        return Readiness(
            isInPlace: seen.isInPlace, isReadable: seen.isReadable, lookAge: NIODeadline.now() - seen.lastLook,
            writeProblem: problem, shared: health.sharedContact, damagedFiles: health.contentDamage.files,
            clocks: health.clockProblem, overdue: seen.nextChange.map { health.endTime.timeIntervalSince($0) }
        )
    }
}
#endif
