import Dispatch
package import Foundation
import Synchronization

/// A session's delegate queue that holds the transport back when its delegate can't follow.
///
/// Foundation on Linux reads from the network as fast as it can and queues each piece for its delegate; behind a slow disk,
/// or where a server floods, a large body piles up in memory. Here the transport waits before it queues more pieces of
/// about 16 KiB than are allowed, and so does the server behind it. The queue has a thread of its own, because on the shared pool callbacks wait behind
/// whatever blocks there.
///
/// Unchecked as its superclass is; what it adds is a mutex and a semaphore.
package final class GatedQueue: OperationQueue, @unchecked Sendable {
    /// Pieces that wait for a delegate with a disk behind it.
    package static let limit = 16
    /// No wait of the transport is longer: should it hold what a callback needs, it goes slowly and not never.
    private let patience: DispatchTimeInterval
    /// An operation queue does not keep its underlying queue alive.
    private let own = DispatchQueue(label: "bellerophon.callbacks", qos: .userInitiated)
    private let places: DispatchSemaphore
    /// While above zero nobody waits.
    private let openings = Mutex(0)

    /// - Parameters:
    ///   - limit: pieces that wait for the delegate at most.
    ///   - patience: the transport waits no longer than that for a place; all sessions of a process share it on Linux.
    package init(limit: Int = GatedQueue.limit, patience: DispatchTimeInterval = .milliseconds(200)) {
        places = DispatchSemaphore(value: limit)
        self.patience = patience
        super.init()
        maxConcurrentOperationCount = 1
        underlyingQueue = own
    }

    package override func addOperation(_ block: @escaping @Sendable () -> Void) {
        let isOpen = openings.withLock { $0 > 0 }
        let hasPlace = places.wait(timeout: isOpen ? .now() : .now() + patience) == .success
        super.addOperation { [places] in
            block()
            if hasPlace { places.signal() }
        }
    }

    /// Runs a body between two callbacks, at once in their order, while the transport does not wait.
    package func addUngated(_ body: @escaping @Sendable () -> Void) {
        openings.withLock { $0 += 1 }
        super.addOperation { [self] in
            body()
            openings.withLock { $0 -= 1 }
        }
    }
}

extension GatedQueue {
    /// For what is dropped past a small cap. The transport must outrun a flood to hear that it is cancelled, so it only
    /// waits where some 16 MB are queued, and never for long.
    static func forSmallBodies() -> GatedQueue { GatedQueue(limit: 1024, patience: .milliseconds(5)) }
}
