import Dispatch

/// Runs the asynchronous `onKill` on a queue of its own: a body may block every thread that tasks share.
final class LineExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "bellerophon.line", qos: .userInitiated)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
