/// Decides which processes are stopped in a pause, and when all of them are held. A value without system calls.
///
/// The list of processes is read again until nothing changes, because processes start others and end while it is read. Each
/// reading is one pass.
///
/// - A process is stopped after its parent. A shell that runs while its job stops would report the job as stopped, and the
///   kernel hangs up a stopped process group whose last parent ends. After a time all are stopped at once, because a chain of
///   processes that start each other would otherwise be followed without an end.
/// - A process that was stopped when it was first seen stays stopped after the pause, unless somebody has continued it
///   meanwhile. A stop signal that a person sends to a process that is already stopped by the pause is not noticed.
/// - A process that a debugger has stopped is held without a signal.
/// - A process in an uninterruptible call counts as held while it waits for a child that shares its memory (vfork) and is
///   itself stopped.
/// - When all are stopped at once, their process groups are stopped first. The kernel lets a fork in such a group fail until the
///   signal has acted, so a chain of processes that start the next one and end is stopped too.
/// - Two passes in a row must find every process held, none that is new or has ended, and no sign that the monitor has reaped one
///   in between. Then no process can have started another one meanwhile.
struct ProcessHold: Equatable {
    /// The processes of a control group, which one write freezes.
    struct Group: Equatable {
        /// The processes in it; without a group there are none.
        var members: Set<Int32> = []
        /// Whether it was frozen before the list of processes was read.
        var isFrozen = true
        /// Whether the group is used for the pause.
        var isUsed = false

        static let none = Group()
    }

    enum Order: Equatable { case parentsFirst, allAtOnce }

    /// Whether nothing is left to do: all is held, or can't be held.
    private(set) var isSettled = false
    /// The processes that run although they should not. While `isLate` is false, only those that may not be signalled.
    private(set) var unheld: [TreeProcess] = []
    private var known: Set<TreeProcess.Identity> = []
    /// Those that got the stop signal in this pause.
    private var stopped: Set<TreeProcess.Identity> = []
    /// Those that were stopped when they were first seen, and not by this pause.
    private var stoppedBefore: Set<TreeProcess.Identity> = []
    /// Those that may not be signalled.
    private var refused: Set<TreeProcess.Identity> = []
    /// The process groups that got the stop signal.
    private var stoppedGroups: Set<Int32> = []
    private var reaped: UInt64?
    private var quietPasses = 0

    /// Takes the present facts, and returns the processes to stop now, parents before their children.
    /// - Parameters:
    ///   - processes: the descendants, parents before their children.
    ///   - reaped: a number that changes when the monitor reaps a process.
    ///   - isFresh: whether the processes were listed again, and not only those looked at that were stopped in the last pass.
    ///   - isLate: whether processes that do not stop are given up for now and reported.
    mutating func pass(
        _ processes: [TreeProcess], reaped: UInt64 = 0, isFresh: Bool = true, group: Group = .none, order: Order = .parentsFirst,
        isLate: Bool = false
    ) -> [TreeProcess] {
        let family = Dictionary(processes.map { ($0.pid, $0) }, uniquingKeysWith: { first, _ in first })
        let forking = Self.waitingForChild(processes, family)
        var toStop: [TreeProcess] = []
        var isQuiet = isFresh && (group.isFrozen || isLate) && reaped == (self.reaped ?? reaped)
        self.reaped = reaped
        unheld = []
        let outsiders = processes.filter { !group.members.contains($0.pid) }
        for process in outsiders {
            if record(process) { isQuiet = false }
            if process.state.isHeld || forking.contains(process.pid) { continue }
            if refused.contains(process.identity) || isLate && stopped.contains(process.identity) { unheld.append(process) }
            if refused.contains(process.identity) { continue }
            if !(isLate && process.state == .uninterruptible) { isQuiet = false }
            if order == .parentsFirst, let parent = family[process.parent], runs(parent, group) { continue }
            toStop.append(process)
        }
        // An uninterruptible call keeps a group from being frozen.
        if isLate, !group.isFrozen {
            unheld += processes.filter { $0.state == .uninterruptible && group.members.contains($0.pid) }
        }
        quietPasses = isQuiet ? quietPasses + 1 : 0
        // If everything is in a group that was frozen before the list was read, nothing new can start, and one pass is enough.
        let isWholeInGroup = group.isUsed && group.isFrozen && outsiders.allSatisfy { $0.state == .ended }
        isSettled = quietPasses >= 2 || isFresh && isWholeInGroup
        return toStop
    }

    /// Returns whether a process is new.
    private mutating func record(_ process: TreeProcess) -> Bool {
        guard known.insert(process.identity).inserted else { return false }
        guard process.state == .stopped else { return true }
        // One that was started after its group got the stop signal has stopped with it.
        if stoppedGroups.contains(process.group) {
            stopped.insert(process.identity)
        } else {
            stoppedBefore.insert(process.identity)
        }
        return true
    }

    /// Notes that a process group got the stop signal.
    mutating func didStop(group: Int32) { stoppedGroups.insert(group) }

    /// Notes that a process got the stop signal.
    mutating func didStop(_ process: TreeProcess) { stopped.insert(process.identity) }

    /// Notes that the stop signal was refused.
    mutating func wasRefused(_ process: TreeProcess) {
        refused.insert(process.identity)
        unheld.append(process)
    }

    /// Whether a process or a process group got the stop signal in this pause.
    var hasStopped: Bool { !stopped.isEmpty || !stoppedGroups.isEmpty }

    /// Ends the pause, and returns the processes to continue, children before their parents.
    ///
    /// The pause may still be under way. A process that has stopped with its group was then perhaps not looked at since, and one whose
    /// parent ends just now is perhaps missing in the list.
    mutating func resume(_ processes: [TreeProcess]) -> [TreeProcess.Identity] {
        defer { self = ProcessHold() }
        for process in processes { _ = record(process) }
        let listed = processes.reversed().filter { $0.state != .ended && isOwnStop(of: $0) }.map(\.identity)
        return stopped.subtracting(processes.map(\.identity)) + listed
    }

    /// Whether this pause has stopped a process: itself, or with its group.
    private func isOwnStop(of process: TreeProcess) -> Bool {
        if stopped.contains(process.identity) { return true }
        return stoppedGroups.contains(process.group) && !stoppedBefore.contains(process.identity)
    }

    /// Whether a process could notice that its child stops.
    private func runs(_ process: TreeProcess, _ group: Group) -> Bool {
        if group.members.contains(process.pid) { return !group.isFrozen }
        return !process.state.isHeld && !refused.contains(process.identity)
    }

    /// The processes that wait in vfork(2) for a stopped child. The child has the name of its parent until it runs a program.
    private static func waitingForChild(_ processes: [TreeProcess], _ family: [Int32: TreeProcess]) -> Set<Int32> {
        var waiting: Set<Int32> = []
        for child in processes where child.state == .stopped {
            guard let parent = family[child.parent], parent.state == .uninterruptible, parent.name == child.name else { continue }
            waiting.insert(parent.pid)
        }
        return waiting
    }
}
