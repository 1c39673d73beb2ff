import BellerophonStore
import Foundation
import TestSupport
import Testing

@testable import BellerophonServer

/// A disk without room: what the server says of it, and what it reserves.
struct FullDiskTests {
    /// Uses a small file system of its own, which only root can mount.
    @Test(
        "A full disk refuses publishing at once, and the reserve is created again afterwards",
        .enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
    func fullDiskRefusesPublishing() async throws {
        let home = try TestFolder()
        let script = try home.write(
            """
            import http.client, json, os, re, subprocess, sys, time
            disk, program = os.environ["disk"], sys.argv[1]
            store = disk + "/s"
            def run(*arguments):
                command = [program, *arguments, "--store", store]
                return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
            run("init")
            token = run("token", "create", "--name", "ada", "--scope", "publish").split()[-1]
            log = open(disk + "/../log", "w+")
            server = subprocess.Popen([program, "serve", "--store", store, "--port", "0"], stderr=log, stdout=log)
            def ask(method, path, body=None):
                connection = http.client.HTTPConnection("127.0.0.1", port)
                connection.request(method, path, body, {"Authorization": "Bearer " + token})
                reply = connection.getresponse()
                return reply.status, reply.read().decode()
            def until(find):
                end = time.monotonic() + 180
                while time.monotonic() < end:
                    found = find()
                    if found: return found
                    time.sleep(0.05)
                raise TimeoutError(ask("GET", "/ready"))
            def address():
                found = re.search(r"listening address=http://127.0.0.1:(\\d+)", open(log.name).read())
                return found and int(found[1])
            port = until(address)
            try:
                until(lambda: ask("GET", "/ready")[0] == 200)
                fill = os.open(disk + "/fill", os.O_WRONLY | os.O_CREAT)
                document = json.dumps({"action": "kill", "message": "x" * 4000})
                for number in range(3000):
                    try:
                        while True: os.write(fill, b"f" * 4096)
                    except OSError: pass
                    status, text = ask("PUT", "/status", document)
                    if status >= 300: break
                print("refused", status)
                print("ready", *ask("GET", "/ready"))
                print(re.search(r"\\nbellerophon_store_writable .", ask("GET", "/metrics")[1])[0].strip())
                print("published before", number > 0, "reserve", os.path.exists(store + "/reserve"))
                os.ftruncate(fill, 0)
                until(lambda: ask("GET", "/ready")[0] == 200)
                print("ready again, reserve", os.path.getsize(store + "/reserve"))
                print("published", ask("PUT", "/status", document)[0])
            finally:
                server.terminate()
            """, to: "fill.py")
        let result = try await SmallDisk.run(
            "python3 '\(script)' \"$program\"", program: try Products.path("bellerophon-server"), home: home)
        #expect(result.status == .exited(0), "\(result.standardError)")
        #expect(
            result.standardOutput == """
                refused 507
                ready 503 {"ready":false,"reasons":["the disk that holds the store is full"]}
                bellerophon_store_writable 0
                published before True reserve False
                ready again, reserve 8388608
                published 201

                """)
    }

    @Test("An upload over a token's quota does not release the reserved disk space")
    func quotaErrorKeepsReserve() async throws {
        let home = try TestFolder()
        let store = try Store(folder: home.url.appendingPathComponent("s"), creates: true)
        _ = try await store.createToken(TokenRequest(name: "ci", scopes: [.publish], quota: 3), by: "ada")
        #expect(FileManager.default.fileExists(atPath: home.path("s/reserve")))
        let content = try store.receive()
        try content.write(Data("1234".utf8))
        await #expect(throws: StoreError.self) { try await store.putResource("a", .content(content), by: .token("ci")) }
        #expect(FileManager.default.fileExists(atPath: home.path("s/reserve")))
        #expect(store.writeTrouble == nil)
    }

    @Test func theReservedSpaceIsMadeAgainByTheCheck() throws {
        let home = try TestFolder()
        let store = try Store(folder: home.url.appendingPathComponent("s"), creates: true)
        try FileManager.default.removeItem(atPath: home.path("s/reserve"))
        try store.checkWritable()
        #expect(FileManager.default.fileExists(atPath: home.path("s/reserve")))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path("s/incoming")).isEmpty)
    }
}

/// A file system of 80 MiB in memory, mounted for one script only.
enum SmallDisk {
    private static let mount = "mount -t tmpfs -o size=80m none \"$disk\""

    static let isPossible: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "command -v unshare >/dev/null && disk=/mnt unshare -m sh -c '\(mount)' 2>/dev/null"]
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    static func run(_ script: String, program: String, home: TestFolder) async throws -> CommandResult {
        let disk = home.path("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        return try await runCommand(
            "/usr/bin/env", ["unshare", "-m", "sh", "-c", "\(mount) || exit 9\n\(script)"],
            environment: ["disk": disk, "program": program], home: home
        )
    }
}
