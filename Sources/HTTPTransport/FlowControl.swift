import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Delays a transport until its last delivery has been taken.
///
/// Foundation on Linux queues every piece of a body for the delegate without a limit. With this class a transport delivers
/// one piece at a time, buffers a limited number of bytes, and then stops reading from the network.
final class FlowControl: Sendable {
    private struct State: Sendable {
        var isTaken = true
        var onTaken: (@Sendable () -> Void)?
        var lastSent: DispatchTime?
        var isGivenUp = false
    }

    private let state = Mutex(State())

    /// Whether the last piece has been taken and the next one may be delivered.
    var isTaken: Bool { state.withLock { $0.isTaken } }

    /// Records that a piece was sent to the delegate.
    func delivered() {
        state.withLock { $0.isTaken = false }
    }

    /// Records that the delegate has taken a piece.
    func taken() {
        let notify = state.withLock { state in
            state.isTaken = true
            return state.onTaken
        }
        notify?()
    }

    /// When the transport last sent bytes of the request's body; nil before the first.
    var lastSent: DispatchTime? { state.withLock { $0.lastSent } }

    /// Records that bytes of the request's body are sent.
    func sent() {
        state.withLock { $0.lastSent = .now() }
    }

    /// Whether the exchange has ended without a reply: by its limits, or because its caller waits no longer.
    var isGivenUp: Bool { state.withLock { $0.isGivenUp } }

    /// Records that the exchange ends without a reply. The transport then trusts no connection on the same path.
    func giveUp() {
        state.withLock { $0.isGivenUp = true }
    }

    /// Sets the closure that is called, on any thread, when a piece has been taken.
    func onTaken(_ notify: @escaping @Sendable () -> Void) {
        state.withLock { $0.onTaken = notify }
    }
}

/// The interface of a task's delegate for the transport.
protocol TransferOwner: URLSessionDataDelegate {
    /// Reports when the delegate has taken a delivery.
    var flow: FlowControl { get }
    /// The file that is sent as the request's body; nil if there is none.
    var upload: URL? { get }
}
