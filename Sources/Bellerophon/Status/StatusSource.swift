public import Foundation
import StatusModel

/// Supplies the status, for example from a server.
public protocol StatusSource: Sendable {
    /// Starts one check. The source calls the completion exactly once, on any thread.
    /// - Returns: a handle that cancels the check.
    func fetchStatus(_ completion: @escaping @Sendable (Result<StatusReply, StatusError>) -> Void) -> StatusCheck

    /// The source for display: `demo.local/status`.
    var name: String { get }
    /// The host of the source, as the sender of messages: `demo.local`.
    var host: String { get }

    /// A stream of the changes of this status, requested with the same settings.
    /// - Parameter url: the address that a reply named; nil for the default address.
    /// - Returns: nil if the source has no stream, which is the default.
    func stream(at url: URL?) -> (any StatusStream)?

    /// Verifies the statuses of this source. Nil, the default, accepts every status.
    var verifier: (any StatusVerifier)? { get }

    /// The transport security of the source. Nil, the default, means that it uses no network.
    var security: TransportSecurity? { get }
}

extension StatusSource {
    /// Returns nil: no stream.
    public func stream(at url: URL?) -> (any StatusStream)? { nil }
    /// Nil: accepts every status.
    public var verifier: (any StatusVerifier)? { nil }
    /// Nil: no network.
    public var security: TransportSecurity? { nil }
}

/// A handle for a check in progress.
public struct StatusCheck: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Creates a handle.
    /// - Parameter onCancel: cancels the check; may be called on any thread.
    public init(onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = onCancel
    }

    /// Ends the check early. Its completion is still called, with an error.
    public func cancel() {
        onCancel()
    }
}
