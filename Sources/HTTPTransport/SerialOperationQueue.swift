import Dispatch
import Foundation

/// Runs one operation at a time, on a serial dispatch queue that may be shared with other work.
///
/// Unchecked because its superclass is; the added property is constant.
final class SerialOperationQueue: OperationQueue, @unchecked Sendable {
    /// Retained because an operation queue does not retain its underlying queue.
    private let queue: DispatchQueue

    init(on queue: DispatchQueue) {
        self.queue = queue
        super.init()
        maxConcurrentOperationCount = 1
        underlyingQueue = queue
    }
}
