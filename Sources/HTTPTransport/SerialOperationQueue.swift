import Dispatch
import Foundation

/// Runs one operation at a time, on a serial dispatch queue that other work may share.
///
/// Unchecked as its superclass is; what it adds never changes.
final class SerialOperationQueue: OperationQueue, @unchecked Sendable {
    /// An operation queue does not keep its underlying queue alive.
    private let queue: DispatchQueue

    init(on queue: DispatchQueue) {
        self.queue = queue
        super.init()
        maxConcurrentOperationCount = 1
        underlyingQueue = queue
    }
}
