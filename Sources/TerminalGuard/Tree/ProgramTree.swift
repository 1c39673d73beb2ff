import Foundation
import TerminalIO

/// All processes that a guarded program has started, directly or not. It pauses, continues, signals and kills them.
///
/// The members are the descendants of the monitor, which is their reaper (`PR_SET_CHILD_SUBREAPER`): a process stays a
/// descendant when its parent ends and when it changes its session. With a control group, its processes are members too.
///
/// What is guaranteed, if this process may signal the members:
/// - After `settled`, no member runs until something else continues it. `recheck` stops it again.
/// - A signal reaches only the process that was listed, even if its number belongs to another process by then.
/// - After the kill has settled, no member is left, however fast they start others and whatever signals they ignore.
///
/// Not held are processes that are no descendants, because another program starts them on request: a service manager, a
/// daemon for jobs or containers. Processes of another user can't be signalled, unless this process is root's, but a control
/// group holds them. On a system with `hidepid` they may not even be listed.
///
/// An object is used by one thread. No call waits. One that returns `again` has to be followed by another after that time.
package final class ProgramTree {
    /// What holds the members.
    package enum Mechanism: String, Codable, Sendable {
        /// A control group, and signals for members outside it.
        case controlGroup
        /// Signals to every descendant.
        case processes
        /// The descendants are not known on this system. The calls of a tree do nothing, and only the program's process group
        /// can be signalled.
        case processGroup
    }

    package enum Settlement: Equatable, Sendable {
        case settled
        case again(after: Duration)
    }

    /// How long parents are stopped before their children. Afterwards all are stopped at once.
    static let orderTime = Duration.milliseconds(100)
    /// How long a process may take to stop before it is reported as not held.
    static let stopTime = Duration.seconds(1)
    /// How long processes that are killed are stopped first.
    static let stopBeforeKillTime = Duration.milliseconds(500)
    /// How long one call may go on to stop the children of parents that it has stopped.
    static let passTime = Duration.milliseconds(10)
    private static let levelLimit = 64
    /// How long after the freeze of a control group members outside it are looked for, at the earliest.
    static let lookTime = Duration.milliseconds(20)
    /// How much later it is at the most, for each other guard with a control group beside this one. One publish may pause many
    /// guards, and the look of each reads all processes of the system.
    static let lookTimePerGuard = Duration.milliseconds(100)
    /// How often all members are listed in a pause that has settled.
    static let listTime = Duration.seconds(30)
    /// How many times a signal looks for processes that were started meanwhile.
    static let sendPasses = 8

    /// The processes that run although the tree is paused, after the last pass.
    package private(set) var notHeld: [TreeProcess] = []
    package private(set) var isPaused = false
    private let system: any TreeSystem
    private let group: (any TreeGroup)?
    private var hold = ProcessHold()
    private var death = ProcessKill()
    /// When the present pause or kill began.
    private var begin: ContinuousClock.Instant
    private var lastPass: ContinuousClock.Instant
    /// When members outside the control group are looked for.
    private var lookDue: ContinuousClock.Instant
    private var isGroupUsed = false
    /// What was listed last, for a listing that fails.
    private var listed: [TreeProcess] = []
    private var isListable = true

    /// - Parameters:
    ///   - monitor: the process that starts the program and reaps its descendants.
    ///   - group: the control group that the program enters before it starts; nil if there is none.
    package convenience init(monitor: Int32, group: ControlGroup? = nil) {
        self.init(system: LinuxTreeSystem(monitor: monitor), group: group)
    }

    init(system: any TreeSystem, group: (any TreeGroup)? = nil) {
        self.system = system
        self.group = group
        begin = system.now
        lastPass = begin
        lookDue = begin
        // Reads the facts of all other processes once, so that a pause need not. A group is frozen without them.
        if group == nil { _ = list() }
    }

    /// What holds the members. It is known better after the program has started, because that may fail to enter the group.
    package var mechanism: Mechanism {
        if let group, !group.members().isEmpty { return .controlGroup }
        return isListable ? .processes : .processGroup
    }

    /// The number of living members as far as it is known without a new list.
    package var knownCount: Int {
        let descendants = listed.filter { $0.state != .ended }
        guard let group else { return descendants.count }
        let frozen = Set(group.members())
        return frozen.count + descendants.count { !frozen.contains($0.pid) }
    }

    // MARK: Members

    /// The living members. Those of the control group that are no descendants come last.
    package func members() -> [TreeProcess] {
        let descendants = list()
        guard let group else { return descendants.filter { $0.state != .ended } }
        let known = Set(descendants.map(\.pid))
        let others = group.members().filter { !known.contains($0) }.compactMap(system.process)
        return (descendants + others).filter { $0.state != .ended }
    }

    /// Whether no member lives.
    package var isEmpty: Bool { members().isEmpty }

    private func list() -> [TreeProcess] {
        do {
            listed = try system.descendants()
            isListable = true
        } catch {
            isListable = false
            listed = listed.compactMap { system.process($0.pid) }
        }
        return listed
    }

    // MARK: Pause

    /// Starts to stop all members. With a control group, they are frozen, and a later call looks for members outside it: that
    /// takes time on a system with many processes, which other guards may need to freeze theirs.
    package func pause() -> Settlement {
        if !isPaused { hold = ProcessHold() }
        isPaused = true
        begin = system.now
        isGroupUsed = group?.freeze() ?? false
        guard isGroupUsed, let group else { return settle() }
        lookDue = begin + Self.lookTime + Self.lookTimePerGuard * (Double(group.neighbours) * system.chance)
        return .again(after: group.isFrozen ? system.now.duration(to: lookDue) : .milliseconds(1))
    }

    /// Continues a pause that has not settled.
    package func settle() -> Settlement {
        guard isPaused else { return .settled }
        let start = system.now
        let age = begin.duration(to: start)
        // The group is asked first: what is listed after it was frozen is complete.
        let group = groupForHold()
        if group.isUsed, !group.isFrozen, age < Self.orderTime { return .again(after: .milliseconds(1)) }
        if group.isUsed, group.isFrozen, start < lookDue { return .again(after: start.duration(to: lookDue)) }
        lastPass = start
        let reaped = system.reaped
        let order: ProcessHold.Order = age < Self.orderTime ? .parentsFirst : .allAtOnce
        let isLate = age >= Self.stopTime
        var processes = list()
        var toStop = hold.pass(processes, reaped: reaped, group: group, order: order, isLate: isLate)
        stop(toStop, order)
        // A parent usually stops at once. Then its children follow without another list.
        for _ in 0..<Self.levelLimit where !toStop.isEmpty && order == .parentsFirst {
            guard start.duration(to: system.now) < Self.passTime else { break }
            system.yield()
            refresh(toStop, in: &processes)
            toStop = hold.pass(processes, reaped: reaped, isFresh: false, group: group, order: order, isLate: isLate)
            stop(toStop, order)
        }
        notHeld = hold.unheld
        return hold.isSettled ? .settled : .again(after: wait(age, since: start))
    }

    /// Reads the states of some of the processes again.
    private func refresh(_ some: [TreeProcess], in processes: inout [TreeProcess]) {
        let pids = Set(some.map(\.pid))
        for index in processes.indices where pids.contains(processes[index].pid) {
            let now = system.process(processes[index].pid)
            processes[index].state = now?.identity == processes[index].identity ? now?.state ?? .ended : .ended
        }
    }

    private func stop(_ processes: [TreeProcess], _ order: ProcessHold.Order) {
        if order == .allAtOnce { sendToGroups(of: processes, SIGSTOP) { hold.didStop(group: $0) } }
        for process in processes {
            switch system.send(SIGSTOP, to: process.identity) {
            case .sent: hold.didStop(process)
            case .refused: hold.wasRefused(process)
            case .gone: break
            }
        }
    }

    /// Sends a signal to each process group once whose processes are all members.
    private func sendToGroups(of processes: [TreeProcess], _ signal: Int32, _ didSend: (Int32) -> Void = { _ in }) {
        var reached: Set<Int32> = [0]
        for process in processes where !reached.contains(process.group) {
            guard system.sendToGroup(of: process, signal) == .sent else { continue }
            reached.insert(process.group)
            didSend(process.group)
        }
    }

    /// Stops members that something else has continued, and what they have started. Called about every second of a pause.
    ///
    /// Only processes that run can start others, so a look at the known ones is enough. All are listed again every half minute,
    /// for a process that was continued only for a moment.
    package func recheck() -> Settlement {
        guard isPaused else { return .settled }
        if let group, !group.isFrozen {
            isGroupUsed = group.freeze()
        } else if hold.isSettled, lastPass.duration(to: system.now) < Self.listTime, isUnchanged {
            return .settled
        }
        return settle()
    }

    /// Whether every process of the last list is held.
    private var isUnchanged: Bool {
        let frozen = Set(isGroupUsed ? group?.members() ?? [] : [])
        return notHeld.isEmpty
            && listed.allSatisfy { process in
                if process.state == .ended || frozen.contains(process.pid) { return true }
                guard let now = system.process(process.pid), now.identity == process.identity else { return true }
                return now.state.isHeld || now.state == process.state
            }
    }

    /// Lets everything go on: children before their parents. Processes that were stopped before the pause stay stopped.
    package func resume() {
        guard isPaused else { return }
        isPaused = false
        // What was only frozen needs no signal, and no list.
        let held = hold.hasStopped ? list() : []
        for identity in hold.resume(held) { _ = system.send(SIGCONT, to: identity) }
        group?.thaw()
        isGroupUsed = false
        notHeld = []
    }

    private func groupForHold() -> ProcessHold.Group {
        guard isGroupUsed, let group else { return .none }
        let isFrozen = group.isFrozen
        return ProcessHold.Group(members: Set(group.members()), isFrozen: isFrozen, isUsed: true)
    }

    /// The time until the next pass. A pass takes at most half of the time, also on a system with very many processes.
    private func wait(_ age: Duration, since start: ContinuousClock.Instant) -> Duration {
        let shortest: Duration =
            age < Self.orderTime ? .milliseconds(1) : age < Self.stopTime ? .milliseconds(5) : .milliseconds(100)
        return max(shortest, start.duration(to: system.now))
    }

    /// Removes the control group, if it is empty. A process that was killed may leave it a moment later; the next guard removes what
    /// is left.
    package func removeGroup() { group?.remove() }

    // MARK: Signals

    /// Sends a signal to every member once, also to those that are started meanwhile. A paused member acts on it when it is
    /// continued.
    package func send(_ signal: Int32) {
        var reached: Set<TreeProcess.Identity> = []
        for _ in 0..<Self.sendPasses {
            let new = members().filter { reached.insert($0.identity).inserted }
            if new.isEmpty { break }
            for process in new { _ = system.send(signal, to: process.identity) }
        }
    }

    // MARK: Kill

    /// All members that the kill has found alive.
    package var killed: [TreeProcess] { death.killed }

    /// Kills all members: of a control group at once, and everything else one by one after it was stopped.
    package func kill() -> Settlement {
        isPaused = false
        hold = ProcessHold()
        notHeld = []
        death = ProcessKill()
        begin = system.now
        // The names are noted before they are gone.
        death.record(members())
        if let group, !group.kill() { _ = group.freeze() }
        return settleKill()
    }

    /// Continues a kill that has not settled. It does not settle while a member can't be killed: one of another user, or one in
    /// an uninterruptible call. `notHeld` has them.
    package func settleKill() -> Settlement {
        let start = system.now
        let age = begin.duration(to: start)
        killPass(mayStop: age < Self.stopBeforeKillTime)
        guard death.isSettled else { return .again(after: wait(age, since: start)) }
        group?.thaw()
        return .settled
    }

    private func killPass(mayStop: Bool) {
        let reaped = system.reaped
        let (signal, processes) = death.pass(members(), reaped: reaped, mayStop: mayStop)
        notHeld = []
        sendToGroups(of: processes, signal)
        for process in processes {
            let outcome = system.send(signal, to: process.identity)
            let isStuck = outcome == .sent && signal == SIGKILL && process.state == .uninterruptible
            if outcome == .refused || isStuck { notHeld.append(process) }
        }
    }
}
