internal import CPty
import Foundation
import TerminalIO

/// What a tree needs of the operating system.
protocol TreeSystem {
    /// The descendants of the monitor, parents before their children.
    /// - Throws: an error if the system does not tell.
    func descendants() throws(SystemError) -> [TreeProcess]
    /// The facts of one process; nil if there is none.
    func process(_ pid: Int32) -> TreeProcess?
    func send(_ signal: Int32, to process: TreeProcess.Identity) -> SignalOutcome
    /// Sends a signal to the group of a process.
    func sendToGroup(of process: TreeProcess, _ signal: Int32) -> SignalOutcome
    /// A number that changes when the monitor reaps a process.
    var reaped: UInt64 { get }
    /// The monotonic clock.
    var now: ContinuousClock.Instant { get }
}

/// What became of a signal to one process.
enum SignalOutcome: Equatable {
    case sent
    /// The process has ended.
    case gone
    /// It belongs to another user.
    case refused

    /// - Parameter result: that of a function of CPty.
    init(_ result: Int32) {
        switch result {
        case 0: self = .sent
        case -EPERM: self = .refused
        default: self = .gone
        }
    }
}

/// A control group as a tree uses it.
protocol TreeGroup {
    /// Starts to freeze all processes of the group. Returns false if that is not possible.
    func freeze() -> Bool
    func thaw()
    /// Whether every process of the group is frozen.
    var isFrozen: Bool { get }
    /// Kills all processes of the group at once. Returns false if the kernel can't.
    func kill() -> Bool
    func members() -> [Int32]
}

/// The processes of Linux, from `/proc`.
final class LinuxTreeSystem: TreeSystem {
    private let monitor: Int32
    /// The room for the facts of all processes of the system. It grows.
    private var room: [cpty_process] = []

    init(monitor: Int32) {
        self.monitor = monitor
    }

    var now: ContinuousClock.Instant { .now }

    func descendants() throws(SystemError) -> [TreeProcess] {
        var needed: Int32 = 256
        while true {
            if room.count < Int(needed) { room = Array(repeating: cpty_process(), count: Int(needed) + 256) }
            let count = cpty_list_descendants(monitor, &room, Int32(room.count), &needed)
            if count == -ENOBUFS { continue }
            return try room.prefix(Int(SystemError.check("list processes", count))).map { TreeProcess($0) }
        }
    }

    func process(_ pid: Int32) -> TreeProcess? {
        var found = cpty_process()
        guard cpty_get_process(pid, &found) == 0 else { return nil }
        // Whether the whole group is in the tree, only a list tells.
        found.group = 0
        return TreeProcess(found)
    }

    func send(_ signal: Int32, to process: TreeProcess.Identity) -> SignalOutcome {
        SignalOutcome(cpty_signal_process(process.pid, process.start, signal))
    }

    func sendToGroup(of process: TreeProcess, _ signal: Int32) -> SignalOutcome {
        SignalOutcome(cpty_signal_group_of(process.pid, process.identity.start, process.group, signal))
    }

    var reaped: UInt64 {
        var found = cpty_process()
        return cpty_get_process(monitor, &found) == 0 ? found.reaped : 0
    }
}
