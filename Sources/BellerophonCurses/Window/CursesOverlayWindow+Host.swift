import Foundation
public import TerminalUI

extension CursesOverlayWindow {
    /// Waits for the app's next key. Replaces `getch` in a host.
    ///
    /// Timers and status replies are handled meanwhile. Unlike `getch` it does not refresh the app's screen, so call
    /// `refresh()` first. While the overlay is shown it takes all keys, and this method does not return. Keys come from the
    /// terminal, also while standard input is a file or a pipe.
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
    /// Each call first serves what is due in the main run loop: timers, sources and blocks of the main queue, and so the status
    /// checks. That is also true if a key is waiting, and with a timeout of zero.
    ///
    /// A program that serves sockets or other work of its own sets `whileCovered`. Under the overlay it gets
    /// ``HostEvent/timeout`` and no keys; it may draw at that time, and nothing of it is seen.
    /// ```swift
    /// loop: while true {
    ///     switch window.nextEvent(timeout: .milliseconds(50), whileCovered: true) {
    ///     case .key(let key): app.handle(key)
    ///     case .timeout: app.serveSockets()
    ///     case .quit: break loop
    ///     }
    ///     app.draw()
    /// }
    /// ```
    /// Call it from top-level code on the main thread: inside a main-queue block or an `async` main, timers would not
    /// fire. Use ``events`` there.
    /// - Parameters:
    ///   - timeout: the longest wait while the overlay is not shown; nil waits without limit.
    ///   - whileCovered: whether the timeout also ends the wait while the overlay is shown or the update command runs.
    public func nextEvent(timeout: Duration? = nil, whileCovered: Bool = false) -> HostEvent {
        host.isUsed = true
        waitsInLoop = true
        readKeys()
        let end = timeout.map { ContinuousClock.now.advanced(by: $0) }
        session?.restoreHostNotice()
        serveRunLoop()
        while true {
            // Without a terminal no key will ever come.
            guard session != nil else { return .quit }
            switch host.step(isCovered: !showsHost, until: end, whileCovered: whileCovered, at: .now) {
            case .event(let event): return event
            case .wait(let rest):
                turn(for: rest)
                // A timer of the host may have drawn.
                session?.restoreHostNotice()
            }
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
        host.isUsed = true
        session?.restoreHostNotice()
        readKeys()
        endHostEvents()
        guard session != nil else { return .quit }
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

    /// Serves what is due, without waiting. One pass of the run loop serves a timer, the main queue or a source.
    private func serveRunLoop() {
        for _ in 0..<3 { turn(for: .zero) }
    }

    /// Reads keys while the host has room for them. The rest stays in the terminal.
    private func readKeys() {
        guard let session, session.wantsKeys != host.takesKeys else { return }
        session.wantsKeys = host.takesKeys
        session.watchInput()
    }

    /// Handles a key of a host's screen: passes it to the overlay, otherwise queues it for the host.
    func handleOrQueue(_ key: Key) {
        guard !handle(key) else { return }
        host.append(key)
        resumeHost()
        if host.isUsed { readKeys() }
    }

    /// Handles the end of the input of a host's screen.
    func inputEnded() {
        guard !host.inputHasEnded else { return }
        host.endInput()
        if let onQuit {
            onQuit()
        } else if !host.isUsed {
            // A host that reads keys by itself does not see the end under a view.
            session?.die(by: SIGHUP)
        }
        resumeHost()
    }
}
