import Foundation
import TerminalIO

// What is due, and when poll(2) returns at the latest.
extension RelayLoop {
    /// How often a guard in the background looks whether it has come to the foreground.
    static let foregroundTime = Duration.milliseconds(250)
    /// How long the end of output is waited for again while the terminal is too slow to read on.
    static let drainTime = Duration.milliseconds(200)

    /// The milliseconds until the next timer, rounded up; -1 without a timer.
    var timeout: Int32 {
        let now = ContinuousClock.now
        // A shell that brings a running job to the foreground tells it nothing.
        let look = machine.screen == .away ? now + Self.foregroundTime : nil
        guard let next = [timers.values.min(), tree.next, look].compactMap(\.self).min() else { return -1 }
        return next > now ? Int32(min((next - now) / .milliseconds(1), 1e9)) + 1 : 0
    }

    mutating func fireTimers(dueAt instant: ContinuousClock.Instant) {
        while let timer = timers.removeNext(dueAt: instant) {
            if timer == .drain, isBehindTheEnd, isStuckForGood(at: instant) {
                hasGivenUpTerminal = true
            } else if timer == .drain, isBehindTheEnd {
                // The next read tells anew.
                hasMoreOutput = false
                timers[.drain] = instant + Self.drainTime
                continue
            }
            handle(.timer(timer))
        }
    }

    /// Whether output that the program wrote before its end may be unread, because the terminal is too slow. It is no more than
    /// the kernel holds; what comes later is of another process.
    var isBehindTheEnd: Bool {
        readAfterEnd < OutputPacer.kernelQueue && (hasMoreOutput || !toTerminal.isEmpty)
    }

    /// Whether a signal wants the guard to end, and the terminal has taken nothing for so long since the program's end that the rest of
    /// the output is given up. Without a signal the guard waits for the terminal.
    func isStuckForGood(at now: ContinuousClock.Instant) -> Bool {
        guard isAskedToEnd, let stuckSince, let endedAt else { return false }
        return now - max(stuckSince, endedAt) >= patience
    }
}
