#if Server
import Dispatch
import Foundation

/// What happens to a server from outside, in the order in which it happens.
final class ServerSignals {
    enum Event: Equatable {
        /// SIGTERM or SIGINT; the second one ends the process at once.
        case stop
        /// SIGHUP: the settings, certificates and keys are to be read anew.
        case reload
        /// SIGUSR2: another process is to take over.
        case restart
        /// Another process has taken over, or could not.
        case relieved(Bool)
    }

    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let sources: [any DispatchSourceSignal]

    /// Takes the signals over from here on.
    init() {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        (self.events, self.continuation) = (events, continuation)
        // A client that is gone must not end the server.
        signal(SIGPIPE, SIG_IGN)
        let isOnTerminal = isatty(STDIN_FILENO) == 1
        sources = [(SIGTERM, Event.stop), (SIGINT, .stop), (SIGHUP, .reload), (SIGUSR2, .restart)].map { number, event in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                // A terminal that was closed sends the same signal, and nobody could stop the server from there any more.
                let isHangUp = number == SIGHUP && isOnTerminal && isatty(STDIN_FILENO) == 0
                continuation.yield(isHangUp ? .stop : event)
                // From now on the signal does what it does to any process.
                if event == .stop { signal(number, SIG_DFL) }
            }
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// Adds an event that is no signal, from wherever it happens.
    var add: @Sendable (Event) -> Void {
        let continuation = continuation
        return { continuation.yield($0) }
    }
}
#endif
