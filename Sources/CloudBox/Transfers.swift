import Bellerophon
import Dispatch
import Foundation
import Synchronization
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The transfers of one session: each ends once, by its end, its receiver's word, silence or a cancellation.
///
/// A transfer that has ended is kept until its task is over, and what the task still brings is dropped.
final class Transfers: NSObject, URLSessionDataDelegate {
    enum End: Equatable, Sendable {
        case complete
        /// The receiver wanted no more of it.
        case refused(CloudBoxError.Reason)
        case failed(CloudBoxError.Reason)
    }

    /// Unchecked because a Dispatch source is not marked Sendable although any thread may use it.
    private struct Transfer: @unchecked Sendable {
        let task: URLSessionTask
        let receiver: any Receiver
        let silence: any DispatchSourceTimer
        let origin: URL?
        var lastByte = ContinuousClock.now
        var redirects = 0
        /// Its task was told to stop: callbacks that were queued before get no answer.
        var isCancelled = false
        /// Nil once the transfer has ended.
        var end: (@Sendable (End) -> Void)?
    }

    private struct State: Sendable {
        var session: URLSession?
        var transfers: [Int: Transfer] = [:]
    }

    private let limits: CloudBoxConfiguration.Limits
    let callbacks = GatedQueue()
    private let silences = DispatchQueue(label: "bellerophon.cloudbox.silences")
    /// Calls into the session that may wait.
    private let calls = DispatchQueue(label: "bellerophon.cloudbox.calls")
    private let state = Mutex(State())

    init(limits: CloudBoxConfiguration.Limits) {
        self.limits = limits
    }

    /// The session holds its delegate until it is invalidated.
    func open(_ configuration: URLSessionConfiguration) {
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.httpMaximumConnectionsPerHost = limits.transfers
        // Only stands behind our own limit on silence.
        configuration.timeoutIntervalForRequest = limits.silence.inSeconds + 5
        configuration.timeoutIntervalForResource = 7 * 86400
        TLSLibrary.keep()
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: callbacks)
        state.withLock { $0.session = session }
    }

    func close() {
        let session = state.withLock { state in
            defer { state.session = nil }
            return state.session
        }
        session?.finishTasksAndInvalidate()
    }

    /// Performs one request; cancelling the task ends it.
    func run(_ request: URLRequest, into receiver: any Receiver) async -> End {
        guard let session = state.withLock({ $0.session }), !Task.isCancelled else { return .failed(.cancelled) }
        let task = await task(request, of: session)
        // Whoever started the transfer reads its receiver next; the lock hands over what the callbacks wrote.
        defer { state.withLock { _ in } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(task, receiver: receiver, origin: request.url) { continuation.resume(returning: $0) }
                if Task.isCancelled { cancel(task.taskIdentifier) }
            }
        } onCancel: {
            cancel(task.taskIdentifier)
        }
    }

    /// On Linux making a task waits until the transport of the whole process has read what has come, which a flood puts
    /// off: a thread of the shared pool must not wait for that.
    private func task(_ request: URLRequest, of session: URLSession) async -> URLSessionTask {
        await withCheckedContinuation { continuation in
            calls.async { continuation.resume(returning: session.dataTask(with: request)) }
        }
    }

    private func start(
        _ task: URLSessionTask, receiver: any Receiver, origin: URL?, end: @escaping @Sendable (End) -> Void
    ) {
        let id = task.taskIdentifier
        let timer = DispatchSource.makeTimerSource(queue: silences)
        let transfer = Transfer(task: task, receiver: receiver, silence: timer, origin: origin, end: end)
        timer.setEventHandler { [weak self] in self?.listen(id) }
        timer.schedule(deadline: .now() + limits.silence.inSeconds)
        state.withLock { $0.transfers[id] = transfer }
        timer.resume()
        task.resume()
    }

    // MARK: Ending

    /// Ends a transfer between two callbacks, so that its receiver is not in use when its owner goes on.
    private func end(_ id: Int, _ end: End) {
        callbacks.addUngated { [weak self] in self?.finish(id, end) }
    }

    private func cancel(_ id: Int) {
        end(id, .failed(.cancelled))
    }

    /// Ends a transfer unless it has ended, and its task if that goes on. On the callback queue only.
    private func finish(_ id: Int, _ end: End, isTaskOver: Bool = false) {
        let tell = state.withLock { state in
            defer { state.transfers[id]?.end = nil }
            return state.transfers[id]?.end
        }
        guard let tell else { return }
        if !isTaskOver { stop(id) }
        tell(end)
    }

    /// Cancels a task between two callbacks: Foundation on Linux ends the process when a cancellation meets the task's own
    /// end.
    private func stop(_ id: Int) {
        callbacks.addUngated { [weak self] in
            let task = self?.state.withLock { state in
                state.transfers[id]?.isCancelled = true
                return state.transfers[id]?.task
            }
            task?.cancel()
        }
    }

    /// Whether a callback may still be answered: after a cancellation Foundation on Linux ends the process with "not
    /// waiting for it".
    private func isWaiting(_ id: Int) -> Bool {
        state.withLock { $0.transfers[id].map { !$0.isCancelled } ?? false }
    }

    /// Whether a transfer has been silent for too long; else when to listen again.
    private func listen(_ id: Int) {
        guard let transfer = state.withLock({ $0.transfers[id] }), transfer.end != nil else { return }
        let left = limits.silence - transfer.lastByte.duration(to: .now)
        guard left > .zero else { return end(id, .failed(.silence(limits.silence))) }
        transfer.silence.schedule(deadline: .now() + max(left.inSeconds, 0.001))
    }

    /// The receiver of a transfer that goes on; notes that something came.
    private func receiver(of id: Int) -> (any Receiver)? {
        state.withLock { state in
            state.transfers[id]?.lastByte = .now
            guard let transfer = state.transfers[id], transfer.end != nil else { return nil }
            return transfer.receiver
        }
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let id = dataTask.taskIdentifier
        guard isWaiting(id) else { return }
        completionHandler(.allow)
        guard let head = response as? HTTPURLResponse, let receiver = receiver(of: id) else { return }
        if let reason = receiver.take(head) { finish(id, .refused(reason)) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let id = dataTask.taskIdentifier
        guard let receiver = receiver(of: id) else { return }
        if let reason = receiver.take(data) { finish(id, .refused(reason)) }
        // What the disk took does not count as silence.
        state.withLock { $0.transfers[id]?.lastByte = .now }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let id = task.taskIdentifier
        finish(id, error.map { .failed(Self.reason(of: $0, limits: limits)) } ?? .complete, isTaskOver: true)
        state.withLock { $0.transfers.removeValue(forKey: id) }?.silence.cancel()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let id = task.taskIdentifier
        guard isWaiting(id) else { return }
        let (count, origin) = state.withLock { state in
            state.transfers[id]?.redirects += 1
            return (state.transfers[id]?.redirects ?? 0, state.transfers[id]?.origin)
        }
        let refusal = RedirectRule.refusal(to: request.url, from: origin, count: count, limit: limits.redirects)
        completionHandler(refusal == nil ? request : nil)
        if let refusal { finish(id, .refused(.redirectRefused(refusal))) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let id = task.taskIdentifier
        let disposition = AuthenticationRule.disposition(of: challenge)
        if disposition == .rejectProtectionSpace {
            // Foundation on Linux cancels the task then, in place of answering.
            let code = (challenge.failureResponse as? HTTPURLResponse)?.statusCode ?? 401
            finish(id, .refused(.httpStatus(code)), isTaskOver: true)
        }
        completionHandler(disposition, nil)
    }

    private static func reason(of error: any Error, limits: CloudBoxConfiguration.Limits) -> CloudBoxError.Reason {
        guard let error = error as? URLError else { return .transport(StatusError.text(of: error)) }
        switch error.code {
        case .timedOut: return .silence(limits.silence)
        case .cancelled: return .cancelled
        default: return .transport(StatusError.text(of: error))
        }
    }
}

/// The session of a ``CloudBox``, opened at its first sync and closed with it.
final class LazyTransfers: Sendable {
    private let configuration: CloudBoxConfiguration
    private let opened = Mutex<Transfers?>(nil)

    init(_ configuration: CloudBoxConfiguration) {
        self.configuration = configuration
    }

    deinit {
        opened.withLock { $0 }?.close()
    }

    var transfers: Transfers {
        opened.withLock { opened in
            if let opened { return opened }
            let transfers = Transfers(limits: configuration.limits)
            transfers.open(configuration.sessionConfiguration())
            opened = transfers
            return transfers
        }
    }
}
