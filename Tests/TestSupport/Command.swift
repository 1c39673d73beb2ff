import Foundation

/// The output and exit status of a command without a terminal.
public struct CommandResult: Sendable {
    public let status: ExitStatus
    public let standardOutput: String
    public let standardError: String
}

/// Runs a command to its end, in its own home folder and without a terminal.
/// - Parameters:
///   - executable: the name of one of this package's programs, or a path.
///   - environment: added to a minimal environment; nil removes a variable.
///   - input: standard input; empty by default.
///   - home: the command's home folder; a new one by default.
///   - bound: the time after which the command is killed.
/// - Throws: ``TestError`` with the output so far when the bound is reached, or when the command does not start.
public func runCommand(
    _ executable: String, _ arguments: [String] = [], environment: [String: String?] = [:],
    input: String = "", home: TestFolder? = nil, within bound: Duration = patience,
    file: StaticString = #fileID, line: UInt = #line
) async throws -> CommandResult {
    let place = Place(file: file, line: line)
    return try await onOwnThread {
        let home = try home ?? TestFolder()
        let command = try RunningCommand(executable, arguments, home.environment(environment), input: input)
        guard let result = command.finish(within: bound) else {
            let name = ([executable] + arguments).joined(separator: " ")
            throw TestError("\(name) did not end within \(bound)", detail: command.outputSoFar, at: place)
        }
        return withExtendedLifetime(home) { result }
    }
}

/// Runs `bellerophon` to its end, without a terminal.
public func bellerophon(
    _ arguments: [String], environment: [String: String?] = [:], input: String = "", home: TestFolder? = nil,
    file: StaticString = #fileID, line: UInt = #line
) async throws -> CommandResult {
    try await runCommand(
        "bellerophon", arguments, environment: environment, input: input, home: home, file: file, line: line)
}

/// Runs `bellerophon` to its end, without a terminal.
public func bellerophon(
    _ arguments: String..., environment: [String: String?] = [:], input: String = "", home: TestFolder? = nil,
    file: StaticString = #fileID, line: UInt = #line
) async throws -> CommandResult {
    try await bellerophon(arguments, environment: environment, input: input, home: home, file: file, line: line)
}

/// Runs `bellerophon-server` to its end, without a terminal.
public func runServerCommand(
    _ arguments: [String], environment: [String: String?] = [:], input: String = "", home: TestFolder? = nil,
    file: StaticString = #fileID, line: UInt = #line
) async throws -> CommandResult {
    try await runCommand(
        "bellerophon-server", arguments, environment: environment, input: input, home: home, file: file, line: line)
}

/// A child process and its output pipes, used by one thread.
private final class RunningCommand {
    private let pid: pid_t
    /// Standard output and standard error; -1 after the end of file.
    private var pipes: [Int32]
    private var collected: [[UInt8]] = [[], []]

    init(_ executable: String, _ arguments: [String], _ environment: [String: String], input: String) throws {
        let source = try Self.fileToRead(input)
        let output = try Descriptors.pipe()
        let error = try Descriptors.pipe()
        defer { [source, output.write, error.write].forEach { close($0) } }
        pipes = [output.read, error.read]
        pid = try Spawn.start(
            executable, arguments, environment: environment,
            input: source, output: output.write, error: error.write
        )
    }

    deinit {
        for pipe in pipes where pipe >= 0 { close(pipe) }
    }

    var outputSoFar: String {
        collected.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }

    /// Collects the output until the command ends; kills its process group at the bound and returns nil.
    func finish(within bound: Duration) -> CommandResult? {
        let end = ContinuousClock.now + bound
        while ContinuousClock.now < end {
            collect()
            guard let status = Spawn.poll(pid) else { continue }
            while collect() {}
            return CommandResult(
                status: status, standardOutput: String(decoding: collected[0], as: UTF8.self),
                standardError: String(decoding: collected[1], as: UTF8.self)
            )
        }
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        return nil
    }

    /// Reads output, waiting up to 5 ms for it.
    /// - Returns: whether there was any.
    @discardableResult
    private func collect() -> Bool {
        var pollers = pipes.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&pollers, 2, 5) > 0 else { return false }
        var hadOutput = false
        for index in pipes.indices where pollers[index].revents != 0 {
            var buffer = [UInt8](repeating: 0, count: 65536)
            let count = read(pipes[index], &buffer, buffer.count)
            if count > 0 {
                collected[index] += buffer[..<count]
                hadOutput = true
            } else {
                close(pipes[index])
                pipes[index] = -1
            }
        }
        return hadOutput
    }

    /// A file instead of a pipe: a child that does not read cannot block this process or end it with SIGPIPE.
    private static func fileToRead(_ text: String) throws -> Int32 {
        guard !text.isEmpty else { return try Descriptors.make { open("/dev/null", O_RDONLY) } }
        let folder = try TestFolder()
        let path = try folder.write(text, to: "input")
        return try withExtendedLifetime(folder) { try Descriptors.make { open(path, O_RDONLY) } }
    }
}
