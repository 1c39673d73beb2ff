import Foundation
import TestSupport

@testable import TerminalGuard
@testable import TerminalIO

/// Processes without an operating system: they stop some steps after the signal, start others and end. Time passes only with
/// `step`.
final class FakeTreeSystem: TreeSystem {
    struct Process {
        var facts: TreeProcess
        /// The steps until a stop signal acts; nil without one.
        var stopsIn: Int?
        /// The chance of a new child in a step, in percent.
        var forks = 0
        /// Whether it ends after it has started a child.
        var endsAfterFork = false
        var isForeign = false
    }

    static let monitor: Int32 = 10
    private(set) var processes: [Int32: Process] = [:]
    private(set) var now = ContinuousClock.now
    var chance = 1.0
    private(set) var reaped: UInt64 = 0
    private(set) var log: [String] = []
    /// How many steps a process takes to stop.
    var stopSteps = 0
    var isListable = true
    private var nextPid: Int32 = 100
    private var random: SplitMix64

    init(seed: UInt64 = 1) { random = SplitMix64(seed: seed) }

    // MARK: The world

    @discardableResult
    func add(
        under parent: Int32 = monitor, _ name: String = "program", state: TreeProcess.State = .running, group: Int32? = nil,
        forks: Int = 0, endsAfterFork: Bool = false, isForeign: Bool = false
    ) -> Int32 {
        nextPid += 1
        let facts = TreeProcess(
            identity: .init(pid: nextPid, start: UInt64(nextPid)), parent: parent, group: group ?? nextPid, state: state,
            name: name)
        processes[nextPid] = Process(
            facts: facts, forks: forks, endsAfterFork: endsAfterFork, isForeign: isForeign)
        return nextPid
    }

    func state(_ pid: Int32) -> TreeProcess.State? { processes[pid]?.facts.state }

    func set(_ state: TreeProcess.State, of pid: Int32) { processes[pid]?.facts.state = state }

    /// Ends a process. Its children become those of the monitor, which reaps it at once.
    func end(_ pid: Int32) {
        processes[pid] = nil
        reaped += 1
        for (child, process) in processes where process.facts.parent == pid { processes[child]?.facts.parent = Self.monitor }
    }

    /// Lets every process act once, and time pass.
    func step(_ duration: Duration) {
        now += duration
        for pid in processes.keys.sorted() {
            guard var process = processes[pid] else { continue }
            if let left = process.stopsIn, process.facts.state == .running {
                process.stopsIn = left > 0 ? left - 1 : nil
                if left == 0 { process.facts.state = .stopped }
                processes[pid] = process
            }
            // A process with a pending signal can't fork.
            guard processes[pid]?.facts.state == .running, process.stopsIn == nil else { continue }
            guard Int.random(in: 0..<100, using: &random) < process.forks, processes.count < 3000 else { continue }
            add(
                under: pid, process.facts.name, group: process.facts.group, forks: process.forks,
                endsAfterFork: process.endsAfterFork)
            if process.endsAfterFork { end(pid) }
        }
    }

    // MARK: TreeSystem

    func descendants() throws(SystemError) -> [TreeProcess] {
        guard isListable else { throw SystemError("list processes", code: ENOSYS) }
        var found: [TreeProcess] = []
        var parents: [Int32] = [Self.monitor]
        while !parents.isEmpty {
            let children = processes.values.map(\.facts).filter { parents.contains($0.parent) }.sorted { $0.pid < $1.pid }
            found += children
            parents = children.map(\.pid)
        }
        return found
    }

    func process(_ pid: Int32) -> TreeProcess? { processes[pid]?.facts }

    func yield() {}

    func send(_ signal: Int32, to process: TreeProcess.Identity) -> SignalOutcome {
        guard let found = processes[process.pid], found.facts.identity == process else { return .gone }
        if found.isForeign { return .refused }
        log.append("\(Self.name(signal)) \(process.pid)")
        apply(signal, process.pid)
        return .sent
    }

    func sendToGroup(of process: TreeProcess, _ signal: Int32) -> SignalOutcome {
        let members = processes.values.filter { $0.facts.group == process.group && !$0.isForeign }
        for member in members { apply(signal, member.facts.pid) }
        return members.isEmpty ? .gone : .sent
    }

    private func apply(_ signal: Int32, _ pid: Int32) {
        switch signal {
        case SIGSTOP where processes[pid]?.facts.state == .running:
            if stopSteps == 0 {
                set(.stopped, of: pid)
            } else if processes[pid]?.stopsIn == nil {
                processes[pid]?.stopsIn = stopSteps
            }
        case SIGCONT:
            processes[pid]?.stopsIn = nil
            if state(pid) == .stopped { set(.running, of: pid) }
        case SIGKILL where state(pid) != .uninterruptible: end(pid)
        default: break
        }
    }

    private static func name(_ signal: Int32) -> String {
        [SIGSTOP: "STOP", SIGCONT: "CONT", SIGKILL: "KILL", SIGTERM: "TERM"][signal] ?? "\(signal)"
    }
}

/// A control group of the processes of a fake system.
final class FakeTreeGroup: TreeGroup {
    private let system: FakeTreeSystem
    var pids: Set<Int32> = []
    var canFreeze = true
    var canKill = true
    /// Whether a process keeps the group from being frozen.
    var isDelayed = false
    private(set) var isFreezing = false

    init(_ system: FakeTreeSystem) { self.system = system }

    func freeze() -> Bool {
        isFreezing = canFreeze
        return canFreeze
    }

    func thaw() { isFreezing = false }
    var isFrozen: Bool { isFreezing && !isDelayed }
    func members() -> [Int32] { pids.filter { system.state($0) != nil }.sorted() }

    func kill() -> Bool {
        guard canKill else { return false }
        for pid in members() { system.end(pid) }
        return true
    }

    func remove() -> Bool { members().isEmpty }
    var neighbours = 0
}

extension ProgramTree {
    /// Repeats a step of a pause or a kill until it has settled.
    /// - Parameter wait: lets the time pass that the tree asks for.
    /// - Returns: whether it has settled within a number of steps.
    func drive(
        _ first: Settlement, _ next: (ProgramTree) -> Settlement, limit: Int = 3000, _ wait: (Duration) -> Void
    ) -> Bool {
        var settlement = first
        for _ in 0..<limit {
            guard case .again(let time) = settlement else { return true }
            wait(time)
            settlement = next(self)
        }
        return false
    }
}
