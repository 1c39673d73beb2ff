import Foundation
import TestSupport
import Testing

@testable import TerminalGuard

/// A tree of real processes.
@Suite("A tree of real processes", .serialized, .enabled(if: isLinux, "only Linux tells the descendants of a process"))
struct TreeProcessTests {
    private static let mechanisms = TreeUnderTest.Mechanism.available

    private static func tree(
        _ mechanism: TreeUnderTest.Mechanism, seed: UInt64, _ clocks: TreeClocks, count: Int
    ) throws -> TreeUnderTest {
        let probe = try Products.path("TreeProbe")
        let test = try TreeUnderTest(mechanism, [probe, "tree", clocks.path, String(seed), String(count)])
        try test.wait(for: "complete tree") { _ in clocks.isComplete }
        return test
    }

    @Test(.enabled(if: TreeUnderTest.Mechanism.hasControlGroups, "no control groups are delegated to this user"))
    func aDelegatedControlGroupIsUsed() throws {
        let clocks = try TreeClocks(3)
        let test = try Self.tree(.controlGroup, seed: 1, clocks, count: 3)
        #expect(test.tree.mechanism == .controlGroup)
        // A process between two forks may still be ending.
        try test.wait(for: "the processes alone") { $0.group?.members().count == 3 }
    }

    @Test(
        "A paused tree makes no progress, loses no data, and can be killed completely", arguments: mechanisms,
        Seed.range("process trees", default: 1..<3))
    func pausedTreeMakesNoProgress(_ mechanism: TreeUnderTest.Mechanism, seed: UInt64) async throws {
        try await onOwnThread {
            let clocks = try TreeClocks(100), free = try FreeClock()
            let test = try Self.tree(mechanism, seed: seed, clocks, count: 100)
            for _ in 0..<3 {
                try test.pause()
                #expect(test.tree.notHeld == [])
                try free.expectStandstill(of: clocks)
                test.tree.resume()
                try clocks.waitForProgress()
            }
            let end = clocks.read()
            #expect(end.allSatisfy { $0.errors == 0 })
            #expect(end.contains { $0.received > 0 })
            try test.kill()
            #expect(test.tree.killed.count >= 100)
            #expect(test.tree.isEmpty)
            // A killed process is no longer listed a moment before its last thread has ended.
            try test.wait(for: "end of every process") { test in
                end.allSatisfy { test.state($0.pid) == nil || test.state($0.pid) == .ended }
            }
        }
    }

    @Test(arguments: mechanisms)
    func aProcessThatAPersonHasStoppedStaysStopped(_ mechanism: TreeUnderTest.Mechanism) async throws {
        try await onOwnThread {
            let clocks = try TreeClocks(20)
            let test = try Self.tree(mechanism, seed: 3, clocks, count: 20)
            let slots = clocks.read()
            let stopped = try #require(slots.indices.last { slots[$0].kind == 0 })
            Foundation.kill(slots[stopped].pid, SIGSTOP)
            try test.wait(for: "stop") { $0.state(slots[stopped].pid) == .stopped }
            try test.pause()
            test.tree.resume()
            try clocks.waitForProgress(of: slots.indices.filter { $0 != stopped })
            #expect(test.state(slots[stopped].pid) == .stopped)
        }
    }

    @Test("A process continued by another program during the pause is stopped again")
    func continuedRealProcessIsStopped() async throws {
        try await onOwnThread {
            let clocks = try TreeClocks(10), free = try FreeClock()
            let test = try Self.tree(.processes, seed: 4, clocks, count: 10)
            try test.pause()
            Foundation.kill(clocks.read()[5].pid, SIGCONT)
            try test.recheck()
            try free.expectStandstill(of: clocks)
            test.tree.resume()
            try clocks.waitForProgress()
        }
    }

    @Test("Processes that ignore SIGTERM are killed and listed", arguments: mechanisms)
    func stubbornProcessIsKilled(_ mechanism: TreeUnderTest.Mechanism) async throws {
        try await onOwnThread {
            let clocks = try TreeClocks(40)
            let test = try Self.tree(mechanism, seed: 5, clocks, count: 40)
            let stubborn = Set(clocks.read().filter { $0.kind == TreeClocks.stubborn }.map(\.pid))
            test.tree.send(SIGTERM)
            // What a stubborn process has started inherits that it ignores the signal.
            try test.wait(for: "end of the others") { test in
                let left = Set(test.tree.members().map(\.pid))
                return left.isSuperset(of: stubborn) && left.count < 40
            }
            try test.kill()
            #expect(test.tree.isEmpty)
            #expect(Set(test.tree.killed.map(\.pid)).isSuperset(of: stubborn))
            // The name of a process that runs the probe again through /proc/self/exe is "exe".
            #expect(Set(test.tree.killed.map(\.name)).isSubset(of: ["TreeProbe", "exe"]))
        }
    }

    @Test("Processes that fork continuously are paused and killed", arguments: mechanisms, ["comets", "bomb"])
    func forkingProcessesAreHeld(_ mechanism: TreeUnderTest.Mechanism, kind: String) async throws {
        try await onOwnThread {
            let clocks = try TreeClocks(2), free = try FreeClock()
            let probe = try Products.path("TreeProbe")
            let test = try TreeUnderTest(mechanism, [probe, kind, clocks.path, kind == "bomb" ? "60" : "2"])
            try test.wait(for: "first turn") { _ in clocks.read().first.map { $0.ticks > 20 } ?? false }
            try test.pause()
            let paused = try free.expectStandstill(of: clocks)
            test.tree.resume()
            try test.wait(for: "next turn") { _ in clocks.read()[0].ticks > paused[0].ticks }
            try test.kill()
            #expect(test.tree.isEmpty)
            try free.expectStandstill(of: clocks)
        }
    }

    // MARK: Other processes that look

    @Test("A shell waiting for its job does not notice a pause", arguments: mechanisms)
    func shellIgnoresPauseOfJob(_ mechanism: TreeUnderTest.Mechanism) async throws {
        try await onOwnThread {
            let clocks = try TreeClocks(1), log = try TestFolder()
            // With job control a shell returns from the wait when its job is stopped.
            let script = "set -m; \"$0\" tree \"$1\" 1 1; echo \"status $?\" >\"$2\""
            let test = try TreeUnderTest(
                mechanism, ["/bin/sh", "-c", script, Products.path("TreeProbe"), clocks.path, log.path("status")])
            try test.wait(for: "job") { _ in clocks.isComplete }
            for _ in 0..<20 {
                try test.pause()
                test.tree.resume()
                try clocks.waitForProgress()
            }
            #expect(log.text("status") == nil)
            Foundation.kill(clocks.read()[0].pid, SIGKILL)
            try test.wait(for: "end of the shell") { _ in log.text("status") == "status 137" }
        }
    }

    @Test func aDebuggedProgramIsHeldWithItsDebugger() async throws {
        try await onOwnThread {
            let clocks = try TreeClocks(2), free = try FreeClock()
            let test = try TreeUnderTest(.processes, [Products.path("TreeProbe"), "debugger", clocks.path])
            try test.wait(for: "program") { _ in clocks.read().first.map { $0.ticks > 0 } ?? false }
            for _ in 0..<5 {
                try test.pause()
                try free.expectStandstill(of: clocks)
                test.tree.resume()
                try clocks.waitForProgress(of: [0])
            }
        }
    }

    @Test func aProcessThatWaitsInVforkCountsAsHeld() async throws {
        try await onOwnThread {
            let test = try TreeUnderTest(.processes, [Products.path("TreeProbe"), "vfork"])
            try test.wait(for: "child") { $0.tree.members().count == 2 }
            try test.wait(for: "parent that waits") { $0.tree.members().first?.state == .uninterruptible }
            try test.pause()
            #expect(test.tree.notHeld == [])
            try test.kill()
        }
    }

    // MARK: Control groups

    @Test(
        "A process that leaves the control group is held by signals",
        .enabled(if: TreeUnderTest.Mechanism.hasControlGroups, "no control groups are delegated to this user"))
    func groupLeaverIsSignalled() async throws {
        try await onOwnThread {
            let clocks = try TreeClocks(5), free = try FreeClock()
            let script = "sh -c 'echo 0 >\"$2/cgroup.procs\"; exec \"$0\" tree \"$1\" 1 5' \"$0\" \"$1\" \"$2\" & sleep 1000"
            let parent = try #require(ControlGroup.ownFolder)
            let test = try TreeUnderTest(
                .controlGroup, ["/bin/sh", "-c", script, Products.path("TreeProbe"), clocks.path, parent])
            try test.wait(for: "complete tree") { _ in clocks.isComplete }
            try test.pause()
            let paused = try free.expectStandstill(of: clocks)
            #expect(test.state(paused[0].pid) == .stopped)
            test.tree.resume()
            try clocks.waitForProgress()
            try test.kill()
            #expect(test.tree.killed.count >= 7)
        }
    }

    @Test(
        "Control groups created by the program are frozen, killed and removed",
        .enabled(if: TreeUnderTest.Mechanism.hasControlGroups, "no control groups are delegated to this user"))
    func nestedGroupsAreFrozen() async throws {
        try await onOwnThread {
            let clocks = try TreeClocks(5), free = try FreeClock()
            let script = "mkdir -p \"$2/a/b\" && echo 0 >\"$2/a/b/cgroup.procs\" && exec \"$0\" tree \"$1\" 1 5"
            let test = try TreeUnderTest(
                .controlGroup, ["/bin/sh", "-c", script, Products.path("TreeProbe"), clocks.path, TreeUnderTest.groupFolder])
            let path = try #require(test.group?.path)
            try test.wait(for: "complete tree") { _ in clocks.isComplete }
            // A process between two forks may still be ending.
            try test.wait(for: "the processes alone") { $0.group?.members().count == 5 }
            try test.pause()
            try free.expectStandstill(of: clocks)
            test.tree.resume()
            try clocks.waitForProgress()
            try test.kill()
            try test.wait(for: "removal of the group") { $0.group?.remove() ?? false }
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    // MARK: The end without a guard

    @Test(arguments: mechanisms, [0, 300])
    func theMonitorEndsEverythingByItself(_ mechanism: TreeUnderTest.Mechanism, grace: Int) async throws {
        try await onOwnThread {
            let clocks = try TreeClocks(60)
            let probe = try Products.path("TreeProbe")
            let test = try TreeUnderTest(mechanism, grace: grace, [probe, "tree", clocks.path, "6", "60"])
            try test.wait(for: "complete tree") { _ in clocks.isComplete }
            let pids = clocks.read().map(\.pid)
            try test.pause()
            #expect(try test.endByMonitor() == "left 0", "also what is paused")
            #expect(pids.allSatisfy { test.state($0) == nil || test.state($0) == .ended })
        }
    }
}

private var isLinux: Bool {
    #if os(Linux)
    true
    #else
    false
    #endif
}
