import Foundation
public import TerminalUI

extension CursesOverlayWindow {
    /// Waits for the app's next key: what a host calls in place of `getch`.
    ///
    /// Timers and status replies are served meanwhile. It draws nothing of the app's, so `refresh()` first; `getch` did
    /// that by itself. While the overlay stands it takes all keys, and this does not return.
    /// - Returns: nil when the person quit from the overlay or the terminal is gone: leave the loop.
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
    /// Call it from top-level main-thread code: inside a main-queue block or an `async` main the timers would stand still.
    /// There, use ``events``.
    /// - Parameter timeout: the longest wait, as long as the overlay does not stand; nil waits for ever.
    public func nextEvent(timeout: Duration? = nil) -> HostEvent {
        host.use()
        session?.startReading()
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while true {
            let isAway = isPresented || isTerminalLent
            if let event = host.next(isCovered: isAway) { return event }
            let remaining = deadline.map { ContinuousClock.now.duration(to: $0) }
            if !isAway, let remaining, remaining <= .zero { return .timeout }
            turn(for: isAway ? nil : remaining)
        }
    }

    /// The app's keys, for a program with an `async` main.
    ///
    /// While the overlay stands it takes all keys, and no event comes. The last event is ``HostEvent/quit``, when the person
    /// quit from the overlay or the terminal is gone; ``HostEvent/timeout`` never comes. The sequence also ends when its task
    /// is cancelled. Iterate over one sequence at a time: a second one ends the first.
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

    /// Hands the next event to the iterator that waits, if there is one.
    func resumeHost() {
        guard let waiter = hostWaiter, let event = host.next(isCovered: isPresented || isTerminalLent) else { return }
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

    /// A key of a host's screen: the overlay's, or the host's to fetch.
    func take(_ key: Key) {
        guard !handle(key) else { return }
        host.append(key)
        resumeHost()
    }

    /// The input of a host's screen is at its end.
    func inputEnded() {
        if let onQuit { onQuit() }
        host.quit()
        resumeHost()
    }
}
