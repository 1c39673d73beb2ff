import Foundation
import TestSupport
import Testing

@testable import Processes

@Suite("Child processes")
struct ChildProcessTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func shell(_ command: String, _ change: (inout ChildStart) -> Void = { _ in }) throws -> ChildProcess {
        var start = ChildStart(["/bin/sh", "-c", command])
        change(&start)
        return try ChildProcess(start)
    }

    @Test("It ends with its exit code or its signal")
    func end() throws {
        #expect(try shell("exit 3").reap() == .exit(3))
        #expect(try shell("kill -9 $$").reap() == .signal(SIGKILL))
        let child = try shell("exec sleep 1000")
        #expect(child.killAndReap() == .signal(SIGKILL))
        #expect(child.reap() == .signal(SIGKILL), "the end is kept")
    }

    @Test("It gets the listed descriptors and no others", .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func descriptors() throws {
        // A library may open a descriptor without close-on-exec.
        let leaked = fcntl(2, F_DUPFD, 20), listed = open(folder.path("output"), O_WRONLY | O_CREAT, 0o600)
        defer { for descriptor in [leaked, listed] { close(descriptor) } }
        let child = try shell("for each in 0 1 2 3 \(leaked); do test -e /proc/self/fd/$each && echo $each; done >&3") {
            $0.descriptors = [.init(nil, as: 0), .init(nil, as: 1), .init(2, as: 2), .init(listed, as: 3)]
            $0.firstClosed = 4
        }
        child.reap()
        #expect(folder.text("output")?.split(separator: "\n") == ["0", "1", "2", "3"])
    }

    @Test("No signal is blocked or ignored in it", .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func signals() throws {
        let former = signal(SIGUSR1, SIG_IGN)
        defer { signal(SIGUSR1, former) }
        let path = folder.path("signals")
        try shell("grep -E '^Sig(Blk|Ign)' /proc/self/status >'\(path)'").reap()
        let masks = try #require(folder.text("signals")).split(separator: "\n").compactMap {
            UInt64($0.split(separator: "\t").last ?? "", radix: 16)
        }
        // The C library keeps two signals for itself and ignores them in a new process.
        #expect(masks.map { $0 & ~(0b11 << 31) } == [0, 0])
    }

    @Test("It gets the given environment")
    func environment() throws {
        let path = folder.path("environment")
        try shell("echo \"$ONLY:$HOME\" >'\(path)'") { $0.environment = ["ONLY": "this"] }.reap()
        #expect(folder.text("environment") == "this:")
    }

    @Test("It leads a group, or a session, if the start says so", arguments: [ChildStart.Group.shared, .own, .session])
    func group(_ group: ChildStart.Group) throws {
        let child = try shell("exec sleep 1000") { $0.group = group }
        defer { child.killAndReap() }
        #expect((getpgid(child.number) == child.number) == (group != .shared))
        #expect((getsid(child.number) == child.number) == (group == .session))
    }

    @Test("A signal to its group ends what it has started as well")
    func signalToGroup() async throws {
        let path = folder.path("child")
        let child = try shell("sleep 1000 & echo $! >'\(path)'; wait") { $0.group = .own }
        let sleeper = try await eventually("the command") { folder.text("child").flatMap { pid_t($0.dropLast()) } }
        child.signalGroup(SIGTERM)
        #expect(child.reap() == .signal(SIGTERM))
        try await eventually("the end of its child") { kill(sleeper, 0) != 0 ? () : nil }
    }

    @Test("After it was reaped no signal is sent")
    func signalAfterwards() throws {
        let child = try shell("exit 0") { $0.group = .own }
        #expect(child.reap() == .exit(0))
        child.signalGroup(SIGKILL)
        #expect(child.killAndReap() == .exit(0))
    }

    @Test("It reads an input of any length, and one that does not read keeps nothing waiting")
    func input() throws {
        let path = folder.path("input"), text = String(repeating: "0123456789abcde\n", count: 20_000)
        let start = ChildStart(["/bin/sh", "-c", "cat >'\(path)'"])
        #expect(try ChildProcess(start, input: Array(text.utf8)).reap() == .exit(0))
        #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
        #expect(try ChildProcess(ChildStart(["/bin/sh", "-c", "exit 0"]), input: Array(text.utf8)).reap() == .exit(0))
    }

    @Test("What it leaves in the background still reads its input after its end")
    func inputOfBackground() async throws {
        let (path, go) = (folder.path("input"), folder.path("go"))
        let text = String(repeating: "0123456789abcde\n", count: 20_000)
        let command = "exec 3<&0; (until [ -e '\(go)' ]; do sleep 0.01; done; cat <&3 >'\(path)') & exit 0"
        #expect(try ChildProcess(ChildStart(["/bin/sh", "-c", command]), input: Array(text.utf8)).reap() == .exit(0))
        try folder.write("", to: "go")
        try await eventually("the input") { FileManager.default.contents(atPath: path) == Data(text.utf8) ? () : nil }
    }

    @Test(
        "Its end in words",
        arguments: [
            (ChildProcess.End.exit(0), "finished"), (.exit(3), "failed with exit code 3"), (.signal(2), "was interrupted"),
        ])
    func words(end: ChildProcess.End, words: String) {
        #expect(end.description == words)
    }

    @Test("The browser is the first of BROWSER, and there is none without a display")
    func browser() {
        #expect(Browser(environment: ["BROWSER": "/usr/bin/w3m -N:firefox"])?.name == "w3m")
        #expect(Browser(environment: ["PATH": "/nowhere", "DISPLAY": ":0"]) == nil)
    }
}
