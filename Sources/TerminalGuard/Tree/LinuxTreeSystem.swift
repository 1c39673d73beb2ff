internal import CPty
import Foundation
import TerminalIO

/// The processes of Linux, from `/proc`.
///
/// Only the numbers of all processes are read each time. The facts of a process that was once found to be no descendant are not
/// read again, because it never becomes one: a process whose parent ends gets another ancestor of its own as its parent.
final class LinuxTreeSystem: TreeSystem {
    private let monitor: Int32
    /// The entries of processes that are no descendants, by their numbers.
    private var strangers: [Int32: UInt64] = [:]
    private var entryRoom: [cpty_entry] = []
    private static let moreRoom = 256

    init(monitor: Int32) {
        self.monitor = monitor
    }

    var now: ContinuousClock.Instant { .now }
    var chance: Double { Double.random(in: 0...1) }

    func yield() { sched_yield() }

    func descendants() throws(SystemError) -> [TreeProcess] {
        let entries = try listEntries()
        let unknown = entries.filter { strangers[$0.pid] != $0.inode }
        var found = Array(repeating: cpty_process(), count: unknown.count)
        let read = try SystemError.check(
            "read processes", cpty_read_processes(unknown, Int32(unknown.count), &found))
        let count = cpty_keep_descendants(&found, read, monitor)
        recordStrangers(found[Int(count)..<Int(read)], entries)
        found.removeLast(found.count - Int(count))
        var root = cpty_process()
        guard count > 0, cpty_get_process(monitor, &root) == 0 else { return found.map { TreeProcess($0) } }
        cpty_clear_shared_groups(&found, count, &root)
        return found.map { TreeProcess($0) }
    }

    private func listEntries() throws(SystemError) -> ArraySlice<cpty_entry> {
        while true {
            let count = Int(try SystemError.check("list processes", cpty_list_entries(&entryRoom, Int32(entryRoom.count))))
            if count <= entryRoom.count { return entryRoom[..<count] }
            entryRoom = Array(repeating: cpty_entry(), count: count + Self.moreRoom)
        }
    }

    /// Keeps the strangers that are still listed, and adds those of the new processes whose ancestors are all known to be
    /// strangers. A descendant whose parent has ended while the list was read has an unknown ancestor, and is read again.
    private func recordStrangers(_ others: ArraySlice<cpty_process>, _ entries: ArraySlice<cpty_entry>) {
        let parents = Dictionary(others.map { ($0.pid, $0.parent) }, uniquingKeysWith: { first, _ in first })
        let former = strangers
        strangers = [:]
        strangers.reserveCapacity(entries.count)
        for entry in entries where former[entry.pid] == entry.inode { strangers[entry.pid] = entry.inode }
        let known = strangers
        for entry in entries {
            guard var above = parents[entry.pid] else { continue }
            // The bound is for a list with a loop, as it can arise while processes end.
            for _ in 0..<1000 where above != 0 && known[above] == nil { above = parents[above] ?? -1 }
            if above == 0 || known[above] != nil { strangers[entry.pid] = entry.inode }
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
