import Foundation
import Processes
import TestSupport

@testable import TerminalGuard
@testable import TerminalIO

/// A program on a pseudo-terminal, with all that it has written and all that was reported of it. Used by one thread.
final class ProgramUnderTest {
    let program: GuardedProgram
    private(set) var reports: [GuardedProgram.Report] = []
    private(set) var output: [UInt8] = []
    private var hasOutputEnded = false

    /// The output with line feeds as the only line ends.
    var text: String { String(decoding: output, as: UTF8.self).replacing("\r\n", with: "\n") }

    static let size = TerminalSize(columns: 100, rows: 30)

    init(
        _ command: ProgramCommand, inheritsStandardError: Bool = false, inheritance: Inheritance = Inheritance(),
        starts: Bool = true
    ) throws {
        var options = GuardedProgram.Options()
        options.inheritance = inheritance
        program = try GuardedProgram(
            command, in: .terminal(modes: nil, size: Self.size, inheritsStandardError: inheritsStandardError), options)
        if starts { program.start() }
    }

    /// A shell script with a minimal environment.
    convenience init(
        script: String, _ arguments: String..., inheritsStandardError: Bool = false, inheritance: Inheritance = Inheritance()
    ) throws {
        let command = ProgramCommand(
            ["/bin/sh", "-c", script, "sh"] + arguments, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"])
        try self.init(command, inheritsStandardError: inheritsStandardError, inheritance: inheritance)
    }

    /// Reads reports and output until the condition holds.
    /// - Throws: ``TestError`` with the output after the bound.
    func wait(for subject: String, _ isFulfilled: (ProgramUnderTest) -> Bool) throws {
        let end = ContinuousClock.now + patience
        while !isFulfilled(self) {
            guard ContinuousClock.now < end else { throw TestError("no \(subject) within \(patience)", detail: text) }
            var descriptors = [
                pollfd(fd: program.end == nil ? program.channel : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: hasOutputEnded ? -1 : program.master, events: Int16(POLLIN), revents: 0),
            ]
            poll(&descriptors, 2, 1000)
            reports += program.readReports()
            switch program.read() {
            case .bytes(let bytes): output += bytes
            case .nothing: break
            case .ended: hasOutputEnded = true
            }
        }
    }

    /// Waits for text in the output.
    func wait(forOutput text: String) throws {
        try wait(for: "output \(text)") { $0.text.contains(text) }
    }

    /// Waits for the program's end and for the end of its output.
    @discardableResult
    func waitForEnd() throws -> ProgramEnd? {
        try wait(for: "end of the program") { $0.program.end != nil }
        program.release()
        try wait(for: "end of the output") { $0.hasOutputEnded }
        return program.end
    }

    func type(_ text: String) {
        _ = program.write(Array(text.utf8)[...])
    }
}

/// A named pipe, for what a process says that has lost its terminal.
final class NamedPipe {
    let path: String
    private let descriptor: Int32

    init(_ name: String, in folder: TestFolder) throws {
        path = folder.path(name)
        guard mkfifo(path, 0o600) == 0 else { throw TestError("no named pipe at \(path)") }
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw TestError("can't open \(path)") }
    }

    deinit {
        close(descriptor)
    }

    /// Reads the next line, without its end.
    func line() throws -> String {
        var bytes: [UInt8] = []
        while bytes.last != UInt8(ascii: "\n") {
            guard let byte = try next() else {
                throw TestError("the pipe has ended", detail: String(decoding: bytes, as: UTF8.self))
            }
            bytes.append(byte)
        }
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    /// Waits until no process has the pipe open any more. One must have written to it before.
    func waitForEnd() throws {
        while try next() != nil {}
    }

    /// The next byte; nil at the end.
    private func next() throws -> UInt8? {
        let end = ContinuousClock.now + patience
        while ContinuousClock.now < end {
            var byte: UInt8 = 0
            let count = read(descriptor, &byte, 1)
            if count == 1 { return byte }
            // Before the first writer a read returns 0 as at the end. Then poll reports no hang-up.
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            poll(&waiting, 1, 1000)
            if count == 0, waiting.revents & Int16(POLLHUP) != 0, waiting.revents & Int16(POLLIN) == 0 { return nil }
        }
        throw TestError("nothing came through \(path) within \(patience)")
    }
}
