#if Server
import Dispatch
import Foundation

/// Waits for a signal that ends the server; the second one ends the process at once.
final class StopSignals {
    private let sources: [any DispatchSourceSignal]
    private let arrivals: AsyncStream<Void>

    init() {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
        self.arrivals = arrivals
        // A client that is gone must not end the server.
        signal(SIGPIPE, SIG_IGN)
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                continuation.yield()
                // From now on the signal does what it does to any process.
                signal(number, SIG_DFL)
            }
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    func first() async {
        for await _ in arrivals { return }
    }
}
#endif
