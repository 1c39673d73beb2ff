import BellerophonBase
import Dispatch
import Foundation
import LocalControl

/// Reads the lines that a person or a pipe gives a program without a screen.
@MainActor
package final class CommandLines {
    /// Where lines can come from.
    package enum Origin: Equatable, Sendable {
        case terminal
        /// A pipe, a socket or a file. Its lines are there all at once, so each waits for what the one before has caused.
        case pipe
    }

    private var source: (any DispatchSourceRead)?
    private static let limit = 256
    private var buffer = LineBuffer(limit: limit)
    /// Whether lines are kept.
    package private(set) var isHeld = false
    private var isAtEnd = false
    private let origin: Origin
    private let take: (String) -> Void
    private let ended: () -> Void

    /// - Parameters:
    ///   - take: called with every line, without its end.
    ///   - ended: called when the input has ended.
    package init(from origin: Origin, _ take: @escaping (String) -> Void, ended: @escaping () -> Void) {
        self.origin = origin
        self.take = take
        self.ended = ended
    }

    /// What standard input is; nil if nobody can give lines there, as with `/dev/null`.
    package nonisolated static var origin: Origin? {
        if isatty(0) == 1 { return .terminal }
        guard let facts = FileFacts(descriptor: 0) else { return nil }
        return [S_IFIFO, S_IFSOCK, S_IFREG].contains(where: facts.isKind) ? .pipe : nil
    }

    package func start() {
        guard source == nil, !isAtEnd, !isHeld else { return deliver() }
        let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read() } }
        source.resume()
        self.source = source
    }

    package func stop() {
        source?.cancel()
        source = nil
    }

    /// Keeps further lines of a pipe, and its end, until ``goOn()``. A terminal's lines are never kept, because a person follows
    /// what happens.
    package func hold() {
        guard origin == .pipe else { return }
        isHeld = true
        stop()
    }

    /// Delivers the lines that were kept, and reads further ones.
    package func goOn() {
        guard isHeld else { return }
        isHeld = false
        start()
        deliver()
    }

    private func read() {
        // A program in the background must not read: the shell has the terminal.
        guard origin == .pipe || tcgetpgrp(0) == getpgrp() else { return retryLater() }
        guard source != nil, isReadable else { return }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = bytes.withUnsafeMutableBytes { Foundation.read(0, $0.baseAddress, $0.count) }
        guard count > 0 else {
            guard count == 0 || errno != EINTR && errno != EAGAIN else { return }
            stop()
            isAtEnd = true
            // The last line may have no end.
            buffer.append([UInt8(ascii: "\n")])
            return deliver()
        }
        buffer.append(Array(bytes[..<count]))
        deliver()
        // The source is not called again for the rest of a pipe whose writer has gone.
        if isReadable { DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.read() } } }
    }

    /// Whether a read would not wait.
    private var isReadable: Bool {
        var state = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) > 0
    }

    private func deliver() {
        while !isHeld, let line = buffer.next() {
            switch line {
            case .text(let text): if !(isAtEnd && text.isEmpty) { take(text) }
            case .unfit(let problem):
                buffer = LineBuffer(limit: Self.limit)
                take(problem)
            }
        }
        if isAtEnd, !isHeld { ended() }
    }

    private func retryLater() {
        stop()
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { [weak self] in
            MainActor.assumeIsolated { self?.start() }
        }
    }
}
