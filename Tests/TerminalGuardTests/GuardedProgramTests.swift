import CPty
import Foundation
import Processes
import Synchronization
import TestSupport
import Testing

@testable import TerminalGuard
@testable import TerminalIO

@Suite("Guarded program")
struct GuardedProgramTests {
    @Test("Input that nobody has read is returned, also what was typed after the program's end")
    func unreadInput() throws {
        let test = try ProgramUnderTest(script: "exec sleep 600")
        test.type("before ")
        test.program.signal(SIGTERM)
        try test.wait(for: "end of the program") { $0.program.end != nil }
        test.type("after\n")
        test.program.release()
        #expect(String(decoding: test.program.unreadInput, as: UTF8.self) == "before after\n")
        test.program.close()
    }

    @Test(arguments: [0, 1, 42, 255])
    func theExitCodeIsReported(code: Int32) async throws {
        try await onOwnThread {
            let test = try ProgramUnderTest(script: "exit \(code)")
            #expect(try test.waitForEnd() == .exited(code))
            #expect(test.reports.count == 2)
            guard case .started(let process) = test.reports.first else {
                Issue.record("the start was not reported: \(test.reports)")
                return
            }
            #expect(process > 1)
        }
    }

    @Test(arguments: [SIGTERM, SIGKILL, SIGSEGV])
    func theSignalThatEndedTheProgramIsReported(number: Int32) async throws {
        try await onOwnThread {
            let test = try ProgramUnderTest(script: "ulimit -c 0; kill -\(number) $$")
            #expect(try test.waitForEnd() == .signaled(number))
        }
    }

    @Test(arguments: ["no-such-program-anywhere", "/no/such/program", ""])
    func aProgramThatDoesNotExistIsNotFound(name: String) async throws {
        try await onOwnThread {
            let test = try ProgramUnderTest(ProgramCommand([name]))
            #expect(try test.waitForEnd() == .notStarted(ENOENT))
            #expect(test.program.end?.exitCode == 127)
            #expect(test.program.end?.message(program: name)?.isEmpty == false)
        }
    }

    @Test func aFileThatIsNotExecutableIsNotStarted() async throws {
        try await onOwnThread {
            let folder = try TestFolder()
            let path = try folder.write("#!/bin/sh\n", to: "program")
            let test = try ProgramUnderTest(ProgramCommand([path]))
            #expect(try test.waitForEnd() == .notStarted(EACCES))
            #expect(test.program.end?.exitCode == 126)
        }
    }

    @Test("A script without an interpreter line runs in a shell")
    func scriptWithoutShebangRuns() async throws {
        try await onOwnThread {
            let folder = try TestFolder()
            let path = folder.path("script")
            try writeProgram("echo \"got $1 and $2\"\nexit 7\n", to: path)
            let test = try ProgramUnderTest(ProgramCommand([path, "a b", "c"]))
            #expect(try test.waitForEnd() == .exited(7))
            #expect(test.text == "got a b and c\n")
        }
    }

    @Test func theProgramIsSearchedOnItsOwnPath() async throws {
        try await onOwnThread {
            let folder = try TestFolder()
            try folder.write("not executable", to: "first/tool")
            try folder.write("", to: "second/other")
            try writeProgram("#!/bin/sh\necho second\n", to: folder.path("second/tool"))
            let path = "\(folder.path("none")):\(folder.path("first")):\(folder.path("second")):/bin"
            let test = try ProgramUnderTest(ProgramCommand(["tool"], environment: ["PATH": path]))
            #expect(try test.waitForEnd() == .exited(0))
            #expect(test.text == "second\n")
        }
    }

    @Test func argumentsAndVariablesNeedNotBeUnicode() async throws {
        try await onOwnThread {
            let script = Array("printf '%s' \"$1$V\" | od -An -tx1".utf8)
            let command = ProgramCommand(
                arguments: [Array("/bin/sh".utf8), Array("-c".utf8), script, [0x73, 0x68], [0xE9, 0xFF]],
                environment: ProcessVariables(entries: [Array("PATH=/usr/bin:/bin".utf8), Array("V=".utf8) + [0x80]])
            )
            let test = try ProgramUnderTest(command)
            try test.waitForEnd()
            #expect(test.text.split(whereSeparator: \.isWhitespace) == ["e9", "ff", "80"])
        }
    }

    @Test func aByteZeroInAnArgumentIsRefused() {
        #expect(throws: SystemError.self) { try ProgramUnderTest(ProgramCommand(["/bin/echo", "a\u{0}b"])) }
    }

    @Test func theProgramDoesNotStartBeforeItIsTold() async throws {
        try await onOwnThread {
            let folder = try TestFolder()
            let trace = folder.path("trace")
            let test = try ProgramUnderTest(ProgramCommand(["/bin/sh", "-c", "echo started > \(trace)"]), starts: false)
            // As if this process had ended.
            #expect(shutdown(test.program.channel, Int32(SHUT_WR)) == 0)
            try test.wait(for: "end of the monitor") { $0.program.end != nil }
            #expect(test.reports == [.ended(.signaled(SIGHUP))])
            test.program.close()
            #expect(!FileManager.default.fileExists(atPath: trace))
        }
    }

    @Test func aSignalDirectlyAfterTheStartIsNotLost() async throws {
        try await onOwnThread {
            let test = try ProgramUnderTest(ProgramCommand(["sleep", "600"]), starts: false)
            test.program.signal(SIGKILL)
            test.program.start()
            test.program.signal(SIGTERM)
            #expect(try test.waitForEnd() == .signaled(SIGTERM))
        }
    }

    @Test("Output of short programs is complete although they start while other threads allocate memory")
    func outputIsCompleteUnderLoad() async throws {
        let expected = (1...2000).map { "\($0)\n" }.joined() + "end\n"
        let (incomplete, ends) = try await onOwnThread {
            var incomplete = 0
            var ends: Set<Int32> = []
            for _ in 0..<200 {
                let test = try withAllocatingThreads(2) { try ProgramUnderTest(script: "seq 1 2000; echo end; exit 3") }
                let end = try test.waitForEnd()
                ends.insert(end?.exitCode ?? -1)
                if test.text != expected { incomplete += 1 }
            }
            return (incomplete, ends)
        }
        #expect(incomplete == 0)
        #expect(ends == [3])
    }

    // MARK: The terminal

    @Test("The program runs in the foreground of its controlling terminal")
    func programHasControllingTerminal() async throws {
        try await onOwnThread {
            // A read by a process in the background would stop it or fail.
            let script = "test -t 0 && test -t 1 && test -t 2 && stty size && read line </dev/tty && echo \"read: $line\""
            let test = try ProgramUnderTest(script: script)
            test.type("typed\n")
            #expect(try test.waitForEnd() == .exited(0))
            #expect(test.text.contains("30 100\n"))
            #expect(test.text.hasSuffix("read: typed\n"))
        }
    }

    @Test func controlZIsReportedAndTheProgramContinues() async throws {
        try await onOwnThread {
            let test = try ProgramUnderTest(ProgramCommand(["cat"]))
            try test.wait(for: "start") { !$0.reports.isEmpty }
            test.type("\u{1A}")
            try test.wait(for: "stop") { $0.reports.contains(.stopped(SIGTSTP)) }
            test.program.signal(SIGCONT)
            try test.wait(for: "continuation") { $0.reports.contains(.continued) }
            test.type("typed\n\u{04}")
            #expect(try test.waitForEnd() == .exited(0))
            #expect(test.text.contains("typed\ntyped\n"), "the echo and the output")
        }
    }

    @Test func aNewSizeReachesTheProgram() async throws {
        try await onOwnThread {
            let test = try ProgramUnderTest(script: "stty size; read line; stty size")
            try test.wait(forOutput: "30 100")
            test.program.resize(TerminalSize(columns: 70, rows: 20))
            test.type("\n")
            try test.waitForEnd()
            #expect(test.text.contains("20 70"))
        }
    }

    @Test func aSignalToAllReachesTheShellAndItsJob() async throws {
        try await onOwnThread {
            let script = "set -m; trap 'echo the shell got it' TERM; (echo ready; exec sleep 600); echo the job ended with $?"
            let test = try ProgramUnderTest(script: script)
            try test.wait(forOutput: "ready")
            test.program.signalAll(SIGTERM)
            #expect(try test.waitForEnd() == .exited(0))
            #expect(test.text.contains("the shell got it"))
            #expect(test.text.contains("the job ended with 143"))
        }
    }

    @Test func standardErrorThatWasRedirectedStaysSo() async throws {
        try await onOwnThread {
            let script = "test /dev/fd/1 -ef /dev/fd/2 && echo same || echo different"
            let shared = try ProgramUnderTest(script: script)
            try shared.waitForEnd()
            #expect(shared.text == "same\n")
            let redirected = try ProgramUnderTest(script: script, inheritsStandardError: true)
            try redirected.waitForEnd()
            #expect(redirected.text == "different\n")
        }
    }
}

/// Writes an executable file in another process. A file that this process writes can't be executed while a child of another
/// test has a copy of the descriptor (ETXTBSY).
private func writeProgram(_ text: String, to path: String) throws {
    let test = try ProgramUnderTest(script: "printf %s \"$1\" >\"$2\" && chmod 755 \"$2\"", text, path)
    let end = try test.waitForEnd()
    guard end == .exited(0) else { throw TestError("can't write \(path)", detail: test.text) }
}

/// Runs work beside threads that allocate all the time: a fork must not need a lock that one of them holds.
private func withAllocatingThreads<Result>(_ count: Int, _ work: () throws -> Result) rethrows -> Result {
    let mustEnd = EndFlag(), begun = DispatchSemaphore(value: 0)
    for _ in 0..<count {
        Thread.detachNewThread {
            var size = 1
            begun.signal()
            while !mustEnd.isSet {
                size = size * 7 % 9973
                withExtendedLifetime([UInt8](repeating: 1, count: size)) {}
            }
        }
    }
    defer { mustEnd.set() }
    for _ in 0..<count { begun.wait() }
    return try work()
}

private final class EndFlag: Sendable {
    private let flag = Mutex(false)

    var isSet: Bool { flag.withLock { $0 } }

    func set() {
        flag.withLock { $0 = true }
    }
}
