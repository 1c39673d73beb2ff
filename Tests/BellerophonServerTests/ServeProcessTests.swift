import Bellerophon
import BellerophonServer
import BellerophonStore
import Foundation
import TestSupport
import Testing

/// `bellerophon-server serve` as a process.
@Suite(.serialized) struct ServeProcessTests {
    private let served: ServedStore
    private var home: TestFolder { served.home }
    private var storeFolder: URL { served.folder }

    init() throws {
        served = try ServedStore()
    }

    private func refusal(_ arguments: [String], code: Int32 = 78) async throws -> String {
        let result = try await runServerCommand(["serve", "--create"] + arguments, home: home)
        #expect(result.status == .exited(code))
        return result.standardError
    }

    @Test func startsAnswersAndStopsOnASignal() async throws {
        let program = try RunningProgram(
            Products.path("bellerophon-server"), ["serve", "--create", "--store", storeFolder.path, "--log-format", "json"],
            home: home, environment: ["PORT": "0"]
        )
        let (status, log) = try await onOwnThread {
            let port = try program.wait(for: "address") { log in
                log.firstMatch(of: /"address":"http:\/\/127\.0\.0\.1:(\d+)"/).flatMap { UInt16($0.1) }
            }
            let stream = try WireClient(port: port)
            try stream.get("/events")
            _ = try stream.readHead()
            program.send(SIGTERM)
            guard case .closed = try stream.readToEnd() else { throw TestError("the stream was reset") }
            return (try program.waitForEnd(), program.log)
        }
        #expect(status == .exited(0))
        for line in log.split(separator: "\n") {
            #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: String])
        }
        #expect(log.hasSuffix("\"message\":\"stopped\"}\n"))
    }

    @Test("The option --check reports whether the server can start and changes nothing")
    func checkChangesNothing() async throws {
        func check(_ arguments: String...) async throws -> CommandResult {
            try await runServerCommand(["serve", "--check", "--store", storeFolder.path] + arguments, home: home)
        }
        let missing = try await check()
        #expect(missing.status == .exited(78) && missing.standardError.contains("there is no store"))
        #expect(!FileManager.default.fileExists(atPath: storeFolder.path))
        let store = try Store(folder: storeFolder, creates: true)
        _ = try await store.publish(Publication(action: .kill), by: "ada")
        let valid = try await check("--port", "0")
        #expect(valid.status == .exited(0) && valid.standardError.isEmpty, "\(valid)")
        #expect(valid.standardOutput.hasPrefix("the server can start\n") && valid.standardOutput.contains("newest row  #1"))
        let key = try await check("--signing-key", home.path("none.jwk"))
        #expect(key.status == .exited(78) && key.standardError.contains("signing.key: "))
        let taken = try HostileServer(.json("{}"))
        let address = try await check("--port", "\(taken.port)")
        #expect(address.status != .exited(0) && address.standardError.contains("in use by another program"))
    }

    /// An additional message is printed only if no server runs on the store.
    @Test func aChangeOfItsStoreIsSeenAtOnce() async throws {
        let program = try served.serve()
        _ = try await onOwnThread { try ServedStore.port(program) }
        let server = try Products.path("bellerophon-server")
        let served = try await runCommand(server, ["restore", "--json", "--store", storeFolder.path], home: home)
        #expect(served.standardError == "")
        program.send(SIGTERM)
        #expect(try await onOwnThread { try program.waitForEnd() } == .exited(0))
        let alone = try await runCommand(server, ["restore", "--json", "--store", storeFolder.path], home: home)
        #expect(
            alone.standardError
                == "no server runs on the store \(storeFolder.path); clients see this once one does, or after an export\n")
        #expect(alone.status == .exited(0))
    }

    @Test func saysWhyItCannotStart() async throws {
        let holder = try served.serve()
        let port = try await onOwnThread { try ServedStore.port(holder) }
        let other = home.path("other")
        // Transient and system errors: a supervisor restarts the server.
        #expect(
            try await refusal(["--store", other, "--port", "\(port)"], code: 75) == """
                bellerophon-server: 127.0.0.1 port \(port) is in use by another program; stop that one, or choose another port with --port or PORT

                """)
        #expect(
            try await refusal(["--store", storeFolder.path, "--port", "0"], code: 75) == """
                bellerophon-server: the store \(storeFolder.path) is locked by another server (process \(holder.pid)); \
                stop that one, or choose another folder with --store

                """)
        #expect(
            try await refusal(["--store", other, "--port", "0", "--host", "203.0.113.1"], code: 71) == """
                bellerophon-server: 203.0.113.1 port 0: this machine has no such address; use 127.0.0.1 for this machine only, \
                or 0.0.0.0 for all its addresses

                """)
        // Errors that only a person can correct.
        let file = try home.write(#"{"server":{"prot":80}}"#, to: "c.json")
        #expect(
            try await refusal(["--config", file]) == """
                bellerophon-server: \(file): line 1: server.prot: unknown key; did you mean server.port?

                """)
        #expect(
            try await refusal(["--config", "/nowhere.json"]) == """
                bellerophon-server: /nowhere.json: can't be read (no such file); check that it exists and who may read it

                """)
        #expect(
            try await refusal(["--tls-certificate", "/nowhere.pem", "--tls-key", "/nowhere.pem", "--store", other]) == """
                bellerophon-server: the TLS file /nowhere.pem can't be read (no such file); check that it exists and who may read it

                """)
        #expect(try await refusal(["--store", file]).contains("is a file, not a store's folder"))
    }

    @Test("Serving without TLS is a warning, unless the public URL says that a proxy adds it")
    func missingTLSIsLogged() async throws {
        for (url, isWarned) in [("", true), ("http://status.example.com", true), ("HTTPS://status.example.com", false)] {
            let arguments = url.isEmpty ? [] : ["--set", "server.publicURL=\(url)"]
            let program = try served.serve(["--host", "0.0.0.0"] + arguments)
            // The last line of a start in an empty store.
            let log = try await onOwnThread {
                try program.wait(for: "start") { $0.contains("nothing has been published") ? $0 : nil }
            }
            #expect(log.contains("unencrypted") == isWarned)
            program.send(SIGTERM)
            #expect(try await onOwnThread { try program.waitForEnd() } == .exited(0))
        }
    }

    @Test func answersOverTLS() async throws {
        let openssl = try TestCertificate.openssl()
        let (key, certificate) = try await TestCertificate.make(in: home)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        #expect(
            try await refusal(["--store", home.path("s3"), "--port", "0", "--tls-certificate", certificate, "--tls-key", key])
                .contains("the TLS key \(key) is not used: users other than its owner can read or change it (mode 644)"))
        // Debian has such keys for the group ssl-cert.
        try FileManager.default.setAttributes([.posixPermissions: getuid() == 0 ? 0o640 : 0o600], ofItemAtPath: key)
        if getuid() == 0 { try #require(chown(key, 0, 12_345) == 0) }
        let program = try served.serve(["--tls-certificate", certificate, "--tls-key", key])
        let port = try await onOwnThread { try ServedStore.port(program) }
        for request in [
            "GET /alive HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        ] {
            let answer = try await runCommand(
                openssl, ["s_client", "-quiet", "-connect", "127.0.0.1:\(port)", "-ign_eof"], input: request)
            #expect(answer.standardOutput.hasPrefix(request.contains("alive") ? "HTTP/1.1 200 OK" : "HTTP/1.1 404 Not Found"))
            #expect(answer.standardOutput.contains(request.contains("alive") ? "777" : "there is nothing at this path"))
        }
        // The certificate is not trusted, and the client reports it.
        let url = try #require(URL(string: "https://127.0.0.1:\(port)/status"))
        let failure = await withCheckedContinuation { continuation in
            _ = URLSessionStatusSource(url: url).fetchStatus { result in
                if case .failure(let error) = result { return continuation.resume(returning: error.description) }
                continuation.resume(returning: "")
            }
        }
        #expect(failure.hasPrefix("no secure connection: "))
        #expect(failure.contains("certificate"))
        let mismatched = try await runCommand(openssl, ["genrsa", "-out", home.path("other.pem"), "2048"])
        #expect(mismatched.status == .exited(0))
        #expect(
            try await refusal([
                "--store", home.path("s2"), "--port", "0", "--tls-certificate", certificate, "--tls-key", home.path("other.pem"),
            ])
            .contains("other.pem is not the key of \(certificate)"))
    }

    @Test("Acknowledged publications survive when the server is killed")
    func publicationSurvivesSIGKILL() async throws {
        let request = TokenRequest(name: "load", scopes: [.publish])
        let token = try await Store(folder: storeFolder, creates: true).createToken(request, by: "test").token
        let program = try served.serve()
        let acknowledged = try await onOwnThread {
            let client = try WireClient(port: ServedStore.port(program))
            let entries = try (1...20).map { number in
                let answer = try client.put("/status", #"{"action":"kill","message":"\#(number)"}"#, token: token)
                return try StoreJSON.value(JournalEntry.self, from: Data(answer.body.utf8))
            }
            program.send(SIGKILL)
            #expect(try program.waitForEnd() == .signalled(SIGKILL))
            return entries
        }
        let rows = try Store(folder: storeFolder).journal(JournalFilter(limit: 20))
        #expect(rows.map(\.document) == acknowledged.reversed().map(\.document))
    }
}
