internal import CPty
import Foundation

extension ChildProcess {
    /// Runs a shell command in the terminal, and calls the closure on the main actor when it has ended.
    @MainActor
    package static func runShell(_ command: String, then finish: @escaping @MainActor @Sendable (End) -> Void) {
        var start = ChildStart(["/bin/sh", "-c", command])
        // A view may have moved the descriptors of this process; its child gets the terminal.
        start.descriptors = (0..<3).filter { cpty_standard($0) != $0 }.map { .init(cpty_standard($0), as: $0) }
        guard let child = try? ChildProcess(start) else { return finish(.unknown) }
        child.reap(then: finish)
    }

    /// Runs a shell command in a session of its own, without a terminal and without output, and calls the closure on the main
    /// actor when it has ended.
    /// - Parameter input: what the command reads on standard input. A command that does not read it keeps nothing waiting.
    /// - Returns: the process, which is also its group; nil if the command can't be started, and the closure is not called.
    @MainActor
    package static func runDetachedShell(
        _ command: String, input: [UInt8], then finish: @escaping @MainActor @Sendable (End) -> Void
    ) -> ChildProcess? {
        var start = ChildStart(["/bin/sh", "-c", command])
        start.group = .session
        start.descriptors = [.init(nil, as: 1), .init(nil, as: 2)]
        guard let child = try? ChildProcess(start, input: input) else { return nil }
        child.reap(then: finish)
        return child
    }

    /// Starts a process that reads an input on standard input. A process that does not read it keeps nothing waiting.
    package convenience init(_ start: ChildStart, input: [UInt8]) throws(StartError) {
        var ends: [Int32] = [-1, -1]
        let error = cpty_make_pipe(&ends)
        guard error == 0 else { throw StartError(code: -error) }
        // The child reads as from any pipe.
        _ = fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) & ~O_NONBLOCK)
        var start = start
        start.descriptors.append(.init(ends[0], as: 0))
        defer { close(ends[0]) }
        do {
            try self.init(start)
        } catch {
            close(ends[1])
            throw error
        }
        Self.feed(input, into: ends[1])
    }

    /// Writes the input on a thread of its own: how much a pipe takes at once depends on the machine.
    private static func feed(_ input: [UInt8], into descriptor: Int32) {
        Thread.detachNewThread {
            // A command that ends without reading must not end this process by SIGPIPE.
            cpty_block_all_signals()
            var rest = input[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { cpty_write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { break }
                rest = rest.dropFirst(count)
            }
            close(descriptor)
        }
    }
}
