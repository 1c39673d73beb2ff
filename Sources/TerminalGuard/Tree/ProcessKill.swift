import Foundation

/// Decides which processes get which signal until none is left. A value without system calls.
///
/// First all are stopped, so that processes that start others can't do so faster than they are found. When a pass finds none
/// that is new, or when it lasts too long, all are killed, until two passes in a row find none that lives, and no sign that the
/// monitor has reaped one in between. The monitor reaps the last processes too, so a few passes more are made after their end.
struct ProcessKill: Equatable {
    /// All processes that were found alive, in the order in which they were found.
    private(set) var killed: [TreeProcess] = []
    private var noted: Set<TreeProcess.Identity> = []
    private var stopped: Set<TreeProcess.Identity> = []
    private var isKilling = false
    private var reaped: UInt64?
    private var emptyPasses = 0

    /// Whether none was left in the last two passes.
    var isSettled: Bool { emptyPasses >= 2 }

    /// Notes the processes that are about to be killed.
    mutating func record(_ processes: [TreeProcess]) {
        killed += processes.filter { $0.state != .ended && noted.insert($0.identity).inserted }
    }

    /// Takes the present facts, and returns what to send.
    /// - Parameters:
    ///   - reaped: a number that changes when the monitor reaps a process.
    ///   - mayStop: whether there is time to stop processes before they are killed.
    mutating func pass(_ processes: [TreeProcess], reaped: UInt64, mayStop: Bool) -> (signal: Int32, processes: [TreeProcess]) {
        let living = processes.filter { $0.state != .ended }
        record(living)
        let new = living.filter { stopped.insert($0.identity).inserted }
        emptyPasses = living.isEmpty && reaped == (self.reaped ?? reaped) ? emptyPasses + 1 : 0
        self.reaped = reaped
        if !isKilling, mayStop, !new.isEmpty { return (SIGSTOP, new) }
        isKilling = true
        return (SIGKILL, living)
    }
}
