import Foundation
import Synchronization

/// A program that runs without a terminal while the test continues. Releasing the object ends it.
public final class RunningProgram: Sendable {
    public let pid: pid_t
    private let logPath: String
    /// After a successful wait the process identifier may be reused.
    private let ended = Mutex<ExitStatus?>(nil)

    /// - Parameters:
    ///   - home: the program's home folder; its output goes to `log` there.
    ///   - environment: added to a minimal environment.
    public init(
        _ executable: String, _ arguments: [String], home: TestFolder, environment: [String: String?] = [:]
    ) throws {
        logPath = home.path("log")
        let path = logPath
        let input = try Descriptors.make { open("/dev/null", O_RDONLY) }
        let output = try Descriptors.make { open(path, O_WRONLY | O_CREAT | O_APPEND | O_TRUNC, 0o600) }
        defer { [input, output].forEach { close($0) } }
        pid = try Spawn.start(
            executable, arguments, environment: home.environment(environment), input: input, output: output, error: output
        )
    }

    deinit {
        guard status == nil else { return }
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }

    /// The exit status; nil while the program runs.
    public var status: ExitStatus? {
        ended.withLock { ended in
            if ended == nil { ended = Spawn.poll(pid) }
            return ended
        }
    }

    /// The output so far, of standard output and standard error.
    public var log: String {
        String(decoding: FileManager.default.contents(atPath: logPath) ?? Data(), as: UTF8.self)
    }

    public func send(_ signal: Int32) {
        if status == nil { kill(pid, signal) }
    }

    /// Waits until `find` returns a value for the log, and returns it.
    /// - Throws: ``TestError`` with the log when the program ends before, or after the bound.
    public func wait<Found>(for subject: String, within bound: Duration = patience, _ find: (String) -> Found?) throws -> Found {
        try poll(for: subject, within: bound) { find(log) }
    }

    private func poll<Found>(for subject: String, within bound: Duration, _ find: () -> Found?) throws -> Found {
        let end = ContinuousClock.now + bound
        while ContinuousClock.now < end {
            if let found = find() { return found }
            usleep(5000)
        }
        throw TestError("no \(subject) within \(bound)", detail: log)
    }

    /// Waits until a bellerophon-server says its address on this machine, and returns that: `http://127.0.0.1:8080`.
    public func serverAddress() async throws -> String {
        try await onOwnThread { [self] in
            try wait(for: "address") { $0.firstMatch(of: /address="?(http:\/\/127\.0\.0\.1:\d+)/).map { String($0.1) } }
        }
    }

    /// Waits for the program's end.
    /// - Throws: ``TestError`` with the log after the bound.
    public func waitForEnd(within bound: Duration = patience) throws -> ExitStatus {
        // Without the log, which may be long.
        try poll(for: "end of the program", within: bound) { status }
    }
}
