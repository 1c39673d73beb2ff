import Foundation

/// What is known of everything that a guarded program has started.
package struct TreeSummary: Codable, Equatable, Sendable {
    /// The number of living processes; nil if it is not known.
    package var processes: Int?
    /// What holds them.
    package var holding: ProgramTree.Mechanism
    /// The processes that run although all are paused or killed, as `NAME (PID)`.
    package var notHeld: [String]

    package init(processes: Int? = nil, holding: ProgramTree.Mechanism = .processGroup, notHeld: [String] = []) {
        (self.processes, self.holding, self.notHeld) = (processes, holding, notHeld)
    }
}

/// Counts the tree of a program from another thread than that which holds it.
struct TreeCounter {
    private let system: LinuxTreeSystem
    private let groupPath: String?

    init(monitor: Int32, groupPath: String?) {
        system = LinuxTreeSystem(monitor: monitor)
        self.groupPath = groupPath
    }

    /// - Parameter notHeld: what the last pause has not held.
    func count(notHeld: [String]) -> TreeSummary {
        guard let processes = try? system.descendants() else { return TreeSummary(notHeld: notHeld) }
        let isGrouped = groupPath.map { ControlGroup.hasMembers($0) } ?? false
        return TreeSummary(
            processes: processes.count { $0.state != .ended }, holding: isGrouped ? .controlGroup : .processes, notHeld: notHeld)
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
