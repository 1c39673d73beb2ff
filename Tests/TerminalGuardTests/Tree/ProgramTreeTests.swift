import TestSupport
import Testing

@testable import TerminalGuard

/// What a tree does with processes that are made up.
@Suite("A tree of processes")
struct ProgramTreeTests {
    private let system = FakeTreeSystem()

    private let tree: ProgramTree
    init() { tree = ProgramTree(system: system) }

    private func makeTree(_ group: FakeTreeGroup?) -> ProgramTree { ProgramTree(system: system, group: group) }

    private func pause(_ tree: ProgramTree) -> Bool {
        tree.drive(tree.pause(), { $0.settle() }) { system.step($0) }
    }

    private func kill(_ tree: ProgramTree) -> Bool {
        tree.drive(tree.kill(), { $0.settleKill() }) { system.step($0) }
    }

    // MARK: Pause

    @Test func everyProcessIsStoppedAfterItsParent() {
        let shell = system.add("sh")
        let job = system.add(under: shell, "job")
        let helper = system.add(under: job, "helper")
        system.stopSteps = 2
        #expect(pause(tree))
        #expect([shell, job, helper].allSatisfy { system.state($0) == .stopped })
        let order = system.log.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        #expect(order == ["STOP \(shell)", "STOP \(job)", "STOP \(helper)"])
        #expect(tree.notHeld == [])
    }

    @Test func childrenGoOnBeforeTheirParents() {
        let shell = system.add("sh")
        let job = system.add(under: shell, "job")
        #expect(pause(tree))
        tree.resume()
        #expect(system.log.suffix(2) == ["CONT \(job)", "CONT \(shell)"])
        #expect([shell, job].allSatisfy { system.state($0) == .running })
    }

    @Test("A process stopped before the pause stays stopped after it")
    func stoppedProcessStaysStopped() {
        let shell = system.add("sh")
        let stopped = system.add(under: shell, "editor", state: .stopped)
        #expect(pause(tree))
        tree.resume()
        #expect(system.state(stopped) == .stopped)
        #expect(system.state(shell) == .running)
    }

    @Test("A process continued by a person during a pause is stopped again and runs afterwards")
    func continuedProcessIsStoppedAgain() {
        let program = system.add(state: .stopped)
        #expect(pause(tree))
        system.set(.running, of: program)
        #expect(tree.drive(tree.recheck(), { $0.settle() }) { system.step($0) })
        #expect(system.state(program) == .stopped)
        tree.resume()
        #expect(system.state(program) == .running, "a person has continued it")
    }

    @Test("A child started by a process continued during the pause is stopped too")
    func newChildIsStoppedToo() {
        let program = system.add()
        #expect(pause(tree))
        system.set(.running, of: program)
        let child = system.add(under: program)
        #expect(tree.drive(tree.recheck(), { $0.settle() }) { system.step($0) })
        #expect(system.state(program) == .stopped)
        #expect(system.state(child) == .stopped)
    }

    @Test("A process that joins the tree during the pause is stopped at the next check")
    func lateProcessIsStopped() {
        let program = system.add()
        #expect(pause(tree))
        let late = system.add(under: program)
        system.step(.seconds(30))
        #expect(tree.drive(tree.recheck(), { $0.settle() }) { system.step($0) })
        #expect(system.state(late) == .stopped)
    }

    @Test func aProcessOfAnotherUserIsReported() {
        system.add()
        let foreign = system.add("sudo", isForeign: true)
        #expect(pause(tree))
        #expect(tree.notHeld.map(\.pid) == [foreign])
        #expect(tree.notHeld.map(\.name) == ["sudo"])
        tree.resume()
        #expect(tree.notHeld == [])
    }

    @Test("A process in an uninterruptible call is reported after one second")
    func uninterruptibleIsReported() {
        let program = system.add(state: .uninterruptible)
        _ = tree.pause()
        system.step(.milliseconds(500))
        #expect(tree.settle() != .settled)
        #expect(tree.notHeld == [])
        system.step(.milliseconds(600))
        #expect(tree.drive(tree.settle(), { $0.settle() }) { system.step($0) })
        #expect(tree.notHeld.map(\.pid) == [program])
        system.set(.stopped, of: program)
        #expect(tree.recheck() == .settled)
        #expect(tree.notHeld == [])
    }

    @Test("A process that keeps being continued is reported as running")
    func runningProcessIsReported() {
        let program = system.add("traced")
        let isSettled = tree.drive(tree.pause(), { $0.settle() }, limit: 1000) { time in
            system.set(.running, of: program)
            system.step(time)
        }
        #expect(!isSettled)
        #expect(tree.notHeld.map(\.pid) == [program])
    }

    @Test("A process waiting in vfork counts as held when its child is stopped")
    func vforkParentIsHeld() {
        let parent = system.add("make", state: .uninterruptible)
        let child = system.add(under: parent, "make")
        #expect(pause(tree))
        #expect(system.state(child) == .stopped)
        #expect(tree.notHeld == [])
    }

    @Test("A process stopped by a debugger receives no signal")
    func tracedProcessGetsNoSignal() {
        let debugger = system.add("gdb")
        let program = system.add(under: debugger, "program", state: .traced)
        #expect(pause(tree))
        tree.resume()
        #expect(!system.log.contains { $0.hasSuffix(" \(program)") })
    }

    @Test(arguments: Seed.range("forking processes", default: 0..<40))
    func processesThatForkAllTheTimeAreAllStopped(seed: UInt64) {
        let system = FakeTreeSystem(seed: seed)
        system.stopSteps = Int(seed % 3)
        for index in 0..<5 { system.add(forks: 10 + index * 20, endsAfterFork: index % 2 == 0) }
        let stopped = system.add("editor", state: .stopped)
        let tree = ProgramTree(system: system)
        #expect(tree.drive(tree.pause(), { $0.settle() }) { system.step($0) })
        let paused = tree.members()
        #expect(paused.allSatisfy { $0.state == .stopped })
        for _ in 0..<20 { system.step(.milliseconds(1)) }
        #expect(tree.members() == paused, "nothing starts or ends")
        tree.resume()
        #expect(tree.members().filter { $0.state == .stopped }.map(\.pid) == [stopped])
    }

    // MARK: A control group

    @Test func aFrozenGroupNeedsNoSignals() {
        let group = FakeTreeGroup(system)
        group.pids = [system.add(), system.add()]
        let tree = makeTree(group)
        _ = tree.pause()
        #expect(group.isFrozen)
        #expect(pause(tree))
        #expect(system.log == [])
        #expect(tree.mechanism == .controlGroup)
        tree.resume()
        #expect(!group.isFrozen)
        #expect(system.log == [])
    }

    @Test("Descendants outside the control group are stopped and continued by signals")
    func outsiderIsSignalled() {
        let group = FakeTreeGroup(system)
        let inside = system.add()
        let outside = system.add(under: inside)
        group.pids = [inside]
        let tree = makeTree(group)
        #expect(pause(tree))
        #expect(system.log == ["STOP \(outside)"])
        tree.resume()
        #expect(system.log == ["STOP \(outside)", "CONT \(outside)"])
    }

    /// The look at all processes of the system would keep the other guards from their own pause.
    @Test("The scan for outside processes is delayed in proportion to the number of guards")
    func manyGuardsStaggerScans() {
        let group = FakeTreeGroup(system)
        group.pids = [system.add()]
        group.neighbours = 100
        let tree = makeTree(group)
        let expected = ProgramTree.lookTime + ProgramTree.lookTimePerGuard * 100
        #expect(tree.pause() == .again(after: expected))
        #expect(group.isFrozen, "the group itself does not wait")
        system.step(.seconds(1))
        #expect(tree.settle() == .again(after: expected - .seconds(1)))
        system.step(expected - .seconds(1))
        #expect(tree.settle() == .settled)
    }

    @Test func aProcessThatDelaysTheFreezerIsReported() {
        let group = FakeTreeGroup(system)
        let program = system.add(state: .uninterruptible)
        group.pids = [program]
        group.isDelayed = true
        let tree = makeTree(group)
        #expect(tree.pause() != .settled)
        system.step(.seconds(2))
        #expect(tree.drive(tree.settle(), { $0.settle() }) { system.step($0) })
        #expect(tree.notHeld.map(\.pid) == [program])
        group.isDelayed = false
        #expect(tree.recheck() == .settled)
        #expect(tree.notHeld == [])
    }

    @Test func aGroupThatSomebodyThawsIsFrozenAgain() {
        let group = FakeTreeGroup(system)
        group.pids = [system.add()]
        let tree = makeTree(group)
        #expect(pause(tree))
        group.thaw()
        #expect(tree.recheck() == .settled)
        #expect(group.isFrozen)
    }

    @Test("A control group that cannot be frozen is stopped by signals")
    func unfreezableGroupIsSignalled() {
        let group = FakeTreeGroup(system)
        let program = system.add()
        group.pids = [program]
        group.canFreeze = false
        let tree = makeTree(group)
        #expect(pause(tree))
        #expect(system.state(program) == .stopped)
    }

    @Test("A program that could not enter the control group is held as a process")
    func programOutsideGroupIsHeld() {
        let program = system.add()
        let tree = makeTree(FakeTreeGroup(system))
        #expect(tree.mechanism == .processes)
        #expect(pause(tree))
        #expect(system.state(program) == .stopped)
    }

    // MARK: Signals and the end

    @Test func aSignalReachesEveryProcessOnce() {
        let shell = system.add("sh")
        let job = system.add(under: shell, "job")
        system.add(under: shell, "sudo", isForeign: true)
        tree.send(15)
        #expect(system.log == ["TERM \(shell)", "TERM \(job)"])
    }

    @Test(arguments: [true, false], [true, false])
    func nothingSurvivesAKill(hasGroup: Bool, canKill: Bool) {
        let group = FakeTreeGroup(system)
        group.canKill = canKill
        let bomb = system.add("bomb", forks: 100)
        let comet = system.add("comet", forks: 100, endsAfterFork: true)
        let outside = system.add("outside")
        group.pids = [bomb, comet]
        for _ in 0..<6 { system.step(.milliseconds(1)) }
        let tree = makeTree(hasGroup ? group : nil)
        #expect(kill(tree))
        #expect(system.processes.isEmpty)
        #expect(tree.isEmpty)
        #expect(Set(tree.killed.map(\.name)) == ["bomb", "comet", "outside"])
        #expect(tree.killed.contains { $0.pid == outside })
        #expect(!group.isFrozen)
    }

    @Test func aPausedTreeCanBeKilled() {
        let shell = system.add()
        system.add(under: shell)
        #expect(pause(tree))
        #expect(kill(tree))
        #expect(!tree.isPaused)
        #expect(tree.isEmpty)
    }

    @Test("Processes that cannot be killed are reported, and the kill does not settle")
    func unkillableProcessIsReported() {
        let foreign = system.add("sudo", isForeign: true)
        let stuck = system.add("disk", state: .uninterruptible)
        #expect(!tree.drive(tree.kill(), { $0.settleKill() }, limit: 50) { system.step($0) })
        #expect(tree.notHeld.map(\.pid) == [foreign, stuck])
    }

    @Test("No signal is sent when the processes cannot be listed")
    func unlistableTreeIsLeftAlone() {
        system.add()
        system.isListable = false
        let tree = makeTree(nil)
        #expect(tree.mechanism == .processGroup)
        #expect(pause(tree))
        #expect(kill(tree))
        #expect(system.log == [])
    }
}
