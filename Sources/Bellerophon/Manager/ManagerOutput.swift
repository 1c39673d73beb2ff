import Foundation
import StatusModel
import Synchronization

/// What a core passes on to the main actor.
enum ManagerOutput: Sendable {
    case transition(Transition)
    case report(StatusReport)
    case streamEvent(StreamEvent)
    /// The delegate must supply the status of this check.
    case delegateCheck(StageMachine.CheckID)
    /// A check has ended. Its turn is over, and its status was saved.
    case checkEnded(Result<StatusReply, StatusError>)
    /// All statuses that arrived together were handled: the window may be updated.
    case turnEnded
}

/// The state of a core after an event.
struct ManagerState: Sendable {
    var machine: StageMachine
    var stream: StreamMachine?
    /// When the stage began and when the last reply came, by the wall clock. For display only.
    var stageSince: Date?
    var lastReplyDate: Date?
    /// The last problem with the store; nil after a successful write.
    var storeProblem: String?
    /// The status of the last run, after the first check was started; nil if none was kept.
    var keptStatus: RestoredStatus?
    /// The notices that earlier runs and this one have shown, after the first check was started.
    var keptNotices: [SeenNotice] = []
}

/// The outputs that wait for their receiver, in order.
final class ManagerOutbox: Sendable {
    struct Item: Sendable {
        let output: ManagerOutput
        /// The state after the event that has caused the output.
        let state: SharedState
    }

    /// A state that several outputs share, because it is large.
    final class SharedState: Sendable {
        let value: ManagerState

        init(_ value: ManagerState) { self.value = value }
    }

    private struct Content: Sendable {
        /// A slice, whose first item is removed without moving the others.
        var items: ArraySlice<Item> = []
        /// When the oldest output came, or the one before it was taken.
        var waitingSince: MonotonicInstant?
    }

    /// The most outputs that wait for a main queue that is not served. Then the oldest reports are dropped; transitions never are.
    static let limit = 4096
    /// How many of the newest outputs are kept whole.
    static let kept = 1024

    private let content = Mutex(Content())

    func add(_ output: ManagerOutput, _ state: SharedState, at now: MonotonicInstant) {
        content.withLock { content in
            if content.items.isEmpty { content.waitingSince = now }
            content.items.append(Item(output: output, state: state))
            if content.items.count > Self.limit { Self.shorten(&content) }
        }
    }

    private static func shorten(_ content: inout Content) {
        let old = content.items.dropLast(kept).filter { item in
            switch item.output {
            case .transition, .delegateCheck, .checkEnded: true
            case .report, .streamEvent, .turnEnded: false
            }
        }
        content.items = old + content.items.suffix(kept)
    }

    var count: Int { content.withLock { $0.items.count } }
    var isEmpty: Bool { content.withLock { $0.items.isEmpty } }

    /// Since when the receiver has taken nothing; nil if nothing waits.
    var waitingSince: MonotonicInstant? { content.withLock { $0.waitingSince } }

    /// Removes and returns the oldest output; nil if none waits.
    func takeFirst(at now: MonotonicInstant) -> Item? {
        content.withLock { content in
            defer {
                // An empty slice still holds what was removed from it.
                if content.items.isEmpty { content.items = [] }
                content.waitingSince = content.items.isEmpty ? nil : now
            }
            return content.items.popFirst()
        }
    }
}
