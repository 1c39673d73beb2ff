#if os(Linux)
import Dispatch
import Foundation
import FoundationNetworking

/// The properties of a request's session that a `URLProtocol` can access.
///
/// Foundation on Linux passes only the last of several body pieces to a completion handler, and traps on a redirect
/// from a `URLProtocol` (both measured). Handling both cases requires the task's delegate, which is public, and its
/// session and completion handler, which are read by reflection. If a later Foundation hides them, bodies arrive in one
/// piece and redirect replies are delivered unchanged.
///
/// The queue of the task is read in the same way. Foundation's own protocols call the client there: the session changes its
/// table of tasks on that queue, and reads it in each call without protection.
struct LoadingSite: Sendable {
    /// Where the client is to be called.
    let queue: DispatchQueue
    /// Whether a body may arrive in several pieces.
    let takesPieces: Bool
    private let session: URLSession?
    /// Whether there is a delegate that decides on redirects.
    private let hasDelegate: Bool

    /// Must be called where the loading system calls the loader: on the session's queue, which protects the state read here.
    init(_ loader: URLProtocol) {
        let task = loader.task
        queue = task.flatMap { Self.member("workQueue", of: $0) as? DispatchQueue } ?? .global()
        session = task.flatMap { Self.member("session", of: $0) as? URLSession }
        hasDelegate = task?.delegate != nil
        takesPieces = task?.delegate is any URLSessionDataDelegate && Self.hasNoHandler(task, session)
    }

    func redirect(
        _ loader: URLProtocol, to next: URLRequest, _ head: HTTPURLResponse,
        then decide: @escaping @Sendable (RedirectDecision) -> Void
    ) {
        guard hasDelegate else { return decide(.follow(next)) }
        guard let session, let task = loader.task, let delegate = task.delegate else { return decide(.refuse) }
        session.delegateQueue.addOperation { [queue] in
            delegate.urlSession(session, task: task, willPerformHTTPRedirection: head, newRequest: next) { request in
                queue.async { decide(request.map { .follow($0) } ?? .refuse) }
            }
        }
    }

    /// Runs a step after the delegate has processed all previous calls, so that body pieces do not accumulate.
    func afterDelegate(_ step: @escaping @Sendable () -> Void) {
        guard let session else { return queue.async(execute: step) }
        session.delegateQueue.addOperation { [queue] in queue.async(execute: step) }
    }

    // MARK: Reflection

    private static func hasNoHandler(_ task: URLSessionTask?, _ session: URLSession?) -> Bool {
        guard let task, let session, let registry = member("taskRegistry", of: session),
            let behaviours = member("behaviours", of: registry)
        else { return false }
        for entry in Mirror(reflecting: behaviours).children {
            guard let (id, behaviour) = entry.value as? (Int, Any), id == task.taskIdentifier else { continue }
            // A case with an associated value is a completion handler; the case for the delegate has none.
            return Mirror(reflecting: behaviour).children.isEmpty
        }
        return false
    }

    /// A stored property of an object or of a superclass.
    private static func member(_ name: String, of object: Any) -> Any? {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let current = mirror {
            if let found = current.children.first(where: { $0.label == name }) { return found.value }
            mirror = current.superclassMirror
        }
        return nil
    }
}
#endif
