public import Foundation

/// The contents of a status. Conform the app's own model to it, or use the ready-made ``StatusReply``.
///
/// The manager calls every method once, when the status arrives, on the thread that called the completion.
public protocol BellerophonObservable {
    /// Whether the service is stopped and the kill view is shown.
    func apiInactive() -> Bool

    /// Whether this version must be updated and the update view is shown. Takes precedence over ``apiInactive()``.
    func forceUpdate() -> Bool

    /// Seconds until the next check.
    ///
    /// Any value is safe: the manager clamps it to its ``PollPolicy`` and reports the clamp.
    func retryInterval() -> TimeInterval

    /// The message for the user; empty for none. It is sanitized before it is drawn.
    func userMessage() -> String

    /// Lets the app set a message in its model. The default implementation does nothing.
    func setUserMessage(_ message: String)
}

extension BellerophonObservable {
    /// Does nothing.
    public func setUserMessage(_ message: String) {}
}
