import Dispatch
import Foundation

/// The external events of a server, in their order.
final class ServerSignals {
    enum Event: Equatable {
        /// SIGTERM or SIGINT. A second one terminates the process immediately.
        case stop
        /// SIGHUP: reload the settings, certificates and keys.
        case reload
        /// SIGUSR2: hand over to another process.
        case restart
        /// A handover has ended; true if it succeeded.
        case relieved(Bool)
        /// The last connection of a process that was relieved has ended.
        case ended
    }

    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let sources: [any DispatchSourceSignal]

    /// Handles the signals from now on.
    init() {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        (self.events, self.continuation) = (events, continuation)
        // Writing to a client that has disconnected must not end the server.
        signal(SIGPIPE, SIG_IGN)
        let isOnTerminal = isatty(STDIN_FILENO) == 1
        sources = [(SIGTERM, Event.stop), (SIGINT, .stop), (SIGHUP, .reload), (SIGUSR2, .restart)].map { number, event in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                // A closed terminal sends SIGHUP too, and nobody could stop the server from there afterwards.
                let isHangUp = number == SIGHUP && isOnTerminal && isatty(STDIN_FILENO) == 0
                continuation.yield(isHangUp ? .stop : event)
                // From now on both signals have their default effect.
                if event == .stop { for number in [SIGTERM, SIGINT] { signal(number, SIG_DFL) } }
            }
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// Adds an event that is not a signal. It may be called from any thread.
    var add: @Sendable (Event) -> Void {
        let continuation = continuation
        return { continuation.yield($0) }
    }
}
