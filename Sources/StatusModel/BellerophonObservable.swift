public import Foundation

/// What a status says. The app's own model conforms to it, or the ready-made ``StatusReply`` is used.
///
/// The manager reads every method once, when the status arrives, on the thread that called the completion.
public protocol BellerophonObservable {
    /// Whether the service is stopped: the kill switch view is to be shown.
    func apiInactive() -> Bool

    /// Whether this version may not go on: the update view is to be shown. Outranks ``apiInactive()``.
    func forceUpdate() -> Bool

    /// Seconds until the status is to be asked for again.
    ///
    /// Any value is safe: the manager clamps it to its ``PollPolicy`` and reports the clamp.
    func retryInterval() -> TimeInterval

    /// The message for the person at the terminal; empty for none. It is sanitised before it is drawn.
    func userMessage() -> String

    /// Lets a model take a message from its owner. Does nothing unless implemented.
    func setUserMessage(_ message: String)
}

extension BellerophonObservable {
    public func setUserMessage(_ message: String) {}
}
