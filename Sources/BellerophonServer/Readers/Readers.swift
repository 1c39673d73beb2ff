import Foundation

/// The threads on which connections begin.
///
/// The first one accepts connections and shares them out. A connection there is a descriptor and a deadline, without a channel. Its
/// thread answers complete simple requests from the read model, with one read and one write each. At the first thing that is not a
/// complete simple request, the connection moves to an event loop with the bytes that were read, and never back.
final class Readers: Sendable {
    private let threads: [Reader]

    /// - Parameters:
    ///   - listener: a socket that does not block. It belongs to the readers.
    ///   - tls: connections with TLS, and those whose requests are logged, move as soon as they are accepted.
    /// - Throws: `IOError` if the process may open no more files.
    init(_ loops: [LoopState], _ readModel: ReadModel, listener: Int32, tls: PresentCertificate?) throws {
        let answers = tls == nil && !(loops.first?.settings.logsAccess ?? true)
        // With fewer threads each finds more requests at a time, which costs less than waking another one.
        let count = answers ? (loops.count + 1) / 2 : 1
        do {
            threads = try (0..<count).map { try Reader(loops, readModel, firstLoop: $0 * loops.count / count, tls: tls) }
        } catch {
            close(listener)
            throw error
        }
        for (index, thread) in threads.enumerated() {
            thread.start(listener: index == 0 ? listener : nil, answers: answers)
        }
    }

    /// Replies to all requests from now on come from this read model.
    func show(_ newer: ReadModel) {
        for thread in threads { thread.show(newer) }
    }

    func acceptConnections() {
        let threads = threads
        threads[0].send { $0.accept(sharedBy: threads) }
    }

    /// Accepts no more connections. When this returns, each accepted one belongs to a thread, or is on its way to an event loop.
    func stopAccepting() async { await threads[0].run(else: ()) { $0.stopAccepting() } }

    /// Closes the listening socket. No connections are accepted from now on.
    func stopListening() async { await threads[0].run(else: ()) { $0.stopListening() } }

    /// Moves all connections to event loops, also those that arrive later.
    func moveAll() async { await runOnAll { $0.moveAll() } }

    /// Keeps new connections again after ``moveAll()``.
    func keepAgain() {
        for thread in threads { thread.send { $0.keepAgain() } }
    }

    /// The requests that the threads have answered, and the connections that they have refused.
    var counts: RequestCounts {
        get async {
            var all = RequestCounts()
            for thread in threads { all.add(await thread.run(else: RequestCounts()) { $0.replies.counts }) }
            return all
        }
    }

    /// Ends the threads. Connections that they still have are closed.
    func end() async { await runOnAll { $0.end() } }

    private func runOnAll(_ work: @escaping @Sendable (inout ReaderThread) -> Void) async {
        for thread in threads { await thread.run(else: (), work) }
    }
}
