import Foundation
import TestSupport
import Testing

/// Tests of `runCommand`, which runs commands without a terminal.
@Suite struct RunCommandTests {
    @Test func separatesTheStreamsAndTheStatus() async throws {
        let result = try await runCommand("/bin/sh", ["-c", "cat; echo problem >&2; exit 12"], input: "one\ntwo\n")
        #expect(result.status == .exited(12))
        #expect(result.standardOutput == "one\ntwo\n")
        #expect(result.standardError == "problem\n")
    }

    @Test func takesMoreThanAPipeHolds() async throws {
        let result = try await runCommand("/bin/sh", ["-c", "head -c 300000 /dev/zero; head -c 200000 /dev/zero >&2"])
        #expect(result.standardOutput.utf8.count == 300_000)
        #expect(result.standardError.utf8.count == 200_000)
    }

    @Test func startsChildrenWithNoSignalBlocked() async throws {
        let result = try await runCommand("/bin/sh", ["-c", "kill -TERM $$; echo survived"])
        #expect(result.status == .signalled(SIGTERM))
        #expect(result.standardOutput.isEmpty)
    }

    @Test func endsACommandThatDoesNotEnd() async throws {
        let (text, limit) = try await withLongEnoughLimit("output") { limit in
            let failure = await #expect(throws: TestError.self) {
                try await runCommand("/bin/sh", ["-c", "echo begun; sleep 1000"], within: limit)
            }
            return failure.map(\.description).flatMap { $0.contains("begun") ? $0 : nil }
        }
        #expect(text.contains("did not end within \(limit)\nbegun"))
    }
}
