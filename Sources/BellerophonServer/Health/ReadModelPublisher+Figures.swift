import BellerophonStore
import Foundation
import NIOCore
import StatusModel
import Synchronization

extension ReadModelPublisher {
    /// The publisher's state for `/metrics` and `/ready`. It is read without the actor, which may be waiting for the disk.
    struct Seen: Sendable {
        var readModel: ReadModel
        var loops: [LoopState] = []
        var readers: Readers?
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

    /// What this server can say of its replies; nil if the store is this machine's alone.
    nonisolated func contact(_ seen: Seen) -> SharedContact? {
        guard let present = store.sharedContact, let served = seen.served else { return nil }
        return present.serving(served)
    }

    nonisolated func readiness() async -> Readiness {
        let problem = await health.writeProblem()
        let seen = seen.withLock { $0 }
        return Readiness(
            isInPlace: seen.isInPlace, isReadable: seen.isReadable, lookAge: NIODeadline.now() - seen.lastLook,
            writeProblem: problem, shared: contact(seen), damagedFiles: store.contentDamage.files,
            clocks: store.clockProblem, overdue: seen.nextChange.map { store.endTime.timeIntervalSince($0) },
            unread: seen.readModel.snapshot.unread.count
        )
    }
}
