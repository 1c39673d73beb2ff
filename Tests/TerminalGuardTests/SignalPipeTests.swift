import Foundation
import TestSupport
import Testing

@testable import TerminalGuard
@testable import TerminalIO

/// The signals of these tests are ignored by default, so that they do no harm outside a watch.
@Suite("Signal pipe", .serialized)
struct SignalPipeTests {
    @Test func signalsAreReadInTheirOrder() async throws {
        try await onOwnThread {
            let pipe = try SignalPipe([SIGURG, SIGWINCH])
            #expect(pipe.read() == [])
            raise(SIGWINCH)
            raise(SIGURG)
            #expect(pipe.read() == [SIGWINCH, SIGURG])
            #expect(pipe.read() == [])
        }
    }

    @Test func aSignalThatRepeatsIsReadOnce() async throws {
        try await onOwnThread {
            let pipe = try SignalPipe([SIGURG, SIGWINCH])
            // More than the pipe has room for.
            for _ in 0..<70_000 { raise(SIGURG) }
            raise(SIGWINCH)
            #expect(pipe.read() == [SIGURG, SIGWINCH])
            raise(SIGURG)
            #expect(pipe.read() == [SIGURG])
        }
    }

    @Test func aBlockedSignalIsUnblockedMeanwhile() async throws {
        try await onOwnThread {
            var set = sigset_t(), before = sigset_t()
            sigemptyset(&set)
            sigaddset(&set, SIGURG)
            pthread_sigmask(SIG_BLOCK, &set, &before)
            let pipe = try SignalPipe([SIGURG])
            raise(SIGURG)
            #expect(pipe.read() == [SIGURG])
            pipe.close()
            pthread_sigmask(SIG_SETMASK, nil, &set)
            #expect(sigismember(&set, SIGURG) == 1, "the former mask is back")
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
    }

    @Test func thereIsOnlyOneAtATime() async throws {
        try await onOwnThread {
            let pipe = try SignalPipe([SIGURG])
            #expect(throws: SystemError("watch signals", code: EBUSY)) { try SignalPipe([SIGWINCH]) }
            pipe.close()
            #expect(pipe.descriptor == -1)
            #expect(pipe.read() == [])
            let next = try SignalPipe([SIGWINCH])
            raise(SIGURG)
            raise(SIGWINCH)
            #expect(next.read() == [SIGWINCH], "the former watch is over")
        }
    }

    @Test func anImpossibleSignalIsAnError() async throws {
        try await onOwnThread {
            #expect(throws: SystemError("watch signals", code: EINVAL)) { try SignalPipe([SIGURG, SIGKILL]) }
            #expect(throws: SystemError("watch signals", code: EINVAL)) { try SignalPipe([0]) }
            #expect(throws: SystemError("watch signals", code: EINVAL)) { try SignalPipe([1000]) }
            let pipe = try SignalPipe([SIGURG])
            raise(SIGURG)
            #expect(pipe.read() == [SIGURG], "a failed watch leaves nothing behind")
        }
    }
}

@Suite("Ancestors")
struct AncestorTests {
    @Test func theParentIsAnAncestor() {
        #expect(OwnProcess.isAncestor(getppid()))
    }

    @Test func otherProcessesAreNone() async throws {
        #expect(!OwnProcess.isAncestor(getpid()))
        for process in [0, -1, Int32.min, Int32.max] { #expect(!OwnProcess.isAncestor(process)) }
        let child = try await onOwnThread {
            let test = try ProgramUnderTest(script: "echo $$; read line")
            try test.wait(forOutput: "\n")
            return OwnProcess.isAncestor(test.program.process ?? 0)
        }
        #expect(!child)
    }
}
