import Dispatch

/// Work that waits for the disk, on threads apart from the few that all tasks share.
package enum BlockingWork {
    private static let queue = DispatchQueue(label: "bellerophon.blocking-work", attributes: .concurrent)

    package static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
