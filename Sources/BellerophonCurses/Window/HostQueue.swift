import TerminalUI

/// An event for a host with its own key loop.
public enum HostEvent: Equatable, Sendable {
    /// A key for the app, or `.resize` when it must lay out its screen again.
    case key(Key)
    /// The timeout has elapsed. While the overlay is shown, it occurs only if the host has asked for it.
    case timeout
    /// The person quit from the overlay, or the terminal is gone; the app should leave its loop.
    case quit
}

/// The keys that wait for the host's loop. A pure value.
struct HostQueue: Equatable, Sendable {
    /// How many keys may wait. More come only with a read that has begun before.
    static let room = 1024

    /// Whether the host asks for its keys.
    var isUsed = false
    /// Whether the host is told to leave.
    var hasQuit = false
    /// Whether the terminal is gone.
    private(set) var inputHasEnded = false
    private var keys: [Key] = []
    /// Whether the screen has a new size. Several changes before the host's next request are reported once.
    var needsLayout = false

    /// What a host does next.
    enum Step: Equatable, Sendable {
        case event(HostEvent)
        /// The host waits for a time; nil waits without limit.
        case wait(Duration?)
    }

    /// Whether keys should be read for the host. A slow host would otherwise collect everything that is pasted.
    var takesKeys: Bool { isUsed && !inputHasEnded && keys.count < Self.room }

    mutating func append(_ key: Key) { keys.append(key) }

    /// Records the end of the input: no key will come any more, and the host is told to leave.
    mutating func endInput() {
        inputHasEnded = true
        hasQuit = true
    }

    /// The next event for the host; nil if it must wait.
    /// - Parameter isCovered: while true, the host gets only ``HostEvent/quit``, so that it does not draw over the
    ///   overlay.
    mutating func next(isCovered: Bool) -> HostEvent? {
        if hasQuit { return .quit }
        if isCovered { return nil }
        if needsLayout {
            needsLayout = false
            return .key(.resize)
        }
        return keys.isEmpty ? nil : .key(keys.removeFirst())
    }

    /// The next event for a host that waits for a limited time, or how long it still waits.
    /// - Parameters:
    ///   - end: when the wait ends; nil is without limit.
    ///   - whileCovered: whether the limit also holds while a view covers the host.
    mutating func step(
        isCovered: Bool, until end: ContinuousClock.Instant?, whileCovered: Bool = false, at now: ContinuousClock.Instant
    ) -> Step {
        if let event = next(isCovered: isCovered) { return .event(event) }
        guard let end, whileCovered || !isCovered else { return .wait(nil) }
        return now < end ? .wait(now.duration(to: end)) : .event(.timeout)
    }
}
