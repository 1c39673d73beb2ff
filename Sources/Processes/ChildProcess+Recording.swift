internal import CPty
import Foundation

extension ChildProcess {
    /// Runs a shell command in the terminal, as ``runShell(_:then:)`` does, and keeps the end of its output.
    ///
    /// Input, keys that send signals and questions for a password stay with the terminal. Output and errors pass through a
    /// pseudo-terminal, so that the command draws as it always does. Without a terminal on standard output nothing is kept. Whatever the
    /// command has left in the terminal is ended (``TerminalLoan``).
    /// - Parameters:
    ///   - variables: added to the environment.
    ///   - finish: called on the main actor when the command has ended and its output is shown. What a process writes that the command
    ///     has left behind is dropped then.
    @MainActor
    package static func runShell(
        _ command: String, adding variables: [String: String],
        keepingOutput finish: @escaping @MainActor @Sendable (End, OutputTail) -> Void
    ) {
        var start = ChildStart(["/bin/sh", "-c", command])
        start.environment = ProcessVariables.current.changed(by: variables)
        let loan = TerminalLoan()
        let terminal = cpty_standard(1)
        let copy = OutputCopy(to: terminal)
        start.descriptors = (0..<3).map { number in
            if number > 0, let copy { return .init(copy.slave, as: Int32(number)) }
            return .init(cpty_standard(Int32(number)), as: Int32(number))
        }.filter { $0.source != $0.number }
        guard let child = try? ChildProcess(start) else {
            copy?.close()
            return finish(.exit(127), OutputTail())
        }
        guard let copy else {
            return child.reap { end in
                loan?.end(resetting: true)
                finish(end, OutputTail())
            }
        }
        Thread.detachNewThread {
            let tail = copy.run(untilEndOf: child)
            let end = child.reap()
            loan?.end(resetting: true)
            DispatchQueue.main.async { MainActor.assumeIsolated { finish(end, tail) } }
        }
    }
}

/// A pseudo-terminal whose output is copied to the terminal.
private final class OutputCopy: @unchecked Sendable {
    // Used by the main actor before the start, and by one thread afterwards.
    private let terminal: Int32
    private var master: Int32 = -1
    private(set) var slave: Int32 = -1
    private var size = cpty_size()

    /// - Returns: nil if the descriptor is no terminal, or if the system has no pseudo-terminal left.
    init?(to terminal: Int32) {
        self.terminal = terminal
        guard cpty_is_terminal(terminal), cpty_get_size(terminal, &size) == 0 else { return nil }
        var modes = termios()
        guard cpty_get_modes(terminal, &modes) == 0 else { return nil }
        // The terminal itself makes a carriage return of each new line.
        modes.c_oflag &= ~tcflag_t(OPOST)
        guard cpty_open_pair(&modes, &size, &master, &slave) == 0 else { return nil }
        _ = cpty_set_nonblocking(master)
    }

    func close() {
        if slave >= 0 { _ = cpty_close(slave) }
        if master >= 0 { _ = cpty_close(master) }
        (slave, master) = (-1, -1)
    }

    func run(untilEndOf child: ChildProcess) -> OutputTail {
        _ = cpty_close(slave)
        slave = -1
        var tail = OutputTail()
        child.readOutput(from: master, betweenReads: followSize) {
            tail.append($0)
            write($0)
        }
        close()
        return tail
    }

    private func write(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { cpty_write(terminal, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == -Int(EAGAIN) {
                // Another program may have made the descriptor non-blocking.
                _ = cpty_wait_for_output(terminal, 1000)
            } else {
                return
            }
        }
    }

    private func followSize() {
        var present = cpty_size()
        guard cpty_get_size(terminal, &present) == 0,
            (present.columns, present.rows, present.width, present.height) != (size.columns, size.rows, size.width, size.height)
        else { return }
        size = present
        _ = cpty_set_size(master, &size)
    }
}
