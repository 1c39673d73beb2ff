import Dispatch
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session, and the only way to call it.
///
/// On Linux a call into a session, even one that only makes a task, waits until the transport of the whole process has
/// read what has come. A server that sends faster than it is read puts that off for as long as it likes (measured: the
/// main actor stood still). So no such call is made on the caller's thread.
final class SessionLine: Sendable {
    private let session: URLSession
    /// Serial, so that it has a thread of its own: a call that waits must not take one of the shared pool.
    private let calls = DispatchQueue(label: "bellerophon.status.calls", qos: .userInitiated)

    init(_ configuration: URLSessionConfiguration, delegate: any URLSessionDelegate, callbacks: OperationQueue) {
        TLSLibrary.keep()
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: callbacks)
    }

    deinit {
        calls.async { [session] in session.finishTasksAndInvalidate() }
    }

    /// Makes a task and starts it, in time.
    /// - Parameters:
    ///   - isWanted: whether anybody still waits for it when its turn comes.
    ///   - willStart: told of the task's identifier before it starts.
    ///   - didStart: told of the task once it may be cancelled.
    func start(
        _ request: URLRequest, isWanted: @escaping @Sendable () -> Bool,
        willStart: @escaping @Sendable (Int) -> Void, didStart: @escaping @Sendable (URLSessionTask) -> Void
    ) {
        calls.async { [session] in
            guard isWanted() else { return }
            let task = session.dataTask(with: request)
            willStart(task.taskIdentifier)
            task.resume()
            didStart(task)
        }
    }
}
