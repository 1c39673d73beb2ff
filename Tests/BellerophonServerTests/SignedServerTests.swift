import Bellerophon
import BellerophonStore
import BellerophonTrust
import Foundation
import TestSupport
import Testing

@testable import BellerophonServer

/// Signed documents over the wire, from key generation to verification by a client.
@Suite struct SignedServerTests {
    private let served: ServedStore
    private var home: TestFolder { served.home }

    init() throws {
        served = try ServedStore()
    }

    private func command(_ arguments: String...) async throws -> CommandResult {
        try await runServerCommand(arguments, home: home)
    }

    private func serve(_ arguments: [String] = []) throws -> RunningProgram {
        try served.serve(["--signing-key", home.path("key.jwk")] + arguments)
    }

    private static func get(_ path: String, _ port: UInt16) throws -> WireAnswer {
        let client = try WireClient(port: port)
        return try client.answer(to: path)
    }

    private static func verify(_ text: String, _ keys: TrustedKeys) throws -> VerifiedStatus {
        try keys.verify(status: Data(text.utf8), at: Date())
    }

    // MARK: End to end

    @Test func aClientBelievesWhatAServerWithItsKeySays() async throws {
        let made = try await command("keygen", home.path("key.jwk"))
        #expect(made.status == .exited(0))
        let keys = try TrustedKeys([made.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)])
        let before = Watched<VerifiedStatus?>(nil)
        let program = try serve()
        let reading = Task {
            try await onOwnThread {
                let port = try ServedStore.port(program)
                let stream = try WireClient(port: port)
                try stream.get("/events.jws")
                _ = try stream.readHead()
                let first = try Self.verify(Self.get("/status.jws", port).body, keys)
                let plain = try Self.get("/status", port).body
                #expect(try StatusDocument(json: first.document) == StatusDocument(json: Data(plain.utf8)))
                #expect(try Self.event(stream, keys) == first)
                before.update { $0 = first }
                let pushed = try Self.event(stream, keys)
                let answer = try Self.get("/status.jws", port)
                #expect(try Self.verify(answer.body, keys) == pushed)
                #expect(answer.field("Content-Type") == "application/jose")
                program.send(SIGTERM)
                #expect(try program.waitForEnd() == .exited(0))
                return pushed
            }
        }
        let first = try await before.wait(for: "first event") { $0 }
        let kill = try await command("kill", "--store", home.path("store"), "--message", "Back at noon.", "--yes")
        #expect(kill.status == .exited(0))
        let pushed = try await reading.value
        #expect(pushed.proof.serial > first.proof.serial)
        #expect(try StatusDocument(json: pushed.document).stage == .killed)
        #expect(try StatusDocument(json: pushed.document).message == "Back at noon.")
    }

    /// The status of the stream's next event.
    private static func event(_ stream: WireClient, _ keys: TrustedKeys) throws -> VerifiedStatus {
        while true {
            let text = try stream.read(through: "\n\n")
            guard text.contains("event: status\n") else { continue }
            let line = text.split(separator: "\n").first { $0.hasPrefix("data: ") } ?? ""
            return try verify(String(line.dropFirst(6)), keys)
        }
    }

    @Test("A signing key that others can read stops the server with instructions")
    func readableKeyStopsServer() async throws {
        _ = try await command("keygen", home.path("key.jwk"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: home.path("key.jwk"))
        let refused = try await command(
            "serve", "--create", "--store", home.path("store"), "--port", "0", "--signing-key", home.path("key.jwk"))
        #expect(refused.status == .exited(78))
        #expect(
            refused.standardError.hasPrefix(
                "bellerophon-server: signing.key: \(home.path("key.jwk")) can be read or changed by others"))
        #expect(refused.standardError.contains("run chmod 600 on it"))
    }

    @Test("A server lowers cache times that are longer than its signatures last")
    func longCachingIsLowered() async throws {
        _ = try await command("keygen", home.path("key.jwk"))
        let program = try serve(["--set", "cache.sharedMaxAge=40000", "--set", "cache.staleWhileRevalidate=4000"])
        try await onOwnThread {
            let port = try ServedStore.port(program)
            let cache = try Self.get("/status.jws", port).field("Cache-Control")
            #expect(cache == "public, max-age=0, s-maxage=40000, stale-while-revalidate=3200, stale-if-error=3200")
            program.send(SIGTERM)
            #expect(try program.waitForEnd() == .exited(0))
        }
    }

    // MARK: keygen

    @Test("The keygen command prints the public key and never overwrites a file")
    func keygenNeverOverwrites() async throws {
        let path = home.path("key.jwk")
        let made = try await command("keygen", path)
        let key = try SigningKey.read(file: URL(fileURLWithPath: path)).publicKey
        #expect(made.standardOutput == "\(key.text)\n")
        #expect(made.standardError.contains("clients: \"trust\": {\"keys\": [\"\(key.text)\"]}"))
        let again = try await command("keygen", path)
        #expect(again.status == .exited(73))
        #expect(again.standardError.contains("is there already, and a key is never overwritten"))
        #expect(again.standardOutput == "")
        let shown = try await command("keygen", "--public", path)
        #expect(shown.standardOutput == "\(key.text)\n")
        #expect(shown.standardError == "")
        #expect(try await command("keygen", "--public", home.path("none")).status == .exited(66))
    }

    // MARK: Responses

    @Test("Without a signing key the signed paths reply HTTP 404 with instructions")
    func missingKeyIsExplained() async throws {
        try await LiveServer.talk { client, _ in
            for path in ["/status.jws", "/events.jws", "/v1/apps/default/status.jws", "/GBCloudBoxResourcesMeta.jws/help.txt"] {
                let answer = try client.answer(to: path)
                #expect(answer.code == 404 && answer.problem == .notSigned, "\(path)")
            }
        }
    }

    @Test func theSignedPathsAnswerAsThePlainOnesDo() async throws {
        let file = home.url.appendingPathComponent("key.jwk")
        try SigningKey.generate().write(newFile: file)
        try await LiveServer.talk({ $0.signingKey = file.path }) { client, _ in
            let first = try client.answer(to: "/status.jws")
            let tag = try #require(first.field("ETag"))
            #expect(try client.answer(to: "/status.jws", "If-None-Match: \(tag)").code == 304)
            try client.send("HEAD /status.jws HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.answer(isHead: true).field("Content-Length") == "\(first.body.utf8.count)")
            for (path, problem) in [
                ("/v1/apps/none/status.jws", ProblemType.unknownApp), ("/v1/apps/none/events.jws", .unknownApp),
                ("/GBCloudBoxResourcesMeta.jws/none", .notFound),
            ] {
                let answer = try client.answer(to: path)
                #expect(answer.code == 404 && answer.problem == problem, "\(path)")
            }
            #expect(try client.put("/status.jws", "{}", token: "x").code == 405)
        }
    }

    @Test func bytesElsewhereWithoutADigestAreNotSigned() async throws {
        let file = home.url.appendingPathComponent("key.jwk")
        try SigningKey.generate().write(newFile: file)
        try await LiveServer.talk({ $0.signingKey = file.path }) { client, token, _ in
            let external = #"{"url":"https://cdn.example/a","md5":"900150983cd24fb0d6963f7d28e17f72"}"#
            let put = try client.put(
                "/v1/resources/far", external, token: token, "Content-Type: application/vnd.bellerophon.external+json")
            #expect(put.code == 201, "\(put.body)")
            let answer = try client.answer(to: "/GBCloudBoxResourcesMeta.jws/far")
            #expect(answer.code == 404 && answer.problem == .notSigned)
        }
    }

    // MARK: Export

    @Test("An export signs documents again only when they change or half their lifetime has passed")
    func exportSignsWhenNeeded() async throws {
        _ = try await command("keygen", home.path("key.jwk"))
        let key = try SigningKey.read(file: URL(fileURLWithPath: home.path("key.jwk")))
        let keys = try TrustedKeys([key.publicKey.text])
        try home.write("abc", to: "help.txt")
        let store = ["--store", home.path("store")]
        _ = try Store(folder: home.url.appendingPathComponent("store"), creates: true)
        let program = try Products.path("bellerophon-server")
        for arguments in [["kill", "--message", "one", "--yes"], ["resource", "put", "help.txt", home.path("help.txt")]] {
            #expect(try await runCommand(program, arguments + store, home: home).status == .exited(0))
        }
        let export = { (more: [String]) async throws -> CommandResult in
            try await runCommand(
                program, ["export", home.path("public"), "--public-url", "https://cdn.example"] + store + more, home: home)
        }
        let sign = ["--signing-key", home.path("key.jwk")]
        #expect(try await export(sign).standardOutput == "8 written, 0 unchanged, 0 removed\n")
        let text = try #require(home.text("public/status.jws"))
        let status = try Self.verify(text, keys)
        #expect(try StatusDocument(json: status.document).stage == .killed)
        #expect(home.text("public/v1/apps/default/status.jws") == text)
        let manifest = try #require(home.text("public/GBCloudBoxResourcesMeta.jws/help.txt"))
        let json = try keys.verify(manifest: Data(manifest.utf8), of: "help.txt", at: Date())
        #expect(String(decoding: json, as: UTF8.self).contains(#""url":"../GBCloudBoxResourcesData/help.txt/1""#))
        #expect(home.text("public/_headers")?.contains("/status.jws\n  Content-Type: application/jose\n") == true)
        // A second export changes nothing.
        #expect(try await export(sign).standardOutput == "0 written, 8 unchanged, 0 removed\n")
        // A file past half of its lifetime.
        let old = try key.sign(
            status: Data(try #require(home.text("public/status")).utf8), audience: "default/main", serial: status.proof.serial,
            issuedAt: Date(timeIntervalSinceNow: -43_300), lifetime: .seconds(86_400))
        try home.write(old, to: "public/status.jws")
        #expect(try await export(sign).standardOutput == "1 written, 7 unchanged, 0 removed\n")
        #expect(
            try Self.verify(try #require(home.text("public/status.jws")), keys).proof.issuedAt
                > status.proof.issuedAt.addingTimeInterval(-1))
        // A file signed with another key, one with another lifetime, one with another status.
        try home.write(
            try #require(home.text("public/status.jws")).replacing(".", with: "A.", maxReplacements: 1), to: "public/status.jws")
        #expect(try await export(sign).standardOutput == "1 written, 7 unchanged, 0 removed\n")
        #expect(try await export(sign + ["--signing-lifetime", "600"]).standardOutput == "3 written, 5 unchanged, 0 removed\n")
        #expect(try await runCommand(program, ["restore"] + store, home: home).status == .exited(0))
        #expect(try await export(sign + ["--signing-lifetime", "600"]).standardOutput == "4 written, 4 unchanged, 0 removed\n")
        #expect(try Self.verify(try #require(home.text("public/status.jws")), keys).proof.serial > status.proof.serial)
        // Without the key they are removed only on request.
        let refused = try await export([])
        #expect(refused.status == .exited(64))
        #expect(refused.standardError.contains("give --signing-key, or --unsigned to remove the signed documents"))
        #expect(home.text("public/status.jws") != nil)
        #expect(try await export(sign + ["--unsigned"]).status == .exited(64))
        #expect(try await export(["--unsigned"]).standardOutput == "0 written, 5 unchanged, 3 removed\n")
        #expect(home.text("public/status.jws") == nil)
        #expect(try await export(sign + ["--signing-lifetime", "59"]).status == .exited(64))
    }
}
