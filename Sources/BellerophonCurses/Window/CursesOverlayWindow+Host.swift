import Foundation
public import TerminalUI

extension CursesOverlayWindow {
    /// Waits for the app's next key. Replaces `getch` in a host.
    ///
    /// Timers and status replies are handled meanwhile. Unlike `getch` it does not refresh the app's screen, so call
    /// `refresh()` first. While the overlay is shown it takes all keys, and this method does not return.
    /// - Returns: nil if the person quit from the overlay or the terminal is gone; the app should leave its loop.
    public func nextKey() -> Key? {
        while true {
            switch nextEvent() {
            case .key(let key): return key
            case .quit: return nil
            case .timeout: continue
            }
        }
    }

    /// Waits for the app's next key for a limited time.
    ///
    /// Call it from top-level code on the main thread: inside a main-queue block or an `async` main, timers would not
    /// fire. Use ``events`` there.
    /// - Parameter timeout: the longest wait while the overlay is not shown; nil waits without limit.
    public func nextEvent(timeout: Duration? = nil) -> HostEvent {
        host.use()
        session?.startReading()
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while true {
            let isAway = !showsHost
            if let event = host.next(isCovered: isAway) { return event }
            let remaining = deadline.map { ContinuousClock.now.duration(to: $0) }
            if !isAway, let remaining, remaining <= .zero { return .timeout }
            turn(for: isAway ? nil : remaining)
        }
    }

    /// The app's keys, for a program with an `async` main.
    ///
    /// While the overlay is shown it takes all keys, and the sequence has no events. The last event is
    /// ``HostEvent/quit``, when the person quit from the overlay or the terminal is gone; ``HostEvent/timeout`` does not
    /// occur. The sequence also ends when its task is cancelled. Iterate over one sequence at a time: a second one ends
    /// the first.
    ///
    /// ```swift
    /// for await event in window.events {
    ///     guard case .key(let key) = event else { break }
    ///     app.handle(key)
    ///     app.draw()
    /// }
    /// ```
    public var events: AsyncStream<HostEvent> {
        var hasQuit = false
        return AsyncStream { @MainActor [weak self] in
            guard !hasQuit, let event = await self?.nextHostEvent() else { return nil }
            hasQuit = event == .quit
            return event
        } onCancel: {
            Task { @MainActor [weak self] in self?.endHostEvents() }
        }
    }

    private func nextHostEvent() async -> HostEvent? {
        host.use()
        session?.startReading()
        endHostEvents()
        return await withCheckedContinuation { continuation in
            guard !Task.isCancelled else { return continuation.resume(returning: nil) }
            hostWaiter = continuation
            resumeHost()
        }
    }

    /// Passes the next event to the waiting iterator, if there is one.
    func resumeHost() {
        guard let waiter = hostWaiter, let event = host.next(isCovered: !showsHost) else { return }
        hostWaiter = nil
        waiter.resume(returning: event)
    }

    private func endHostEvents() {
        hostWaiter?.resume(returning: nil)
        hostWaiter = nil
    }

    private func turn(for wait: Duration?) {
        let until = wait.map { Date(timeIntervalSinceNow: max(0, $0 / .seconds(1))) } ?? .distantFuture
        _ = RunLoop.main.run(mode: .default, before: until)
    }

    /// Handles a key of a host's screen: passes it to the overlay, otherwise queues it for the host.
    func take(_ key: Key) {
        guard !handle(key) else { return }
        host.append(key)
        resumeHost()
    }

    /// Handles the end of the input of a host's screen.
    func inputEnded() {
        if let onQuit { onQuit() }
        host.quit()
        resumeHost()
    }
}
