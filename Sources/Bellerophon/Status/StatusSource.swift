public import Foundation
import StatusModel

/// Where a status comes from.
public protocol StatusSource: Sendable {
    /// Starts one check. The completion is called exactly once, on any thread.
    /// - Returns: cancels the check when nobody waits for it any longer.
    func fetchStatus(_ completion: @escaping @Sendable (Result<StatusReply, StatusError>) -> Void) -> StatusCheck

    /// The source as a person reads it: `demo.local/status`.
    var name: String { get }
    /// The host that messages are from: `demo.local`.
    var host: String { get }

    /// A stream of the changes of this status, asked for in the same way.
    /// - Parameter url: as an answer has named it; nil where no answer was asked for. Then it is where it usually is.
    /// - Returns: nil where there can be none, which is the default.
    func stream(at url: URL?) -> (any StatusStream)?

    /// Says which of its statuses may be believed; nil, which is the default, where it takes every one.
    var verifier: (any StatusVerifier)? { get }

    /// Whether others can read and change what it brings; nil, which is the default, where no network is asked.
    var security: TransportSecurity? { get }
}

extension StatusSource {
    public func stream(at url: URL?) -> (any StatusStream)? { nil }
    public var verifier: (any StatusVerifier)? { nil }
    public var security: TransportSecurity? { nil }
}

/// A check under way.
public struct StatusCheck: Sendable {
    private let onCancel: @Sendable () -> Void

    public init(onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = onCancel
    }

    /// Ends the check early; its completion is still called, with an error.
    public func cancel() {
        onCancel()
    }
}
