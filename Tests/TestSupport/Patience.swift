import BellerophonBase
import Synchronization

/// The default bound of a wait. It is far longer than any expected wait, so that a busy machine does not fail a test.
public let patience = Duration.seconds(180)

/// A bound of a wait that passes only while tasks of this process and its main actor run.
///
/// Other tests may occupy every thread that runs tasks, or the main actor, such as one that computes for minutes on a slow machine. What
/// a test waits for, such as a server's reply, then can't come, and the elapsed time says nothing about it.
public struct Patience: Sendable {
    private let end: Int

    /// - Parameter bound: rounded up to whole seconds.
    public init(_ bound: Duration = patience) {
        end = TaskClock.shared.seconds + Int(bound.inSeconds.rounded(.up))
    }

    /// Whether the bound is reached.
    public var isOver: Bool { TaskClock.shared.seconds >= end }
}

/// Counts the seconds in which a task and the main actor had their turn.
private final class TaskClock: Sendable {
    static let shared = TaskClock()

    private let count = Atomic(0)

    var seconds: Int { count.load(ordering: .relaxed) }

    private init() {
        Task.detached { [self] in
            while true {
                try? await Task.sleep(for: .seconds(1))
                await MainActor.run {}
                count.add(1, ordering: .relaxed)
            }
        }
    }
}
