import Foundation
internal import Processes
import Synchronization

/// Runs a command of the operator's configuration.
package enum ShellCommand {
    /// How a command ended.
    package enum End: Equatable, Sendable {
        case exited(Int32)
        case signalled(Int32)
        /// It took longer than it may, and was ended.
        case late
        /// It can't be started. The text is the reason, as a part of a sentence.
        case failed(String)
    }

    /// The time between SIGTERM and SIGKILL.
    package static let grace = Duration.seconds(1)

    /// Runs a command with the shell, in a process group of its own, without output. What it writes to standard error goes to
    /// this process's.
    ///
    /// If it takes too long, or the task is cancelled, the whole group gets SIGTERM, and SIGKILL after ``grace``: also what the
    /// shell has left when it ended. What a command that ends in time has put into the background goes on.
    /// - Parameters:
    ///   - input: what it reads on standard input.
    ///   - limit: the longest time.
    package static func run(_ command: String, input: Data, limit: Duration) async -> End {
        let child: ChildProcess
        do {
            child = try start(command, input)
        } catch {
            return .failed("/bin/sh: \(error.reason)")
        }
        let ending = GroupEnding(of: child)
        return await withTaskCancellationHandler {
            let watch = Task {
                try await Task.sleep(for: limit)
                ending.isLate.store(true, ordering: .relaxed)
                ending.begin()
            }
            await exit(of: child)
            watch.cancel()
            // The shell is reaped last: until then no other process and no other group can have its number.
            await ending.finish()
            let end = child.reap()
            if ending.isLate.load(ordering: .relaxed) { return .late }
            return switch end {
            case .exit(let code): .exited(code)
            case .signal(let number): .signalled(number)
            case .unknown: .failed("its end is unknown")
            }
        } onCancel: {
            ending.begin()
        }
    }

    /// Ends a process group, once.
    private final class GroupEnding: Sendable {
        private let child: ChildProcess
        let isLate = Atomic(false)
        private let task = Mutex<Task<Void, Never>?>(nil)

        init(of child: ChildProcess) { self.child = child }

        func begin() {
            task.withLock { task in
                guard task == nil else { return }
                child.signalGroup(SIGTERM)
                // A task of its own, which is not cancelled with the one that waits for the command.
                task = Task.detached { [child] in
                    try? await Task.sleep(for: ShellCommand.grace)
                    child.signalGroup(SIGKILL)
                }
            }
        }

        /// Returns once the group has got both signals, if it has got the first.
        func finish() async { await task.withLock { $0 }?.value }
    }

    /// Returns when a process has ended, without reaping it.
    private static func exit(of child: ChildProcess) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                child.waitForExit()
                continuation.resume()
            }
        }
    }

    private static func start(_ command: String, _ input: Data) throws(StartError) -> ChildProcess {
        var start = ChildStart(["/bin/sh", "-c", command])
        start.group = .own
        start.descriptors = [.init(nil, as: 1), .init(2, as: 2)]
        start.firstClosed = 3
        return try ChildProcess(start, input: Array(input))
    }
}
