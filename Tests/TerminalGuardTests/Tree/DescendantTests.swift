import CPty
import Foundation
import TestSupport
import Testing

@testable import TerminalGuard

@Suite("Descendants of a process")
struct DescendantTests {
    private func descendants(of root: Int32, in parents: [Int32: Int32]) -> [Int32] {
        var processes = parents.sorted { $0.key < $1.key }.map { pid, parent in
            var process = cpty_process()
            process.pid = pid
            process.parent = parent
            return process
        }
        let count = cpty_keep_descendants(&processes, Int32(processes.count), root)
        return processes.prefix(Int(count)).map(\.pid)
    }

    @Test func parentsComeBeforeTheirChildren() {
        let parents: [Int32: Int32] = [2: 9, 3: 2, 4: 3, 5: 9, 6: 1, 7: 6, 8: 5, 9: 1]
        #expect(descendants(of: 9, in: parents) == [2, 5, 3, 8, 4])
    }

    @Test func theRootIsNoDescendantOfItself() {
        #expect(descendants(of: 3, in: [3: 3, 4: 3]) == [4])
        #expect(descendants(of: 3, in: [3: 4, 4: 3]) == [4])
    }

    @Test func aProcessWithoutDescendantsHasNone() {
        #expect(descendants(of: 3, in: [1: 0, 2: 1]) == [])
        #expect(descendants(of: 3, in: [:]) == [])
    }

    @Test(
        "The descendants in a random process forest match a walk up the parents",
        arguments: Seed.range("process forests", default: 0..<20))
    func descendantsMatchParentWalk(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var parents: [Int32: Int32] = [:]
        // Identifiers that the system uses again are in no order.
        let pids = (1...200).map { Int32($0) }.shuffled(using: &random)
        for (index, pid) in pids.enumerated() { parents[pid] = index == 0 ? 0 : pids[Int.random(in: 0..<index, using: &random)] }
        let root = pids[10]
        let expected = pids.filter { pid in
            var above = parents[pid] ?? 0
            while above != 0, above != root { above = parents[above] ?? 0 }
            return above == root
        }
        let found = descendants(of: root, in: parents)
        #expect(Set(found) == Set(expected))
        #expect(found.count == expected.count)
    }
}

@Suite("Groups of descendants")
struct DescendantGroupTests {
    private func group(session: Int32, group: Int32, ofRoot root: (pid: Int32, session: Int32, group: Int32)) -> Int32 {
        var process = cpty_process(), above = cpty_process()
        (process.pid, process.session, process.group) = (50, session, group)
        (above.pid, above.session, above.group) = root
        withUnsafeMutablePointer(to: &process) { cpty_clear_shared_groups($0, 1, &above) }
        return process.group
    }

    @Test func onlyGroupsOfDescendantsAreKept() {
        let leader: (Int32, Int32, Int32) = (10, 10, 10), member: (Int32, Int32, Int32) = (10, 3, 10)
        #expect(group(session: 10, group: 40, ofRoot: leader) == 40)
        #expect(group(session: 10, group: 10, ofRoot: leader) == 0, "the group of the monitor itself")
        #expect(group(session: 20, group: 40, ofRoot: leader) == 40)
        #expect(group(session: 3, group: 40, ofRoot: member) == 0, "a session that the monitor shares with others")
        #expect(group(session: 20, group: 40, ofRoot: member) == 40)
    }
}

#if os(Linux)
@Suite("Facts of real processes")
struct ProcessFactTests {
    private func facts(_ pid: Int32) -> cpty_process? {
        var found = cpty_process()
        return cpty_get_process(pid, &found) == 0 ? found : nil
    }

    @Test func thisProcessHasItsParentAndGroup() throws {
        let found = try #require(facts(getpid()))
        #expect(found.pid == getpid())
        #expect(found.parent == getppid())
        #expect(found.group == getpgrp())
        #expect(found.start > 0)
        #expect(found.threads > 1)
    }

    @Test func aMissingProcessIsReported() {
        var found = cpty_process()
        #expect(cpty_get_process(99_999_999, &found) == -ESRCH)
        #expect(cpty_get_process(0, &found) == -ESRCH)
        #expect(cpty_signal_process(99_999_999, 1, 0) == -ESRCH)
    }

    @Test func aNameMayContainAnything() async throws {
        try await onOwnThread {
            let home = try TestFolder()
            let path = home.path("a) R 1 (\nb")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/bin/sleep")
            let program = try RunningProgram(path, ["1000"], home: home)
            let found = try #require(facts(program.pid))
            #expect(found.parent == getpid())
            #expect(TreeProcess(found).name == "a) R 1 ( b")
        }
    }

    @Test("A process with another start time does not receive the signal")
    func reusedProcessGetsNoSignal() async throws {
        try await onOwnThread {
            let home = try TestFolder()
            let program = try RunningProgram("/bin/sleep", ["1000"], home: home)
            let start = try #require(facts(program.pid)).start
            #expect(cpty_signal_process(program.pid, start + 1, SIGKILL) == -ESRCH)
            #expect(cpty_signal_group_of(program.pid, start + 1, program.pid, SIGKILL) == -ESRCH)
            #expect(cpty_signal_group_of(program.pid, start, program.pid + 1, SIGKILL) == -ESRCH)
            #expect(program.status == nil)
            #expect(cpty_signal_process(program.pid, start, SIGKILL) == 0)
            #expect(try program.waitForEnd() == .signalled(SIGKILL))
        }
    }

    @Test func aListThatDoesNotFitHasItsWholeSize() throws {
        var room = [cpty_entry()]
        let count = cpty_list_entries(&room, 1)
        #expect(count > 1)
        #expect(room[0].pid == 1)
        #expect(room[0].inode > 0)
    }

    @Test("A replacement child process is found in every scan")
    func newDescendantIsFound() async throws {
        try await onOwnThread {
            let home = try TestFolder()
            let script = "while :; do /bin/sleep 1000 & wait $!; done"
            let program = try RunningProgram("/bin/sh", ["-c", script], home: home)
            let system = LinuxTreeSystem(monitor: program.pid)
            // Each round kills the child, and the shell starts the next one.
            var former: TreeProcess?
            for _ in 0..<10 {
                var child: TreeProcess?
                let end = ContinuousClock.now + patience
                while child == nil, ContinuousClock.now < end {
                    child = try system.descendants().first {
                        $0.name == "sleep" && $0.state != .ended && $0.identity != former?.identity
                    }
                }
                let found = try #require(child)
                #expect(found.parent == program.pid)
                #expect(system.send(SIGKILL, to: found.identity) == .sent)
                former = child
            }
        }
    }
}
#endif
