import Foundation
import TestSupport
import Testing

@testable import TerminalGuard

/// A program below a monitor of the tests, which reaps all its descendants, and the tree that holds them.
final class TreeUnderTest {
    /// What holds the processes.
    enum Mechanism: String, CaseIterable, Sendable {
        case processes, controlGroup

        /// Whether this system delegates control groups to this user.
        static var hasControlGroups: Bool { ControlGroup.make().map { $0.remove() } ?? false }

        static var available: [Mechanism] { hasControlGroups ? allCases : [.processes] }
    }

    let monitor: RunningProgram
    let tree: ProgramTree
    let group: ControlGroup?
    private let home: TestFolder

    /// Stands for the folder of the control group in a command.
    static let groupFolder = "GROUP"

    /// - Parameter grace: the milliseconds that the processes have to end after `endByMonitor`.
    init(_ mechanism: Mechanism, grace: Int = 0, _ command: [String]) throws {
        home = try TestFolder()
        group = mechanism == .controlGroup ? ControlGroup.make() : nil
        let folder = group?.path ?? "-"
        monitor = try RunningProgram(
            Products.path("TreeProbe"),
            ["reap", folder, String(grace)] + command.map { $0 == Self.groupFolder ? folder : $0 }, home: home)
        tree = ProgramTree(monitor: monitor.pid, group: group)
        _ = try monitor.wait(for: "start of the program") { $0.contains("program ") ? true : nil }
    }

    deinit {
        try? kill()
        monitor.send(SIGKILL)
        _ = try? monitor.waitForEnd()
        // A killed process is in its group for a moment more.
        try? wait(for: "removal of the group") { $0.group?.remove() ?? true }
    }

    // MARK: Steps

    /// Pauses all, and waits until the tree says that all is held.
    func pause() throws { try settle("pause", tree.pause()) { $0.settle() } }

    func recheck() throws { try settle("recheck", tree.recheck()) { $0.settle() } }

    func kill() throws { try settle("kill", tree.kill()) { $0.settleKill() } }

    private func settle(
        _ subject: String, _ first: ProgramTree.Settlement, _ next: (ProgramTree) -> ProgramTree.Settlement
    ) throws {
        guard !tree.drive(first, next, Self.wait) else { return }
        throw TestError("the \(subject) does not settle", detail: "\(tree.notHeld) \(tree.members())")
    }

    private static func wait(_ time: Duration) { usleep(UInt32(max(0, time / .microseconds(1)))) }

    /// Lets the monitor end everything, and returns the number of processes that it could not end.
    func endByMonitor() throws -> String {
        monitor.send(SIGUSR1)
        _ = try monitor.waitForEnd()
        return monitor.log.split(separator: "\n").last.map(String.init) ?? ""
    }

    /// Waits until something is true.
    func wait(for subject: String, _ isTrue: (TreeUnderTest) -> Bool) throws {
        let end = ContinuousClock.now + patience
        while !isTrue(self) {
            guard ContinuousClock.now < end else {
                throw TestError("no \(subject)", detail: tree.members().map { "\($0)" }.joined(separator: "\n") + monitor.log)
            }
            usleep(5000)
        }
    }

    /// The state of one of the processes; nil if it has ended.
    func state(_ pid: Int32) -> TreeProcess.State? {
        LinuxTreeSystem(monitor: monitor.pid).process(pid)?.state
    }
}

/// The clocks of the processes of a tree, in a file that they share.
final class TreeClocks {
    struct Slot: Equatable {
        var pid: Int32, kind: Int32
        var ticks: UInt64, sent: UInt64, received: UInt64, errors: UInt64
    }

    /// The kind of process that ignores the signals that end others.
    static let stubborn: Int32 = 3
    let path: String
    private let folder: TestFolder
    private let count: Int

    init(_ count: Int) throws {
        folder = try TestFolder()
        path = folder.path("clocks")
        self.count = count
    }

    func read() -> [Slot] {
        guard let data = FileManager.default.contents(atPath: path), data.count >= count * MemoryLayout<Slot>.stride else {
            return []
        }
        return data.withUnsafeBytes { bytes in
            (0..<count).map { bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Slot>.stride, as: Slot.self) }
        }
    }

    /// Whether all processes work.
    var isComplete: Bool {
        let slots = read()
        return !slots.isEmpty && slots.allSatisfy { $0.pid > 0 && $0.ticks > 0 }
    }

    /// Waits until every clock has gone on.
    func waitForProgress(of indices: [Int]? = nil) throws {
        let before = read(), end = ContinuousClock.now + patience
        while true {
            let now = read()
            let late = (indices ?? Array(now.indices)).filter { now[$0].ticks <= before[$0].ticks + 2 }
            if late.isEmpty { return }
            guard ContinuousClock.now < end else { throw TestError("the clocks \(late) stand still", detail: "\(now)") }
            usleep(5000)
        }
    }
}

/// A process outside the tree with a clock that goes on: it proves that time has passed for the others too.
final class FreeClock {
    private let program: RunningProgram
    private let clocks: TreeClocks
    private let home: TestFolder

    init() throws {
        home = try TestFolder()
        clocks = try TreeClocks(1)
        program = try RunningProgram(Products.path("TreeProbe"), ["tree", clocks.path, "1", "1"], home: home)
        let end = ContinuousClock.now + patience
        while !clocks.isComplete {
            guard ContinuousClock.now < end else { throw TestError("the clock does not start", detail: program.log) }
            usleep(5000)
        }
    }

    /// Expects that a tree makes no progress in a time in which this process works several times.
    @discardableResult
    func expectStandstill(of tree: TreeClocks) throws -> [TreeClocks.Slot] {
        let before = tree.read()
        for _ in 0..<3 { try clocks.waitForProgress() }
        #expect(tree.read() == before)
        return before
    }
}
