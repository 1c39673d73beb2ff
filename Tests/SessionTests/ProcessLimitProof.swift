import Foundation
import TestSupport
import Testing

/// Programs at the limit of processes and threads of their user. The system does not enforce it for root, so that another user runs them.
@Suite("A limit of processes")
struct ProcessLimitProof {
    private static var canSwitchUser: Bool {
        geteuid() == 0 && Products.find("setpriv") != nil && Products.find("prlimit") != nil
    }

    @Test(
        "A check at a limit of processes ends with an error in words, or with its result",
        .enabled(if: canSwitchUser, "that needs root, setpriv and prlimit"))
    func checkEndsAtLimit() async throws {
        let home = try TestFolder()
        let (program, setpriv) = (home.path("bellerophon"), try #require(Products.find("setpriv")))
        // By another process: one that a test forks meanwhile would keep the copy open, and it could not be executed.
        _ = try await runCommand("/bin/cp", [try Products.path("bellerophon"), program])
        for path in [home.url.path, program] { chmod(path, 0o755) }
        // One after the other: the limit is of all processes of the user.
        for limit in 1...12 {
            let result = try await runCommand(
                setpriv,
                [
                    "--reuid", "65534", "--regid", "65534", "--clear-groups", "prlimit", "--nproc=\(limit):\(limit)", program,
                    "check", "--timeout", "3", "http://127.0.0.1:9/status",
                ], home: home)
            let what = "\(limit): \(result.status) \(result.standardError)"
            if limit < 7 {
                #expect(result.status == .exited(71), "\(what)")
                #expect(result.standardError.hasPrefix("bellerophon: too few threads are allowed: 6 are needed and "), "\(what)")
                #expect(
                    result.standardError.hasSuffix(" are free; raise the limit, for example with `ulimit -u 256`\n"), "\(what)")
            } else {
                #expect(result.status == .exited(12) && result.standardOutput.contains("stage:    unknown"), "\(what)")
            }
        }
    }
}
