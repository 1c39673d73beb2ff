import Foundation
import Synchronization

/// Limits the number of concurrent sessions, such as terminals. Tests run in parallel; too many sessions at once would
/// exceed the time bounds of each test.
///
/// The limit is soft. A test may hold one place and wait for another, so a hard limit could deadlock. A place is given
/// above the limit when none became free within the bound.
public final class SessionGate: Sendable {
    static let shared = SessionGate(limit: 2 * max(1, ProcessInfo.processInfo.activeProcessorCount))

    private struct State: Sendable {
        var free: Int
        /// In the order of their coming. Each is told of its place alone, so that hundreds may wait at little cost.
        var waiting: [Watched<Bool>] = []
        /// How many places have become free for one that waited.
        var given = 0
    }

    private let state: Mutex<State>
    private let bound: Duration

    /// - Parameter bound: the longest wait for a free place.
    public init(limit: Int, bound: Duration = patience) {
        state = Mutex(State(free: limit))
        self.bound = bound
    }

    /// Waits for a place. It is free again after ``Pass/giveBack()`` or when the pass is released.
    public func enter() async throws -> Pass {
        let turn = state.withLock { state -> Watched<Bool>? in
            guard state.free <= 0 else {
                state.free -= 1
                return nil
            }
            let turn = Watched(false)
            state.waiting.append(turn)
            return turn
        }
        guard let turn else { return Pass(gate: self) }
        var given = 0
        repeat {
            given = state.withLock { $0.given }
            if (try? await turn.wait(for: "free place", within: bound) { $0 ? () : nil }) != nil { return Pass(gate: self) }
        } while state.withLock { $0.given } != given
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0 === turn }) else { return }
            state.waiting.remove(at: index)
            state.free -= 1
        }
        return Pass(gate: self)
    }

    private func leave() {
        let next = state.withLock { state -> Watched<Bool>? in
            guard state.free >= 0, !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            state.given += 1
            return state.waiting.removeFirst()
        }
        next?.update { $0 = true }
    }

    public final class Pass: Sendable {
        private let gate: SessionGate
        private let isHeld = Mutex(true)

        fileprivate init(gate: SessionGate) {
            self.gate = gate
        }

        deinit { giveBack() }

        /// Frees the place. Further calls have no effect.
        public func giveBack() {
            let wasHeld = isHeld.withLock { held in
                defer { held = false }
                return held
            }
            if wasHeld { gate.leave() }
        }
    }
}
