import Dispatch

/// Work that waits for the disk, apart from the few threads that all tasks share.
enum DiskWork {
    private static let queue = DispatchQueue(label: "bellerophon.cloudbox.disk", attributes: .concurrent)

    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
