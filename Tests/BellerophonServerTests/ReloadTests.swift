import BellerophonStore
import BellerophonTrust
import Foundation
import Logging
import TestSupport
import Testing

@testable import BellerophonServer

/// The files that a running server reloads.
@Suite struct ReloadTests {
    @Test func `another key signs everything at once`() async throws {
        let keys = try (0..<2).map { _ in try SigningKey.generate() }
        let trusted = try keys.map { try TrustedKeys([$0.publicKey.text]) }
        let folder = try TestFolder()
        let files = try keys.enumerated().map { number, key in
            let file = folder.url.appendingPathComponent("\(number).jwk")
            try key.write(newFile: file)
            return file.path
        }
        try await LiveServer.run({ $0.signingKey = files[0] }) { live in
            let opened = Watched(false)
            let events = Task {
                try await live.talk { stream in
                    try stream.openStream("/events.jws")
                    let first = try stream.read(through: "\n\n")
                    opened.update { $0 = true }
                    return [first, try stream.read(through: "\n\n")]
                }
            }
            _ = try await opened.wait(for: "stream") { $0 ? true : nil }
            #expect(throws: Never.self) { try trusted[0].verify(status: Self.body(live), at: Date()) }

            var newer = ServerConfiguration()
            newer.signingKey = files[1]
            _ = try await live.server.reload(newer)
            #expect(throws: Never.self) { try trusted[1].verify(status: Self.body(live), at: Date()) }
            for (event, keys) in zip(try await events.value, trusted) {
                let data = try #require(event.firstMatch(of: /\ndata: (\S+)\n\n/)?.1)
                #expect(throws: Never.self) { try keys.verify(status: Data(data.utf8), at: Date()) }
            }

            newer.signingKey = folder.path("none.jwk")
            await #expect(throws: ServerError.self) { try await live.server.reload(newer) }
            #expect(throws: Never.self) { try trusted[1].verify(status: Self.body(live), at: Date()) }
        }
    }

    private static func body(_ live: LiveServer) throws -> Data {
        let client = try WireClient(port: live.port)
        return Data(try client.answer(to: "/status.jws").body.utf8)
    }

    @Test func `new connections get the new certificate, and established ones go on`() async throws {
        let openssl = try TestCertificate.openssl()
        let store = try ServedStore()
        _ = try await TestCertificate.make(in: store.home, name: "one.example")
        let program = try store.serve([
            "--tls-certificate", store.home.path("certificate.pem"), "--tls-key", store.home.path("key.pem"),
        ])
        let port = try await store.port(program)
        func subject() async throws -> String {
            try await runCommand(openssl, ["s_client", "-connect", "127.0.0.1:\(port)"]).standardOutput
        }
        #expect(try await subject().contains("one.example"))

        // A connection opened before the reload, which sends another request after it.
        let folder = try TestFolder()
        let script = """
            request() { printf 'GET /alive HTTP/1.1\\r\\nHost: x\\r\\nConnection: %s\\r\\n\\r\\n' "$1"; }
            (request keep-alive; while [ ! -e "\(folder.path("go"))" ]; do sleep 0.01; done; request close) |
                "\(openssl)" s_client -quiet -ign_eof -connect 127.0.0.1:\(port)
            """
        let established = try RunningProgram("/bin/sh", ["-c", script], home: folder)
        _ = try await onOwnThread { try established.wait(for: "answer") { $0.contains("777") ? true : nil } }

        // A key that does not match the certificate is refused; the old certificate stays in use.
        let pem = try String(contentsOfFile: store.home.path("key.pem"), encoding: .utf8)
        _ = try await TestCertificate.make(in: store.home, name: "two.example")
        let newer = try String(contentsOfFile: store.home.path("key.pem"), encoding: .utf8)
        func writeKey(_ text: String) throws {
            chmod(try store.home.write(text, to: "key.pem"), 0o600)
        }
        try writeKey(pem)
        let refused = try await store.command("reload")
        #expect(refused.status == .exited(78))
        #expect(refused.standardError.contains("key.pem is not the key of"))
        #expect(try await subject().contains("one.example"))

        try writeKey(newer)
        let reloaded = try await store.command("reload")
        #expect(reloaded.status == .exited(0), "\(reloaded.standardError)")
        #expect(try await subject().contains("two.example"))
        #expect(program.log.contains("certificateExpires="))

        try folder.write("", to: "go")
        _ = try await onOwnThread { try established.waitForEnd() }
        #expect(established.log.components(separatedBy: "HTTP/1.1 200 OK").count == 3, "\(established.log)")
        #expect(established.log.hasSuffix("777"))
        try await store.stop()
    }

    @Test func `the log's level changes, and what needs a restart is named`() async throws {
        let store = try ServedStore()
        let file = try store.home.write("{}", to: "server.json")
        let program = try store.serve(["--config", file])
        _ = try await store.port(program)
        try store.home.write(#"{"log":{"level":"error"},"limits":{"idleTime":30},"stream":{"heartbeat":15}}"#, to: "server.json")
        let reloaded = try await store.command("reload")
        #expect(reloaded.standardOutput == "process \(program.pid) has reloaded its certificates, keys and log level\n")
        #expect(reloaded.standardError == "after a restart only: limits.idleTime\n", "15 is what holds without the setting")
        #expect(program.log.contains("these settings count after a restart only"))
        let before = program.log
        #expect(try await store.command("reload").status == .exited(0))
        #expect(program.log == before, "nothing below an error is logged any more")
        try store.home.write("{", to: "server.json")
        let refused = try await store.command("reload")
        #expect(refused.status == .exited(78))
        #expect(refused.standardError.contains("nothing was reloaded; the server continues unchanged: \(file): not JSON"))
        #expect(program.log.count > before.count)
        program.send(SIGTERM)
        #expect(try await onOwnThread { try program.waitForEnd() } == .exited(0))
    }

    @Test func differencesAreNamedByTheirSettings() throws {
        func configuration(_ text: String) throws -> ServerConfiguration {
            var configuration = ServerConfiguration()
            try configuration.apply(file: Data(text.utf8), origin: "test")
            return configuration
        }
        let old = try configuration(#"{"server":{"port":8080},"signing":{"key":"a"},"log":{"level":"info"}}"#)
        let new = try configuration(#"{"server":{"host":"0.0.0.0"},"signing":{"key":"b"},"log":{"level":"debug"}}"#)
        #expect(new.differences(from: old) == ["server.host", "signing.key", "log.level"])
        #expect(old.needingRestart(for: new) == ["server.host"])
        let plain = try configuration("{}")
        #expect(plain.needingRestart(for: new) == ["server.host", "signing.key"], "signing can't begin while it runs")
        let encrypted = try configuration(#"{"tls":{"certificate":"c","key":"k"}}"#)
        #expect(plain.needingRestart(for: encrypted) == ["tls.certificate", "tls.key"])
        #expect(encrypted.needingRestart(for: try configuration(#"{"tls":{"certificate":"d","key":"l"}}"#)) == [])
    }

    @Test("A logger follows the shared log level unless it has its own")
    func loggerFollowsSharedLevel() {
        let level = LogLevel(.info)
        let handler = LineLogHandler(format: .text, level: level)
        var own = handler
        own.logLevel = .trace
        #expect(handler.logLevel == .info)
        level.set(.critical)
        #expect(handler.logLevel == .critical)
        #expect(own.logLevel == .trace)
    }
}
