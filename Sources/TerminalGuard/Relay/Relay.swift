import Bellerophon
internal import CPty
import Dispatch
import Foundation
import Synchronization
import TerminalIO
import TerminalUI

/// What a relay reports to the main actor.
package enum RelayNews: Equatable, Sendable {
    /// Keys were pressed on the cover.
    case pressed([Key])
    /// The terminal has a new size.
    case resized(Size)
    /// The terminal was left to another program, as ``GuardEvent/lend`` wanted.
    case lent
    /// The guard continues after it was stopped.
    case resumed
    /// What happens to the program has changed. Before the first report it waits for its start.
    case program(CoveredProgram)
    /// What is known of everything that the program has started has changed.
    case tree(TreeSummary)
    /// These processes had to be killed, as `NAME (PID)`.
    case killed([String])
    /// The new version of the program has failed right after its start, with these last lines of output.
    case failedEarly(ProgramEnd, lines: [String])
    /// The cover was painted with the given number of the request.
    case painted
    /// The guard is done. It is the last report.
    case finished(GuardEnd)
}

/// Moves bytes between the user's terminal and the program's, on a thread of its own.
///
/// One thread waits in poll(2) for both terminals, the monitor, signals, timers and events of the main actor, and lets a
/// ``GuardMachine`` decide. A thread and not a dispatch queue: between a key and its echo there are then only the system
/// calls that move the bytes.
package final class Relay: Sendable {
    private let inbox = Mutex<[GuardEvent]>([])
    /// The descriptor that becomes readable when an event was posted: the end of a pipe that wakes the thread.
    let wakeDescriptor: Int32
    private let wakeWrite: Int32

    private init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        _ = try SystemError.check("make a pipe", cpty_make_pipe(&ends))
        _ = cpty_set_nonblocking(ends[1])
        (wakeDescriptor, wakeWrite) = (ends[0], ends[1])
    }

    deinit {
        _ = cpty_close(wakeDescriptor)
        _ = cpty_close(wakeWrite)
    }

    /// Starts the thread, which owns what it is given afterwards.
    /// - Parameters:
    ///   - terminal: nil if the program has the standard descriptors of this process, so that nothing can be shown over it.
    ///   - report: called on the main actor, in order.
    static func start(
        _ terminal: sending OuterTerminal?, _ program: sending GuardedProgram, _ tree: sending ProgramTree,
        _ machine: GuardMachine, report: @escaping @MainActor @Sendable (RelayNews) -> Void
    ) throws(SystemError) -> Relay {
        let relay = try Relay()
        // The thread is the only user of these from here on.
        nonisolated(unsafe) let (terminal, program, tree) = (terminal, program, tree)
        let thread = Thread {
            var loop = RelayLoop(
                terminal: terminal, program: program, relay: relay,
                report: { news in DispatchQueue.main.async { MainActor.assumeIsolated { report(news) } } },
                tree: TreeDriver(tree), machine: machine)
            loop.run()
        }
        thread.name = "relay"
        thread.stackSize = 1 << 20
        thread.start()
        return relay
    }

    /// Passes an event to the machine. May be called from any thread.
    package func post(_ event: GuardEvent) {
        let wasEmpty = inbox.withLock { events in
            events.append(event)
            return events.count == 1
        }
        guard wasEmpty else { return }
        var byte: UInt8 = 0
        // A full pipe wakes the thread as well.
        _ = cpty_write(wakeWrite, &byte, 1)
    }

    /// Takes the events that were posted.
    func takeEvents() -> [GuardEvent] {
        var bytes = [UInt8](repeating: 0, count: 64)
        while cpty_read(wakeDescriptor, &bytes, bytes.count) > 0 {}
        return inbox.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
