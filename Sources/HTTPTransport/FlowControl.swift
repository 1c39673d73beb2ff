import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Holds a transport back until what it delivered has been taken.
///
/// Foundation on Linux queues every piece of a body for the delegate, without bound. With this a transport delivers one
/// piece at a time, keeps a bounded rest, and then stops reading from the network.
final class FlowControl: Sendable {
    private struct State: Sendable {
        var isTaken = true
        var onTaken: (@Sendable () -> Void)?
        var lastSent: DispatchTime?
    }

    private let state = Mutex(State())

    /// Whether the last piece has been taken, so that the next may be delivered.
    var isTaken: Bool { state.withLock { $0.isTaken } }

    /// Notes that a piece is on its way to the delegate.
    func delivered() {
        state.withLock { $0.isTaken = false }
    }

    /// Notes that the delegate has taken a piece.
    func taken() {
        let notify = state.withLock { state in
            state.isTaken = true
            return state.onTaken
        }
        notify?()
    }

    /// When the transport last sent bytes of the request's body; nil before.
    var lastSent: DispatchTime? { state.withLock { $0.lastSent } }

    /// Notes that bytes of the request's body go out.
    func sent() {
        state.withLock { $0.lastSent = .now() }
    }

    /// Sets who is told, on any thread, when a piece has been taken.
    func onTaken(_ notify: @escaping @Sendable () -> Void) {
        state.withLock { $0.onTaken = notify }
    }
}

/// A task's delegate, as the transport of the task sees it.
protocol TransferOwner: URLSessionDataDelegate {
    /// Says when the delegate has taken what was delivered.
    var flow: FlowControl { get }
    /// A file that is sent as the request's body.
    var upload: URL? { get }
}
