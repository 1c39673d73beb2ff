import Foundation
import Synchronization

/// A private tmux server with one session. It ends when the object is released or with the test run.
final class Tmux: Sendable {
    static let session = "test"
    private let executable: String
    private let folder: TestFolder
    private let home: TestFolder
    private let leash: Leash

    private var socket: String { folder.path("tmux") }

    /// - Parameters:
    ///   - folder: for the socket and the session's files.
    ///   - home: the home folder of all programs in the session.
    /// - Throws: ``TestError`` that explains how to install tmux if it is missing.
    init(folder: TestFolder, home: TestFolder) throws {
        guard let executable = Products.find("tmux") else {
            throw TestError("tmux is missing, and this test needs it: \(Platform.howToGetTmux)")
        }
        self.executable = executable
        self.folder = folder
        self.home = home
        leash = try Leash(tmux: executable, folder: folder, home: home)
    }

    /// Starts the server and runs a shell script in its terminal.
    func start(script: String, columns: Int, rows: Int, options: [String: String] = [:]) async throws {
        let setup = [
            ["start-server"],
            ["set-option", "-s", "escape-time", "0"],
            ["set-option", "-s", "set-clipboard", "on"],
            ["set-option", "-g", "status", "off"],
            ["set-option", "-g", "default-terminal", Platform.terminal],
        ]
        let further = options.map { ["set-option", "-g", $0.key, $0.value] }
        let session = [
            ["new-session", "-d", "-s", Self.session, "-x", "\(columns)", "-y", "\(rows)", "/bin/sh", script],
            ["pipe-pane", "-t", Self.session, "cat >>'\(folder.path("output"))'"],
        ]
        try await run(Array((setup + further + session).joined(separator: [";"])))
    }

    /// Runs one tmux command and returns what it prints.
    @discardableResult
    func run(_ arguments: [String]) async throws -> String {
        let result = try await runCommand(
            executable, ["-u", "-S", socket, "-f", "/dev/null"] + arguments, home: home)
        guard result.status == .exited(0) else {
            throw TestError("tmux \(arguments.first ?? "") failed: \(result.status)", detail: result.standardError)
        }
        return result.standardOutput
    }
}

/// A shell that waits for the end of this process and then removes the remains of a session.
///
/// Without it, a test run that crashes or is interrupted would leave tmux servers running.
private final class Leash: Sendable {
    private static let script = """
        trap '' INT HUP TERM
        read -r word
        "$1" -S "$2/tmux" kill-server
        if [ -f "$2/group" ]; then
            group=$(cat "$2/group")
            for turn in 1 2 3 4 5 6 7 8 9 10; do
                [ ! -f "$2/status" ] || break
                [ $turn -ne 5 ] || kill -KILL "$(cat "$2/pid")"
                [ $turn -ne 9 ] || kill -KILL "-$group"
                sleep 0.05
            done
        fi
        [ "$word" = done ] || rm -rf "$2" "$3"
        """
    private let pid: pid_t
    private let line: Int32
    /// Retained until the end: the shell needs the socket in the folder.
    private let folders: [TestFolder]

    init(tmux: String, folder: TestFolder, home: TestFolder) throws {
        let ends = try Descriptors.pipe()
        let nowhere = try Descriptors.make { open("/dev/null", O_RDWR) }
        defer { [ends.read, nowhere].forEach { close($0) } }
        line = ends.write
        folders = [folder, home]
        pid = try Spawn.start(
            "/bin/sh", ["-c", Self.script, "leash", tmux, folder.url.path, home.url.path],
            environment: folder.environment(),
            input: ends.read, output: nowhere, error: nowhere
        )
    }

    deinit {
        // After an orderly end the owners of the folders remove them, since they may still read them.
        _ = "done\n".withCString { write(line, $0, 5) }
        close(line)
        let end = ContinuousClock.now + .seconds(5)
        while Spawn.poll(pid) == nil, ContinuousClock.now < end { usleep(2000) }
    }
}
