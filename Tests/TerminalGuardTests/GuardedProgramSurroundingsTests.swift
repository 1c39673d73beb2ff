import Foundation
import TestSupport
import Testing

@testable import TerminalGuard

/// What a program inherits, and what becomes of it when its terminal goes.
@Suite("Guarded program's surroundings")
struct GuardedProgramSurroundingsTests {
    // MARK: The end

    @Test(arguments: ["", "kill -STOP $$; "])
    func closingTheTerminalHangsTheProgramUp(before: String) async throws {
        try await onOwnThread {
            let folder = try TestFolder(), pipe = try NamedPipe("pipe", in: folder)
            let test = try ProgramUnderTest(script: "exec 9>\"$1\"; echo ready >&9; \(before)exec sleep 600", pipe.path)
            #expect(try pipe.line() == "ready")
            if !before.isEmpty { try test.wait(for: "stop") { $0.reports.contains(.stopped(SIGSTOP)) } }
            test.program.close()
            try pipe.waitForEnd()
        }
    }

    @Test func theEndOfTheMonitorIsAHangUp() async throws {
        try await onOwnThread {
            let folder = try TestFolder(), pipe = try NamedPipe("pipe", in: folder)
            let test = try ProgramUnderTest(script: "exec 9>\"$1\"; echo $PPID >&9; exec sleep 600", pipe.path)
            let monitor = try #require(Int32(pipe.line()))
            kill(monitor, SIGKILL)
            try test.wait(for: "end") { $0.program.end != nil }
            #expect(test.program.end == .signaled(SIGHUP))
            try pipe.waitForEnd()
        }
    }

    @Test("Closing the terminal does not hang up a process left running by the program")
    func leftoverProcessIsNotHungUp() async throws {
        try await onOwnThread {
            let folder = try TestFolder(), pipe = try NamedPipe("pipe", in: folder)
            let question = folder.path("question")
            #expect(mkfifo(question, 0o600) == 0)
            let script =
                "(exec 9>\"$1\"; echo ready >&9; read line <\"$2\"; echo \"$line\" >&9) </dev/null >/dev/null 2>&1 & exit 0"
            let test = try ProgramUnderTest(script: script, pipe.path, question)
            #expect(try pipe.line() == "ready")
            #expect(try test.waitForEnd() == .exited(0))
            test.program.close()
            // Opening it waits for the reader; a process that was hung up would not come.
            let writer = open(question, O_RDWR | O_CLOEXEC)
            #expect(write(writer, "alive\n", 6) == 6)
            #expect(try pipe.line() == "alive")
            close(writer)
        }
    }

    // MARK: What is inherited

    @Test func exactlyTheGivenDescriptorsAreInherited() async throws {
        try await onOwnThread {
            let folder = try TestFolder()
            let path = try folder.write("content", to: "file")
            let descriptors = [open(path, O_RDONLY), open(path, O_RDONLY), open(path, O_RDONLY)]
            defer { descriptors.forEach { close($0) } }
            let script = "for d in \"$@\"; do test -e /dev/fd/$d && cat /dev/fd/$d || echo \" none\"; done"
            let names = descriptors.map(String.init)
            let test = try ProgramUnderTest(
                script: script, names[0], names[1], names[2],
                inheritance: Inheritance(descriptors: [descriptors[2], 2, descriptors[0], -1])
            )
            try test.waitForEnd()
            #expect(test.text == "content none\ncontent")
        }
    }

    @Test func anIgnoredHangUpStaysIgnored() async throws {
        try await onOwnThread {
            let script = "kill -HUP $$; echo survived"
            let ignoring = try ProgramUnderTest(script: script, inheritance: Inheritance(ignoredSignals: [SIGHUP, SIGCHLD]))
            #expect(try ignoring.waitForEnd() == .exited(0))
            #expect(ignoring.text == "survived\n")
            #expect(try ProgramUnderTest(script: script).waitForEnd() == .signaled(SIGHUP))
        }
    }

    #if os(Linux)
    @Test func theSignalMaskIsTheGivenOne() async throws {
        try await onOwnThread {
            // Without a shell, which changes its mask.
            let command = ProgramCommand(["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"])
            let inheritance = Inheritance(ignoredSignals: [SIGQUIT], blockedSignals: [SIGUSR1, SIGTERM])
            let test = try ProgramUnderTest(command, inheritance: inheritance)
            try test.waitForEnd()
            // Bit n - 1 is signal n. Those from 32 on include signals that the system's library keeps for itself.
            let masks = test.text.split(separator: "\n").map { (UInt64($0.suffix(16), radix: 16) ?? 0) & 0x7FFF_FFFF }
            let blocked: UInt64 = 1 << (SIGUSR1 - 1) | 1 << (SIGTERM - 1), ignored: UInt64 = 1 << (SIGQUIT - 1)
            #expect(masks == [blocked, ignored])
        }
    }
    #endif

    @Test("The recorded inheritance lists sorted descriptors above 2 and never ignores SIGKILL")
    func inheritanceIsPlausible() {
        let inheritance = Inheritance.ofThisProcess
        #expect(inheritance.descriptors.allSatisfy { $0 > 2 })
        #expect(inheritance.descriptors == inheritance.descriptors.sorted())
        #expect(!inheritance.ignoredSignals.contains(SIGKILL))
    }
}
