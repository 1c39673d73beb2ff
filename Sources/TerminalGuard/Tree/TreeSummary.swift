import Foundation

/// What is known of everything that a guarded program has started.
package struct TreeSummary: Codable, Equatable, Sendable {
    /// The number of living processes; nil if it is not known.
    package var processes: Int?
    /// What holds them.
    package var holding = ProgramTree.Mechanism.processGroup
    /// The processes that run although all are paused or killed, as `NAME (PID)`.
    package var notHeld: [String] = []
}

extension TreeSummary {
    /// Counts the tree of a program from another thread than that which holds it.
    /// - Parameter notHeld: what the last pause has not held.
    init(_ system: LinuxTreeSystem, groupPath: String?, notHeld: [String]) {
        self.init(notHeld: notHeld)
        guard let found = try? system.descendants() else { return }
        processes = found.count { $0.state != .ended }
        holding = groupPath.map(ControlGroup.hasMembers) ?? false ? .controlGroup : .processes
    }
}

extension ProgramTree {
    /// What holds a program whose guard is started by this process.
    package static var usualMechanism: Mechanism {
        guard let group = ControlGroup.make() else { return ProgramTree(monitor: getpid()).mechanism }
        group.remove()
        return .controlGroup
    }
}

extension ProgramTree.Mechanism {
    /// What it is, as a part of a sentence: "held by TEXT".
    package var text: String {
        switch self {
        case .controlGroup: "a control group"
        case .processes: "signals to each process"
        case .processGroup: "a signal to the process group"
        }
    }
}
