import TerminalUI

/// What happened in a host with a key loop of its own: the next thing that it gets.
public enum HostEvent: Equatable, Sendable {
    /// A key for the app, or `.resize` when it must lay itself out anew.
    case key(Key)
    /// The time is up. Never returned while the overlay stands.
    case timeout
    /// The person quit from the overlay, or the terminal is gone: leave the loop.
    case quit
}

/// Keys for the app that wait for its loop. Pure.
struct HostQueue: Equatable, Sendable {
    private(set) var isUsed = false
    private(set) var hasQuit = false
    private var keys: [Key] = []
    private var needsLayout = false

    mutating func use() { isUsed = true }
    mutating func quit() { hasQuit = true }
    mutating func append(_ key: Key) { keys.append(key) }

    /// The screen has a new size; several before the host asks are one.
    mutating func resized() { needsLayout = true }

    /// What the host gets now; nil lets it wait.
    /// - Parameter isCovered: while it is, the host gets nothing but the end, so that it can't draw over the overlay.
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
