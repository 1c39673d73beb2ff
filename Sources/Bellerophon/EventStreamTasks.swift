import Dispatch
import Foundation
import Synchronization
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import TerminalUI

/// The connections of one stream's session: each is told of until it is over, once, by its end, a limit or a
/// cancellation. What its task still brings afterwards is dropped.
final class EventStreamTasks: NSObject, URLSessionDataDelegate {
    private struct Connection: Sendable {
        /// Nil until the session has made it.
        var task: URLSessionTask?
        /// Nil once the connection is over.
        var tell: (@Sendable (StreamSignal) -> Void)?
        var parser: EventStreamParser
        var receipt = StatusReceipt()
        var redirects = 0
        /// Bytes that came after the end.
        var dropped = 0
        var isCut = false
        /// Its task was told to stop: callbacks that were queued before get no answer.
        var isCancelled = false
    }

    private struct State: Sendable {
        /// By an id of ours: a connection begins before there is a task.
        var connections: [Int: Connection] = [:]
        /// The connection of a task, by the task's identifier.
        var ids: [Int: Int] = [:]
        /// What follows a task that only opens a connection, by the task's identifier.
        var openings: [Int: @Sendable () -> Void] = [:]
        var lastID = 0
    }

    private let eventLimit: Int
    /// The session's delegate queue.
    private let callbacks: GatedQueue
    private let state = Mutex(State())
    /// Serial, so that it has a thread of its own: a cancellation that waits must not take one of the shared pool.
    private let cuts = DispatchQueue(label: "bellerophon.stream.cuts")

    private static let redirectLimit = 3
    /// Bytes past the end from which a body counts as a flood; see ``StatusExchanges``.
    private static let floodBytes = 256 << 10

    init(eventLimit: Int, callbacks: GatedQueue) {
        self.eventLimit = eventLimit
        self.callbacks = callbacks
    }

    /// Starts a connection; never waits. `tell` is called in order, on the session's thread.
    /// - Parameter line: of the session that this is the delegate of.
    func start(
        _ request: URLRequest, on line: SessionLine, onSignal tell: @escaping @Sendable (StreamSignal) -> Void
    ) -> StreamConnection {
        let connection = Connection(tell: tell, parser: EventStreamParser(keeping: ["published"], limit: eventLimit))
        let id = state.withLock { state in
            state.lastID += 1
            state.connections[state.lastID] = connection
            return state.lastID
        }
        if ConnectionHabit.isFreshOneCostly {
            open(request.openingConnection, for: id, on: line) { [weak self] in self?.listen(request, as: id, on: line) }
        } else {
            listen(request, as: id, on: line)
        }
        return StreamConnection { [weak self] in self?.cancel(id) }
    }

    private func listen(_ request: URLRequest, as id: Int, on line: SessionLine) {
        line.start(request) { [weak self] in
            self?.isWanted(id) ?? false
        } willStart: { [weak self] number in
            self?.state.withLock { $0.ids[number] = id }
        } didStart: { [weak self] task in
            self?.attach(task, to: id)
        }
    }

    /// Opens a connection that the stream then uses; however that goes, the stream follows.
    private func open(_ request: URLRequest, for id: Int, on line: SessionLine, then next: @escaping @Sendable () -> Void) {
        line.start(request) { [weak self] in
            self?.isWanted(id) ?? false
        } willStart: { [weak self] number in
            self?.state.withLock { $0.openings[number] = next }
        } didStart: { _ in
        }
    }

    /// Whether a task only opens a connection.
    private func isOpening(_ task: URLSessionTask) -> Bool {
        state.withLock { $0.openings[task.taskIdentifier] != nil }
    }

    /// Whether anybody still waits for what has no task yet; forgets it where nobody does.
    private func isWanted(_ id: Int) -> Bool {
        state.withLock { state in
            guard state.connections[id]?.tell == nil else { return true }
            state.connections[id] = nil
            return false
        }
    }

    private func attach(_ task: URLSessionTask, to id: Int) {
        let isOver = state.withLock { state in
            state.connections[id]?.task = task
            return state.connections[id].map { $0.tell == nil } ?? false
        }
        if isOver { cancel(id) }
    }

    private func id(of task: URLSessionTask) -> Int {
        state.withLock { $0.ids[task.taskIdentifier] ?? 0 }
    }

    func cancelAll() {
        for id in state.withLock({ Array($0.connections.keys) }) { cancel(id) }
    }

    /// Nobody is told any longer, and the task is cancelled between two callbacks; see ``StatusExchanges``.
    private func cancel(_ id: Int) {
        finish(id, .transport(code: URLError.cancelled.rawValue, message: "cancelled"))
        callbacks.addUngated { [weak self] in
            let task = self?.state.withLock { state -> URLSessionTask? in
                // One without a task yet is cancelled once it has one.
                guard let connection = state.connections[id], connection.task != nil else { return nil }
                state.connections[id]?.isCancelled = true
                return connection.isCut ? nil : connection.task
            }
            task?.cancel()
        }
    }

    /// Whether a callback may still be answered; see ``StatusExchanges``.
    private func isWaiting(_ id: Int) -> Bool {
        state.withLock { $0.connections[id].map { !$0.isCancelled && !$0.isCut } ?? false }
    }

    /// Cancels a task that floods, beside the callbacks, which go on dropping what comes in.
    private func cut(_ id: Int) {
        let task = state.withLock { state -> URLSessionTask? in
            guard let connection = state.connections[id], !connection.isCut else { return nil }
            state.connections[id]?.isCut = true
            return connection.task
        }
        if let task { cuts.async { task.cancel() } }
    }

    // MARK: Telling

    private func tell(_ id: Int, _ signals: [StreamSignal]) {
        guard !signals.isEmpty, let tell = state.withLock({ $0.connections[id]?.tell }) else { return }
        for signal in signals { tell(signal) }
    }

    /// Ends a connection unless it is over.
    private func finish(_ id: Int, _ reason: StatusError.Reason) {
        let (tell, receipt) = state.withLock { state in
            defer { state.connections[id]?.tell = nil }
            return (state.connections[id]?.tell, state.connections[id]?.receipt)
        }
        tell?(.closed(StatusError(reason, receipt: receipt)))
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if isOpening(dataTask) { return completionHandler(.allow) }
        let id = id(of: dataTask)
        guard isWaiting(id) else { return }
        completionHandler(.allow)
        guard let head = response as? HTTPURLResponse else { return }
        var exchange = StatusExchange()
        exchange.take(head)
        state.withLock { [receipt = exchange.receipt] in $0.connections[id]?.receipt = receipt }
        if let reason = Self.refusal(head) { return finish(id, reason) }
        let heartbeat = head.value(forHTTPHeaderField: "Bellerophon-Heartbeat").flatMap(PushHeaders.heartbeat)
        tell(id, [.opened(heartbeat: heartbeat)])
    }

    /// Why an answer is no stream; nil where it is one.
    private static func refusal(_ head: HTTPURLResponse) -> StatusError.Reason? {
        guard head.statusCode != 204 else { return .stream(.refused) }
        guard head.statusCode == 200 else { return .httpStatus(head.statusCode) }
        let type = head.value(forHTTPHeaderField: "Content-Type") ?? "none"
        let essence = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        guard essence != "text/event-stream" else { return nil }
        return .stream(.otherMediaType(SafeText.sanitize(String(essence), keepingNewlines: false, limit: 80)))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard !isOpening(dataTask) else { return }
        let (id, now) = (id(of: dataTask), ContinuousClock.now)
        let (items, problem, dropped) = state.withLock { state in
            Self.take(data, &state.connections[id])
        }
        tell(id, items.map { Self.signal($0, at: now) })
        if let problem { finish(id, .stream(.tooLarge(limit: problem.limit))) }
        if dropped > Self.floodBytes { cut(id) }
    }

    private static func take(
        _ data: Data, _ connection: inout Connection?
    ) -> (items: [EventStreamParser.Item], problem: EventStreamParser.Problem?, dropped: Int) {
        guard connection?.tell != nil else {
            connection?.dropped += data.count
            return ([], nil, connection?.dropped ?? 0)
        }
        do throws(EventStreamParser.Problem) {
            return (try connection?.parser.consume(Array(data)) ?? [], nil, 0)
        } catch {
            return ([], error, 0)
        }
    }

    private static func signal(_ item: EventStreamParser.Item, at now: ContinuousClock.Instant) -> StreamSignal {
        switch item {
        case .comment: .heartbeat
        case .retry(let wait): .retry(wait)
        case .event(let event):
            .event(
                StreamEvent(
                    name: event.name, data: event.data, id: event.lastEventID.isEmpty ? nil : event.lastEventID,
                    publishedAt: event.fields["published"].flatMap(PushHeaders.date), receivedAt: now
                )
            )
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let next = state.withLock({ $0.openings.removeValue(forKey: task.taskIdentifier) }) { return next() }
        let id = id(of: task)
        finish(id, error.map(Self.reason) ?? .stream(.ended))
        let over = state.withLock { state in
            state.ids[task.taskIdentifier] = nil
            return state.connections.removeValue(forKey: id)
        }
        if let over, over.dropped > Self.floodBytes { cuts.async { FreedMemory.giveBack() } }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        if isOpening(task) { return completionHandler(nil) }
        let id = id(of: task)
        guard isWaiting(id) else { return }
        let taken = state.withLock { state in
            state.connections[id]?.redirects += 1
            return state.connections[id]?.redirects ?? 0
        }
        let refusal = RedirectRule.refusal(
            to: request.url, from: task.originalRequest?.url, count: taken, limit: Self.redirectLimit
        )
        completionHandler(refusal == nil ? request : nil)
        if let refusal { finish(id, .redirectRefused(refusal)) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let disposition = AuthenticationRule.disposition(of: challenge)
        if disposition == .rejectProtectionSpace {
            // Foundation on Linux cancels the task then, in place of answering.
            let code = (challenge.failureResponse as? HTTPURLResponse)?.statusCode ?? 401
            finish(id(of: task), .httpStatus(code))
        }
        completionHandler(disposition, nil)
    }

    private static func reason(of error: any Error) -> StatusError.Reason {
        guard let error = error as? URLError else {
            return .transport(code: (error as NSError).code, message: StatusError.text(of: error))
        }
        return StatusError.Reason(error, deadline: .seconds(URLSessionStatusStream.requestTimeout))
    }
}

extension EventStreamParser.Problem {
    /// The bound that was passed, in bytes.
    var limit: Int {
        switch self {
        case .lineTooLong(let limit), .eventTooLarge(let limit): limit
        }
    }
}
