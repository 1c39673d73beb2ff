import BellerophonStore
import Foundation
import TestSupport
import Testing

/// Safeguards against operator mistakes and server failures.
@Suite("Operators' safety")
struct OperatorSafetyTests {
    private let home: TestFolder
    private let folder: URL

    init() throws {
        home = try TestFolder()
        folder = home.url.appendingPathComponent("store")
    }

    private func run(_ arguments: String..., token: String? = nil) async throws -> CommandResult {
        try await runServerCommand(arguments, environment: ["BELLEROPHON_TOKEN": token], home: home)
    }

    // MARK: Stores

    @Test func aStoreIsMadeOnceAndOnPurpose() async throws {
        let missing = try await run("serve", "--store", folder.path, "--port", "0")
        #expect(missing.status == .exited(78))
        #expect(missing.standardError.contains("there is no store in \(folder.path)"))
        let kill = try await run("kill", "--yes", "--store", folder.path)
        #expect(kill.status == .exited(66))
        #expect(
            kill.standardError.hasPrefix("bellerophon-server: there is no store in \(folder.path)\n  `bellerophon-server init`"))
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        let made = try await run("init", "--store", folder.path)
        let identity = try Store(folder: folder).identity().prefix(8)
        #expect(made.standardOutput == "made the store \(folder.path) (\(identity))\n")
        #expect(
            try await run("init", "--store", folder.path).standardOutput
                == "there is a store already: \(folder.path) (\(identity))\n")
    }

    @Test func anEmptiedStoreIsNotServed() async throws {
        do {
            let store = try Store(folder: folder, creates: true)
            _ = try await store.publish(Publication(action: .kill), by: "ada")
        }
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: "\(folder.path)/store.sqlite\(end)") }
        try Data().write(to: folder.appendingPathComponent("store.sqlite"))
        for arguments in [["serve", "--port", "0"], ["serve", "--create", "--port", "0"], ["kill", "--yes"], ["status"]] {
            let result = try await runServerCommand(arguments + ["--store", folder.path], home: home)
            #expect(result.status != .exited(0))
            #expect(result.standardError.contains("was a store before and has no journal now"))
        }
    }

    @Test func aStoreBroughtBackIsTakenOver() async throws {
        do {
            let store = try Store(folder: folder, creates: true)
            _ = try await store.publish(Publication(action: .kill), by: "ada")
        }
        // As in a folder that has what a backup has.
        try FileManager.default.removeItem(at: folder.appendingPathComponent("last-row"))
        for command in [["serve", "--port", "0"], ["serve", "--check", "--port", "0"], ["restore"], ["status"]] {
            let refused = try await runServerCommand(command + ["--store", folder.path], home: home)
            #expect(refused.status == .exited(78))
            #expect(refused.standardError.contains("init --restored --store \(folder.path)"))
        }
        let result = try await run("init", "--restored", "--store", folder.path)
        #expect(result.standardOutput.hasSuffix("1 statuses and 0 resources are published again, from row #1000002\n"))
        #expect(try Store(folder: folder).status(.main)?.isBlocking == true)
    }

    /// Uses a small file system of its own, which only root can mount.
    @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
    func aStatusIsPublishedOnAFullDisk() async throws {
        let result = try await SmallDisk.run(
            """
            store="$disk/s"
            "$program" init --store "$store" >/dev/null || exit 1
            "$program" kill --yes --message one --store "$store" >/dev/null 2>&1 || exit 2
            dd if=/dev/zero of="$disk/fill" bs=4k 2>/dev/null
            "$program" resource put a "$program" --store "$store" 2>&1 | head -n 1
            for number in 1 2 3 4 5; do
                "$program" restore --store "$store" >/dev/null 2>&1 || exit 3
                "$program" kill --yes --message "full $number" --store "$store" >/dev/null 2>&1 || exit 4
            done
            "$program" history verify --store "$store" | head -n 1
            rm "$disk/fill"
            "$program" status --json --store "$store"
            test -e "$store/reserve" && echo "kept again"
            """,
            program: try Products.path("bellerophon-server"), home: home
        )
        #expect(result.status == .exited(0), "\(result.standardError)")
        let lines = result.standardOutput.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines.first?.contains("stay free for statuses") == true)
        #expect(lines.dropFirst().first == "11 rows")
        #expect(lines.dropFirst(2).first?.contains(#""message":"full 5""#) == true)
        #expect(lines.last == "kept again")
    }

    // MARK: Mistakes

    @Test func aMistypedAppStopsNobodyAndMakesNoApp() async throws {
        let store = try Store(folder: folder, creates: true)
        let result = try await run("kill", "--app", "ntoes", "--yes", "--store", folder.path)
        #expect(result.status == .exited(66))
        #expect(result.standardError.contains("nothing was ever published for an app \"ntoes\""))
        #expect(try await run("kill", "--app", "ntoes", "--dry-run", "--store", folder.path).status == .exited(66))
        #expect(try store.journal().isEmpty)
        #expect(try await run("kill", "--app", "notes", "--new", "--yes", "--store", folder.path).status == .exited(0))
        #expect(try await run("restore", "--app", "notes", "--store", folder.path).status == .exited(0))
    }

    @Test("Rollback, deletion and pruning of resources need confirmation")
    func resourceRemovalNeedsAnswer() async throws {
        let store = try Store(folder: folder, creates: true)
        for text in ["one", "two", "three"] {
            let content = try store.receive()
            try content.write(Data(text.utf8))
            _ = try await store.putResource("a", .content(content), by: "ada")
        }
        for command in [["rollback", "a"], ["delete", "a"], ["prune", "--keep", "1"]] {
            let result = try await runServerCommand(["resource"] + command + ["--store", folder.path], home: home)
            #expect(result.status == .exited(64))
        }
        #expect(try store.versions(of: "a").count == 3)
        let terminal = try await TerminalUnderTest(
            "bellerophon-server", arguments: ["resource", "prune", "--keep", "1", "--store", folder.path], columns: 100,
            home: home
        )
        try await terminal.wait(for: "v2, v1", "Remove this? [y/N]")
        try await terminal.type("y\n")
        #expect(try await terminal.waitForExit() == .exited(0))
        #expect(try store.versions(of: "a").map(\.version) == [3])
    }

    @Test("Copies of a store that were changed apart name their last common row, and what each has after it")
    func comparison() async throws {
        let copy = folder.deletingLastPathComponent().appendingPathComponent("copy b")
        do {
            let store = try Store(folder: folder, creates: true)
            for reason in ["first", "second"] {
                _ = try await store.publish(Publication(action: .kill, reason: reason), by: "ada")
            }
        }
        try FileManager.default.copyItem(at: folder, to: copy)
        let same = try await run("history", "compare", folder.path, copy.path)
        #expect(
            same.standardOutput.contains("all have is #2, with the digest ")
                && same.standardOutput.contains("copy b has no row after it"))
        do {
            let (a, b) = (try Store(folder: folder), try await StoreLocation.folder(copy).open(asItIs: true))
            for reason in ["lost kill", "lost lift"] {
                _ = try await a.publish(Publication(action: .restore, reason: reason), by: "ada")
            }
            _ = try await b.publish(Publication(action: .restore, reason: "other"), by: "bob")
        }
        let result = try await run("history", "compare", folder.path, copy.path)
        #expect(result.status == .exited(0) && result.standardOutput.hasPrefix("the last row that all have is #2,"))
        let parts = result.standardOutput.components(separatedBy: "has after it:")
        #expect(
            parts.count == 3 && parts[1].contains("lost kill") && parts[1].contains("lost lift") && !parts[1].contains("other"))
        #expect(parts[2].contains("other") && !parts[2].contains("lost"))
        let json = try await run("history", "compare", folder.path, copy.path, "--json")
        #expect(json.standardOutput.contains(#""common":2"#))
        #expect(try await run("history", "compare", folder.path).status == .exited(64))
    }

    @Test func theJournalIsVerified() async throws {
        let store = try Store(folder: folder, creates: true)
        let head = try #require(try await store.publish(Publication(action: .kill), by: "ada").digest)
        _ = try await store.publish(Publication(action: .restore), by: "ada")
        let result = try await run("history", "verify", "--head", head, "--store", folder.path)
        #expect(result.status == .exited(0))
        #expect(result.standardOutput.hasPrefix("2 rows\nhead #2 "))
        #expect(result.standardOutput.hasSuffix("nothing up to row #1 was changed since that was the head\n"))
        let other = String(repeating: "0", count: 64)
        #expect(try await run("history", "verify", "--head", other, "--store", folder.path).status == .exited(65))
        #expect(try await run("history", "verify", "--head", "abc", "--store", folder.path).status == .exited(64))
        #expect(try await run("history", "--limit", "1", "--store", folder.path).standardOutput.contains("#2"))
    }

    // MARK: Server failures

    private static let row =
        #"{"action":"kill","app":"default","at":"2026-11-22T06:00:00.000Z","channel":"main","document":"{}","id":7,"who":"ada"}"#

    private func kill(_ server: HostileServer, _ arguments: String...) async throws -> CommandResult {
        try await runServerCommand(
            ["kill", "--yes", "--server", "http://127.0.0.1:\(server.port)"] + arguments,
            environment: ["BELLEROPHON_TOKEN": "blp_test"], home: home
        )
    }

    @Test func aBusyServerIsAskedAgainWithTheSameKey() async throws {
        let server = try HostileServer(.json(Self.row, status: 201))
        server.enqueue(.busy(retryAfter: "0"), .hangUp, .busy(status: 429, retryAfter: "0"))
        let result = try await kill(server)
        #expect(result.status == .exited(0))
        #expect(result.standardOutput.hasPrefix("#7  default/main killed"))
        #expect(result.standardError.contains("the server is busy (HTTP 503); trying again, for at most"))
        let keys = server.requests.map { $0.header("Idempotency-Key") }
        #expect(keys.count == 4 && Set(keys).count == 1 && keys[0]?.count == 32)
    }

    @Test("A kill without a reply is reported as unknown, and a refused kill is not")
    func unansweredKillIsUnknown() async throws {
        let server = try HostileServer(.hangUp)
        let result = try await kill(server, "--timeout", "1", "--request-key", "incident-12")
        #expect(result.status == .exited(75))
        #expect(result.standardError.contains("it is not known whether the kill was carried out"))
        #expect(result.standardError.contains("--request-key incident-12: it is carried out once"))
        let busy = try HostileServer(.busy(retryAfter: "5"))
        let refused = try await kill(busy, "--timeout", "1")
        #expect(refused.status == .exited(75))
        #expect(!refused.standardError.contains("not known"))
    }

    /// Not retried automatically: a server without idempotency keys would perform it twice.
    @Test func aRollbackIsSentOnce() async throws {
        let server = try HostileServer(.hangUp)
        let result = try await runServerCommand(
            ["resource", "rollback", "a", "--yes", "--server", "http://127.0.0.1:\(server.port)"],
            environment: ["BELLEROPHON_TOKEN": "blp_test"], home: home
        )
        #expect(result.status == .exited(75))
        #expect(result.standardError.contains("it is not known whether the rollback was carried out"))
        #expect(server.requests.count == 1)
    }

    @Test func aWrongClockIsSaidToBe() async throws {
        let server = try HostileServer(.json(Self.row, status: 201, headers: ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"]))
        let result = try await kill(server)
        #expect(result.status == .exited(0))
        #expect(result.standardError.contains("the server's clock is "))
        #expect(result.standardError.contains(" behind this machine's; check both"))
    }
}
