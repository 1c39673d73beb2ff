import Foundation

/// What is known of everything that a covered program has started.
package struct ProgramTreeFacts: Equatable, Sendable {
    /// The number of living processes, with the program itself.
    package var processes: Int
    /// What stops and ends all of them, as a part of a sentence: "a control group".
    package var means: String
    /// Since when all of them are stopped; nil if they are not.
    package var pausedSince: Date?
    /// The processes that run although they should be stopped or ended, as `NAME (PID)`.
    package var notHeld: [String]

    package init(processes: Int, means: String, pausedSince: Date? = nil, notHeld: [String] = []) {
        self.processes = processes
        self.means = means
        self.pausedSince = pausedSince
        self.notHeld = notHeld
    }
}
