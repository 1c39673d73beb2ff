import Dispatch

/// Runs blocking work, such as disk access, outside the cooperative thread pool.
package enum BlockingWork {
    private static let queue = DispatchQueue(label: "bellerophon.blocking-work", attributes: .concurrent)

    package static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
