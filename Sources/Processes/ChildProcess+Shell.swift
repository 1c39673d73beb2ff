internal import CPty
import Foundation

extension ChildProcess {
    /// Runs a shell command in the terminal, and calls the closure on the main actor when it has ended. The modes of the terminal are
    /// then those from before.
    @MainActor
    package static func runShell(_ command: String, then finish: @escaping @MainActor @Sendable (End) -> Void) {
        var start = ChildStart(["/bin/sh", "-c", command])
        // A view may have moved the descriptors of this process; its child gets the terminal.
        start.descriptors = (0..<3).filter { cpty_standard($0) != $0 }.map { .init(cpty_standard($0), as: $0) }
        let loan = TerminalLoan()
        guard let child = try? ChildProcess(start) else { return finish(.unknown) }
        child.reap { end in
            loan?.end(resetting: false)
            finish(end)
        }
    }

    /// Runs a shell command in a session of its own, without a terminal and without output, and calls the closure on the main
    /// actor when it has ended.
    ///
    /// What it and its processes write to standard error afterwards, also after the end of this process, is dropped, and ends none
    /// of them.
    /// - Parameters:
    ///   - input: what the command reads on standard input. A command that does not read it keeps nothing waiting.
    ///   - changes: variables that replace those of the environment; nil removes one.
    ///   - finish: is told the end, and the end of what was written to standard error.
    /// - Returns: the process, which is also its group; nil if the command can't be started, and the closure is not called.
    @MainActor
    package static func runDetachedShell(
        _ command: String, input: [UInt8], changes: [String: String?] = [:],
        then finish: @escaping @MainActor @Sendable (End, OutputTail) -> Void
    ) -> ChildProcess? {
        var start = ChildStart(["/bin/sh", "-c", command])
        start.group = .session
        if !changes.isEmpty { start.environment = ProcessVariables.current.changed(by: changes) }
        var errors: [Int32] = [-1, -1]
        guard cpty_make_pipe(&errors) == 0 else { return nil }
        defer { close(errors[1]) }
        // The command has both ends: a write is never one into a pipe without a reader, and never waits for one.
        _ = cpty_set_nonblocking(errors[1])
        start.descriptors = [.init(nil, as: 1), .init(errors[1], as: 2), .init(errors[0], as: errorsReader)]
        guard let child = try? ChildProcess(start, input: input) else {
            close(errors[0])
            return nil
        }
        Thread.detachNewThread { [reader = errors[0]] in
            var tail = OutputTail()
            child.readOutput(from: reader) { tail.append($0) }
            close(reader)
            let end = child.reap()
            DispatchQueue.main.async { [tail] in MainActor.assumeIsolated { finish(end, tail) } }
        }
        return child
    }

    /// The number of the second end in the command, which no script uses by accident.
    private static let errorsReader: Int32 = 19

    /// Reads what the child writes to a descriptor until it has ended. A process that it has left behind is not waited for.
    /// - Parameter betweenReads: called at least every 20 milliseconds, if it is given.
    func readOutput(
        from descriptor: Int32, betweenReads: (() -> Void)? = nil, _ append: (ArraySlice<UInt8>) -> Void
    ) {
        var buffer = [UInt8](repeating: 0, count: 8192)
        var isAtEnd = false
        while true {
            // What was written before the end can be read after it.
            let hasEnded = hasEnded
            while !isAtEnd {
                let count = cpty_read(descriptor, &buffer, buffer.count)
                guard count > 0 else {
                    isAtEnd = count != -Int(EAGAIN)
                    break
                }
                append(buffer[..<count])
            }
            if hasEnded { return }
            if isAtEnd, betweenReads == nil { return waitForExit() }
            betweenReads?()
            var probe = pollfd(fd: isAtEnd ? -1 : descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&probe, 1, 20)
        }
    }

    /// Starts a process that reads an input of any size on standard input. It is a file in memory, so a process that does not read it,
    /// and one that keeps it open after the child's end, keep nothing waiting.
    package convenience init(_ start: ChildStart, input: [UInt8]) throws(StartError) {
        let file = input.withUnsafeBytes { cpty_make_input($0.baseAddress, $0.count) }
        guard file >= 0 else { throw StartError(code: -file) }
        defer { close(file) }
        var start = start
        // First, because a number in the child can be that of the file here.
        start.descriptors.insert(.init(file, as: 0), at: 0)
        try self.init(start)
    }
}
