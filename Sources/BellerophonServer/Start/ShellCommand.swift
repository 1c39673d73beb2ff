import Foundation
internal import Processes

/// Runs a command of the operator's configuration.
package enum ShellCommand {
    /// The time between SIGTERM and SIGKILL.
    private static let grace = Duration.seconds(1)

    /// Runs a command with the shell, in a process group of its own, without output. What it writes to standard error goes to
    /// this process's.
    ///
    /// If it takes too long, or the task is cancelled, the whole group gets SIGTERM, and SIGKILL after ``grace``: also what the
    /// shell has left when it ended. What a command that ends in time has put into the background goes on.
    /// - Parameters:
    ///   - input: what it reads on standard input.
    ///   - limit: the longest time.
    /// - Returns: why it has not succeeded, as a part of a sentence; nil if it has.
    package static func problem(of command: String, input: Data, limit: Duration) async -> String? {
        var start = ChildStart(["/bin/sh", "-c", command])
        start.group = .own
        start.descriptors = [.init(nil, as: 1), .init(2, as: 2)]
        start.firstClosed = 3
        let child: ChildProcess
        do {
            child = try ChildProcess(start, input: Array(input))
        } catch {
            return "the command can't be started (/bin/sh: \(error.reason))"
        }
        // It sleeps until the limit, the end of the shell or the cancellation of the task that waits for the command. A shell that
        // has ended leaves the group alone.
        let ending = Task.detached {
            let isLate = (try? await Task.sleep(for: limit)) != nil
            guard !child.hasEnded else { return false }
            child.signalGroup(SIGTERM)
            await Task.detached { try? await Task.sleep(for: grace) }.value
            child.signalGroup(SIGKILL)
            return isLate
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    child.waitForExit()
                    continuation.resume()
                }
            }
            ending.cancel()
            // The shell is reaped last: until then no other process and no other group can have its number.
            let isLate = await ending.value
            let end = child.reap()
            if isLate { return "the command took longer than \(limit.components.seconds) s" }
            return switch end {
            case .exit(0): nil
            case .exit(127): "the command was not found (exit code 127)"
            case .exit(let code): "the command failed with exit code \(code)"
            case .signal(let number): "the command was ended by signal \(number)"
            case .unknown: "the command can't be started (its end is unknown)"
            }
        } onCancel: {
            ending.cancel()
        }
    }
}
