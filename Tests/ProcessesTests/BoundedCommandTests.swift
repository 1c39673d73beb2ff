import Foundation
import Processes
import TestSupport
import Testing

@Suite("A command within limits")
struct BoundedCommandTests {
    private func command(_ script: String, limit: Duration = patience, outputLimit: Int = 4096) -> BoundedCommand {
        BoundedCommand(["/bin/sh", "-c", script], limit: limit, outputLimit: outputLimit)
    }

    @Test func itsOutputAndItsErrorsAreRead() throws {
        #expect(
            command("echo one; echo two >&2; exit 3").run()
                == CommandOutput(bytes: Array("one\n".utf8), errorBytes: Array("two\n".utf8), outcome: .ended(.exit(3))))
        #expect(command("kill -9 $$").run().outcome == .ended(.signal(SIGKILL)))
        #expect(BoundedCommand(["/nowhere/tool"], limit: patience).run().outcome == .notStarted(StartError(code: ENOENT)))
    }

    @Test func itsEnvironmentCanBeChanged() throws {
        var one = command("echo $HOME-$KEPT-$LC_ALL-${GONE-none}")
        let variables: ProcessVariables = ["HOME": "/home/a", "KEPT": "1", "LC_ALL": "de_DE", "GONE": "x"]
        one.environment = variables.changed(by: ["LC_ALL": "C", "GONE": nil])
        #expect(one.run().text == "/home/a-1-C-none\n")
    }

    @Test func itKnowsWhoAsks() throws {
        #expect(command("echo $BELLEROPHON_GUARD_ASKS").run().text == "\(getpid())\n")
    }

    @Test func aLongOutputIsWholeUpToItsLimit() throws {
        let script = "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; i=$((i+1)); done"
        let whole = command(script, outputLimit: 1 << 20).run()
        #expect(whole.bytes.count == 123_000)
        #expect(whole.outcome == .ended(.exit(0)))
        let cut = command(script, outputLimit: 100).run()
        #expect(cut.bytes.count == 100)
        #expect(cut.outcome == .full)
        let errors = command("(" + script + ") >&2", outputLimit: 100).run()
        #expect(errors.bytes.isEmpty && errors.errorBytes.count == 100)
        #expect(errors.outcome == .full)
    }

    @Test func aProgramThatDoesNotWaitForItsReaderLosesNothing() throws {
        // A pipe that does not wait would make such a program fail.
        let script = "head -c 300000 /dev/zero | tr '\\0' x"
        #expect(command(script, outputLimit: 1 << 20).run().bytes.count == 300_000)
    }

    @Test func aProcessThatIsLeftBehindKeepsNothingWaiting() async throws {
        // It has the pipe, and is in the command's group.
        let output = command("sleep 1000 & echo $!").run()
        #expect(output.outcome == .ended(.exit(0)))
        let left = try #require(Int32(output.text.dropLast()))
        try await eventually("end of the process") { Self.runs(left) ? nil : () }
    }

    @Test("At the limit of time it is killed, and what it has started with it")
    func atTheLimitOfTimeItIsKilled() async throws {
        let (pids, _) = try await withLongEnoughLimit("numbers of the processes") { limit in
            let output = command("trap '' TERM INT HUP; sleep 1000 & echo $! $$; wait", limit: limit).run()
            #expect(output.outcome == .late)
            let pids = output.text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
            return pids.count == 2 ? pids : nil
        }
        try await eventually("end of both processes") { pids.contains(where: Self.runs) ? nil : () }
        #expect(command("echo 1", limit: .zero).run().outcome != .full)
    }

    @Test("When the process that asks ends, however it ends, the command and what it has started are killed")
    func itEndsWithTheProcessThatAsks() async throws {
        var start = ChildStart(["/bin/sh", "-c", "sleep 1000 & echo $! $$ >\"$FILE\"; wait"])
        let folder = try TestFolder()
        start.environment = ProcessVariables.current.changed(by: ["FILE": folder.path("pids")])
        start.endsWithThisProcess = true
        // The system closes the descriptors of a process that ends; here the object does.
        var child: ChildProcess? = try ChildProcess(start)
        let pids = try await eventually("start of both processes") {
            let pids = (folder.text("pids") ?? "").split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
            return pids.count == 2 ? pids : nil
        }
        let keeper = try #require(child?.number)
        child = nil
        try await eventually("end of both processes") { pids.contains(where: Self.runs) ? nil : () }
        waitpid(keeper, nil, 0)
    }

    @Test("A variable that is not UTF-8 reaches the command unchanged")
    func aVariableOfAnyBytes() throws {
        var one = command("printf %s \"$NAME\" | od -An -tx1; echo \"$OTHER\"")
        let path = Array("PATH=\(ProcessVariables.current["PATH"] ?? "")".utf8)
        one.environment = ProcessVariables(entries: [path, Array("NAME=".utf8) + [0xE9, 0xFF]])
        one.environment?["OTHER"] = "new"
        #expect(one.run().text.split(whereSeparator: \.isWhitespace) == ["e9", "ff", "new"])
    }

    /// A process that has ended and that nobody has waited for does not run.
    private static func runs(_ pid: Int32) -> Bool {
        guard kill(pid, 0) == 0 else { return false }
        return FileManager.default.contents(atPath: "/proc/\(pid)/stat").map {
            !String(decoding: $0, as: UTF8.self).contains(") Z ")
        } ?? true
    }
}
