import BellerophonBase
import Dispatch
import Synchronization

/// Output to a terminal that never waits: what the terminal does not take now waits in a buffer and is sent when it does.
///
/// Without a limit of its own: a caller that paints asks ``isIdle`` first, so that at most one paint waits.
package final class TerminalOutput: Sendable {
    private struct State {
        var queue = OutputQueue()
        var source: (any DispatchSourceWrite)?
        var isGone = false
        /// Whether the worker is in a write that may block, without the lock.
        var isWriting = false
        var isIdle: Bool { queue.isEmpty && !isWriting }
    }

    private let state = Mutex(State())
    private let descriptor: Descriptor
    private let mayWait: Bool
    /// Sends what waits, also while the main thread is busy.
    private let worker = DispatchQueue(label: "terminal output")

    /// - Parameters:
    ///   - descriptor: where the bytes go.
    ///   - mayWait: whether a write to the descriptor may block, because it is shared with other programs. All writes are then
    ///     made on another thread, in pieces that a terminal which takes output at all takes.
    package init(_ descriptor: Descriptor, mayWait: Bool) {
        self.descriptor = descriptor
        self.mayWait = mayWait
    }

    /// Whether everything was taken.
    package var isIdle: Bool { state.withLock { $0.isIdle } }

    /// Sends bytes after those that wait. What a terminal that is gone does not take is dropped.
    package func write(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        state.withLock { state in
            guard !state.isGone else { return }
            state.queue.append(bytes)
            if !mayWait, state.source == nil { send(&state) }
            if !state.queue.isEmpty { startSource(&state) }
        }
    }

    package func write(_ text: String) { write(Array(text.utf8)) }

    /// Drops what has not been taken.
    /// - Returns: whether something was dropped. The terminal may then have a part of a sequence.
    @discardableResult
    package func discard() -> Bool {
        state.withLock { state in
            guard !state.queue.isEmpty else { return false }
            state.queue = OutputQueue()
            stopSource(&state)
            return true
        }
    }

    /// Waits until everything was taken, at most for the given time.
    /// - Returns: whether it was.
    @discardableResult
    package func flush(within limit: Duration) -> Bool {
        let end = ContinuousClock.now + limit
        while !isIdle {
            let rest = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            guard rest > 0 else { return false }
            let takesOutput = DescriptorIO.waitForOutput(descriptor.number, milliseconds: Int32(min(10, rest.rounded(.up))))
            state.withLock { if takesOutput, !mayWait { send(&$0) } }
        }
        return true
    }

    /// Drops what waits, and sends nothing more.
    package func close() {
        state.withLock { state in
            state.isGone = true
            state.queue = OutputQueue()
            stopSource(&state)
        }
    }

    // MARK: Sending

    private func send(_ state: inout State) {
        var isGone = false
        state.queue.send { bytes in
            let result = DescriptorIO.write(descriptor.number, bytes)
            if result == .gone { isGone = true }
            return result
        }
        if isGone { state.isGone = true }
    }

    /// Sends one piece to a descriptor that may block.
    private func sendPiece() {
        let piece = state.withLock { state in
            state.isWriting = true
            // A terminal that takes output at all takes this much.
            return state.queue.removePrefix(128)
        }
        let isGone = DescriptorIO.write(descriptor.number, piece) == .gone
        state.withLock { state in
            state.isWriting = false
            if isGone { state.isGone = true }
        }
    }

    private func startSource(_ state: inout State) {
        guard state.source == nil else { return }
        let source = descriptor.writeSource(on: worker)
        source.setEventHandler { [weak self] in self?.takesOutput() }
        state.source = source
        source.resume()
    }

    private func stopSource(_ state: inout State) {
        state.source?.cancel()
        state.source = nil
    }

    private func takesOutput() {
        if mayWait { sendPiece() }
        state.withLock { state in
            if !mayWait { send(&state) }
            if state.queue.isEmpty { stopSource(&state) }
        }
    }
}
