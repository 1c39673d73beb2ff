#if Server
import Foundation
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

    /// Bytes that fit into a pipe on every system, so that the command need not read them.
    package static let inputLimit = 65_536
    /// The time between SIGTERM and SIGKILL.
    package static let grace = Duration.seconds(1)

    /// Runs a command with the shell, in a process group of its own, without output. What it writes to standard error goes to
    /// this process's.
    ///
    /// If it takes too long, or the task is cancelled, the whole group gets SIGTERM, and SIGKILL after ``grace``: also what the
    /// shell has left when it ended. What a command that ends in time has put into the background goes on.
    /// - Parameters:
    ///   - input: what it reads on standard input, at most ``inputLimit`` bytes.
    ///   - limit: the longest time.
    package static func run(_ command: String, input: Data, limit: Duration) async -> End {
        guard input.count <= inputLimit else { return .failed("its input has more than \(inputLimit) bytes") }
        let child: pid_t
        switch start(command, input) {
        case .success(let process): child = process
        case .failure(let problem): return .failed("\(problem)")
        }
        let ending = GroupEnding(of: child)
        return await withTaskCancellationHandler {
            let watch = Task {
                try await Task.sleep(for: limit)
                ending.isLate.store(true, ordering: .relaxed)
                ending.begin()
            }
            await ended(child)
            watch.cancel()
            // The shell is reaped last: until then no other process and no other group can have its number.
            await ending.finish()
            let status = reap(child)
            if ending.isLate.load(ordering: .relaxed) { return .late }
            return status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signalled(status & 0x7f)
        } onCancel: {
            ending.begin()
        }
    }

    /// Ends a process group, once.
    private final class GroupEnding: Sendable {
        private let group: pid_t
        let isLate = Atomic(false)
        private let task = Mutex<Task<Void, Never>?>(nil)

        init(of group: pid_t) { self.group = group }

        func begin() {
            task.withLock { task in
                guard task == nil else { return }
                kill(-group, SIGTERM)
                // A task of its own, which is not cancelled with the one that waits for the command.
                task = Task.detached { [group] in
                    try? await Task.sleep(for: ShellCommand.grace)
                    kill(-group, SIGKILL)
                }
            }
        }

        /// Returns once the group has got both signals, if it has got the first.
        func finish() async { await task.withLock { $0 }?.value }
    }

    /// Returns when a process has ended, without reaping it.
    private static func ended(_ child: pid_t) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var facts = siginfo_t()
                while waitid(P_PID, id_t(child), &facts, WEXITED | WNOWAIT) < 0, errno == EINTR {}
                continuation.resume()
            }
        }
    }

    private static func reap(_ child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private struct Problem: Error, CustomStringConvertible {
        let description: String
        init(_ call: String, _ number: Int32) { description = "\(call): \(String(cString: strerror(number)))" }
    }

    private static func start(_ command: String, _ input: Data) -> Result<pid_t, Problem> {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return .failure(Problem("pipe", errno)) }
        defer { for end in ends { close(end) } }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // This process holds the other end too: the write neither waits nor raises SIGPIPE.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        guard input.withUnsafeBytes({ write(ends[1], $0.baseAddress, $0.count) }) == input.count else {
            return .failure(Problem("write", errno))
        }
        let output = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard output >= 0 else { return .failure(Problem("/dev/null", errno)) }
        defer { close(output) }
        var process: pid_t = 0
        let result = SpawnPlatform.spawn(
            &process, ["/bin/sh", "-c", command], descriptors: [(ends[0], 0), (output, 1), (2, 2)], firstFree: 3,
            leadsGroup: true)
        return result == 0 ? .success(process) : .failure(Problem("/bin/sh", result))
    }
}
#endif
