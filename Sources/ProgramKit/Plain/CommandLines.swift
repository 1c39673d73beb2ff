import Dispatch
import Foundation
import LocalControl

/// Reads the lines that a person types.
@MainActor
package final class CommandLines {
    private var source: (any DispatchSourceRead)?
    private static let limit = 256
    private var buffer = LineBuffer(limit: limit)
    private let take: (String) -> Void
    private let ended: () -> Void

    /// - Parameters:
    ///   - take: called with every line, without its end.
    ///   - ended: called when the input has ended.
    package init(_ take: @escaping (String) -> Void, ended: @escaping () -> Void) {
        self.take = take
        self.ended = ended
    }

    package func start() {
        let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read() } }
        source.resume()
        self.source = source
    }

    package func stop() {
        source?.cancel()
        source = nil
    }

    private func read() {
        // A program in the background must not read: the shell has the terminal.
        guard tcgetpgrp(0) == getpgrp() else { return retryLater() }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = bytes.withUnsafeMutableBytes { Foundation.read(0, $0.baseAddress, $0.count) }
        guard count > 0 else {
            guard count == 0 || errno != EINTR else { return }
            stop()
            return ended()
        }
        buffer.append(Array(bytes[..<count]))
        while let line = buffer.next() {
            switch line {
            case .text(let text): take(text)
            case .unfit(let problem):
                buffer = LineBuffer(limit: Self.limit)
                take(problem)
            }
        }
    }

    private func retryLater() {
        stop()
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { [weak self] in
            MainActor.assumeIsolated { self?.start() }
        }
    }
}
