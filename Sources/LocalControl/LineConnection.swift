import Bellerophon
import BellerophonBase
import Dispatch
import Foundation

/// One client connection. Requests are read one at a time, the next only after the last reply has been written.
///
/// Nothing blocks. A client that does not send a complete request in time, or does not read its reply, is disconnected.
@MainActor
final class LineConnection {
    var onClose: () -> Void = {}

    private let descriptor: Descriptor
    private let peer: SocketPeer
    private let rules: LineServer.Rules
    private var input: LineBuffer
    private var output: ArraySlice<UInt8> = []
    /// Waits for input, or for space to write; nil once closed.
    private var source: (any DispatchSourceProtocol)?
    private var deadline: ScheduledCall?
    /// Whether to close as soon as the last reply is sent.
    private var isEnding = false
    private var isClosed = false

    init(_ descriptor: Descriptor, _ peer: SocketPeer, _ rules: LineServer.Rules) {
        (self.descriptor, self.peer, self.rules) = (descriptor, peer, rules)
        input = LineBuffer(limit: rules.limits.line)
    }

    func start() {
        startDeadline()
        waitForInput()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        source?.cancel()
        source = nil
        deadline?.cancel()
        onClose()
    }

    // MARK: Input

    private func receive() {
        switch UnixSocket.receive(from: descriptor) {
        case .bytes(let bytes):
            input.append(bytes)
            answerLines()
        case .nothingYet: break
        case .end: close()
        }
    }

    /// Handles the complete lines received, until a reply can't be written immediately.
    private func answerLines() {
        while output.isEmpty, !isEnding, !isClosed, let line = input.next() {
            switch line {
            case .unfit(let reason):
                reply(rules.refusal(reason))
                isEnding = true
            case .text(let text): reply(rules.handler(text, peer))
            }
            startDeadline()
            flush()
        }
        if isEnding, output.isEmpty { close() }
    }

    // MARK: Output

    private func reply(_ line: String) {
        output = Array((line + "\n").utf8)[...]
    }

    private func flush() {
        while !output.isEmpty {
            guard let count = UnixSocket.send(output, to: descriptor) else { return close() }
            if count == 0 { return waitForRoom() }
            output.removeFirst(count)
        }
    }

    private func sendMore() {
        flush()
        guard output.isEmpty, !isClosed else { return }
        waitForInput()
        answerLines()
    }

    // MARK: Waiting

    private func waitForInput() {
        wait(descriptor.readSource(on: .main)) { $0.receive() }
    }

    private func waitForRoom() {
        wait(descriptor.writeSource(on: .main)) { $0.sendMore() }
    }

    /// Replaces the dispatch source. Only one exists at a time, so that unneeded events don't wake the program.
    private func wait(_ next: any DispatchSourceProtocol, _ body: @escaping @MainActor (LineConnection) -> Void) {
        source?.cancel()
        source = next
        next.setEventHandler { [weak self] in
            MainActor.assumeIsolated { if let self, !self.isClosed { body(self) } }
        }
        next.resume()
    }

    private func startDeadline() {
        deadline?.cancel()
        deadline = rules.clock.schedule(after: rules.limits.idle) { [weak self] in self?.close() }
    }
}
