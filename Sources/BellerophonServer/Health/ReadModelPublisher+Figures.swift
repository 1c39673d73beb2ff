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
        /// What was known of a shared journal when what every reply shows was read.
        var served: SharedContact?
        /// When time alone changes a status next; in the past while the journal has no row of that.
        var nextChange: Date?
    }

    /// Notes what was known of a shared journal when what every reply now shows was read.
    func recordServed(_ contact: SharedContact?) {
        // Otherwise the loops take a newer read model, and this is called again.
        guard let contact, contact.generation == readModel.snapshot.generation else { return }
        seen.withLock { $0.served = contact }
    }

    nonisolated func metrics() async -> ServerMetrics {
        var metrics = ServerMetrics()
        let seen = seen.withLock { $0 }
        for loop in seen.loops {
            metrics.counts.add(await loop.allCounts())
        }
        if let readers = seen.readers { metrics.counts.add(await readers.counts) }
        metrics.connections = limiters.connections
        metrics.streams = limiters.streams
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
        metrics.shared = contact(seen)
        metrics.damage = health.contentDamage
        metrics.clocksAgree = health.clockProblem == nil
        metrics.startedAt = startedAt
        return metrics
    }

    /// What this server can say of its replies; nil if the store is this machine's alone.
    private nonisolated func contact(_ seen: Seen) -> SharedContact? {
        guard let present = health.sharedContact, let served = seen.served else { return nil }
        return present.serving(served)
    }

    nonisolated func readiness() async -> Readiness {
        let problem = await health.writeProblem()
        let seen = seen.withLock { $0 }
        return Readiness(
            isInPlace: seen.isInPlace, isReadable: seen.isReadable, lookAge: NIODeadline.now() - seen.lastLook,
            writeProblem: problem, shared: contact(seen), damagedFiles: health.contentDamage.files,
            clocks: health.clockProblem, overdue: seen.nextChange.map { health.endTime.timeIntervalSince($0) },
            unread: seen.readModel.snapshot.unread.count
        )
    }
}
