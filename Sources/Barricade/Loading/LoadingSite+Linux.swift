#if os(Linux)
import Dispatch
import Foundation
import FoundationNetworking

/// The session that a request is loaded for, as far as a `URLProtocol` can see it.
///
/// Foundation on Linux neither lets several pieces reach a completion handler (it keeps the last) nor takes a
/// redirect from a `URLProtocol` (it traps), both measured. The delegate of a task is public and serves for both;
/// the task's session and whether it has a completion handler are not, and are read by reflection. Where a later
/// Foundation hides them, bodies come in one piece and a reply that redirects is delivered as it is.
struct LoadingSite: Sendable {
    /// Whether a body may come in several pieces.
    let takesPieces: Bool
    private let session: URLSession?
    /// Whether a delegate is asked about redirects.
    private let hasDelegate: Bool

    /// Call it where the loading system calls the loader: on the session's own queue, which guards what is read here.
    init(_ loader: URLProtocol) {
        let task = loader.task
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
        let call = RedirectCall(session: session, task: task, delegate: delegate, head: head, next: next)
        session.delegateQueue.addOperation { call.perform(decide) }
    }

    /// Goes on once the delegate has seen all that was handed to it, so that no body piles up before it.
    func afterDelegate(_ step: @escaping @Sendable () -> Void) {
        guard let session else { return DispatchQueue.global().async(execute: step) }
        session.delegateQueue.addOperation { DispatchQueue.global().async(execute: step) }
    }

    // MARK: Reflection

    private static func hasNoHandler(_ task: URLSessionTask?, _ session: URLSession?) -> Bool {
        guard let task, let session, let registry = member("taskRegistry", of: session),
            let behaviours = member("behaviours", of: registry)
        else { return false }
        for entry in Mirror(reflecting: behaviours).children {
            guard let (id, behaviour) = entry.value as? (Int, Any), id == task.taskIdentifier else { continue }
            // A case with a value is one of the completion handlers; "ask the delegate" has none.
            return Mirror(reflecting: behaviour).children.isEmpty
        }
        return false
    }

    /// A stored property of an object or of what it inherits.
    private static func member(_ name: String, of object: Any) -> Any? {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let current = mirror {
            if let found = current.children.first(where: { $0.label == name }) { return found.value }
            mirror = current.superclassMirror
        }
        return nil
    }
}

/// A delegate's question about a redirect.
///
/// Unchecked because a delegate isn't marked Sendable: it is called on its session's own queue, as by Foundation.
private struct RedirectCall: @unchecked Sendable {
    let session: URLSession
    let task: URLSessionTask
    let delegate: any URLSessionTaskDelegate
    let head: HTTPURLResponse
    let next: URLRequest

    func perform(_ decide: @escaping @Sendable (RedirectDecision) -> Void) {
        delegate.urlSession(session, task: task, willPerformHTTPRedirection: head, newRequest: next) { request in
            decide(request.map { .follow($0) } ?? .refuse)
        }
    }
}
#endif
