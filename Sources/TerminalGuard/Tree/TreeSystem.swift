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
    /// Lets other processes run before this one goes on.
    func yield()
    /// The monotonic clock.
    var now: ContinuousClock.Instant { get }
    /// A random number from 0 to 1.
    var chance: Double { get }
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
    /// The number of groups of other guards beside it.
    var neighbours: Int { get }
    /// Removes the group. Returns false while a process is left in it.
    @discardableResult
    func remove() -> Bool
}
