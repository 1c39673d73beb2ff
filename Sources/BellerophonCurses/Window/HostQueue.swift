import TerminalUI

/// An event for a host with its own key loop.
public enum HostEvent: Equatable, Sendable {
    /// A key for the app, or `.resize` when it must lay out its screen again.
    case key(Key)
    /// The timeout has elapsed. Does not occur while the overlay is shown.
    case timeout
    /// The person quit from the overlay, or the terminal is gone; the app should leave its loop.
    case quit
}

/// The keys that wait for the host's loop. A pure value.
struct HostQueue: Equatable, Sendable {
    private(set) var isUsed = false
    private(set) var hasQuit = false
    private var keys: [Key] = []
    private var needsLayout = false

    mutating func use() { isUsed = true }
    mutating func quit() { hasQuit = true }
    mutating func append(_ key: Key) { keys.append(key) }

    /// Records a new screen size. Several changes before the host's next request are reported once.
    mutating func resized() { needsLayout = true }

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
}
