import BellerophonTrust
import Foundation
import TestSupport
import Testing

/// The folder `deploy/` of this checkout.
enum DeployFolder {
    /// The server name in nginx.conf.
    static let host = "status.example.com"
    static let address = "https://\(host)"

    static func text(_ name: String) throws -> String {
        try String(contentsOf: repository.appendingPathComponent("deploy/\(name)"), encoding: .utf8)
    }

    /// The text of a file with replaced parts. It throws if a part does not occur, so that the test runs the deployed
    /// file.
    static func text(_ name: String, replacing places: [(String, String)]) throws -> String {
        var text = try text(name)
        for (place, replacement) in places {
            guard text.contains(place) else { throw TestError("deploy/\(name) has no '\(place)'") }
            text = text.replacingOccurrences(of: place, with: replacement)
        }
        return text
    }
}

/// `bellerophon-server` behind nginx with the configuration of `deploy/`, both on the loopback interface.
final class Deployment {
    let originPort: UInt16
    let port: UInt16
    /// The server's home folder, with its store.
    private let folder: TestFolder
    private let nginxHome: TestFolder
    private let token: String
    private let publicURL: String
    /// The server's signing key.
    private let key: SigningKey
    private var origin: RunningProgram?
    private let nginx: RunningProgram

    /// - Parameter publicURL: the server's URL in manifests; empty to use the address of the request.
    init(publicURL: String = DeployFolder.address) async throws {
        self.publicURL = publicURL
        nginxHome = try TestFolder()
        folder = try TestFolder()
        originPort = try freePort()
        port = try freePort()
        token = try await Self.makeToken(in: folder)
        key = try SigningKey.generate()
        try key.write(newFile: folder.url.appendingPathComponent("signing.jwk"))
        nginx = try Nginx.start(Self.site(in: nginxHome, port: port, originPort: originPort), in: nginxHome)
        try await nginx.listens(on: port)
        try await startOrigin()
    }

    /// Starts the server with the same store and port as before.
    func startOrigin() async throws {
        let server = try RunningProgram(
            "bellerophon-server",
            ["serve", "--store", folder.path("store"), "--port", "\(originPort)", "--signing-key", folder.path("signing.jwk")]
                + (publicURL.isEmpty ? [] : ["--set", "server.publicURL=\(publicURL)"]), home: folder)
        try await server.listens(on: originPort)
        origin = server
    }

    /// Kills the server without an orderly shutdown.
    func killOrigin() async throws {
        let server = try #require(origin)
        server.send(SIGKILL)
        _ = try await onOwnThread { try server.waitForEnd() }
        origin = nil
    }

    /// Sends a request to nginx, or directly to the server, on its own connection.
    func ask(
        _ method: String, _ path: String, host: String = DeployFolder.host, at port: UInt16? = nil, _ headers: String...,
        body: String = ""
    ) throws -> Reply {
        let client = try WireClient(port: port ?? self.port)
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        let lines = ["\(method) \(path) HTTP/1.1", "Host: \(host)", "Connection: close"] + headers + length
        try client.send(lines.map { $0 + "\r\n" }.joined() + "\r\n" + body)
        return try Reply(bytes: client.readBytesToEnd())
    }

    /// Publishes directly on the server's address.
    @discardableResult
    func publish(_ body: String, to path: String = "/status", type: String = "application/json") throws -> Reply {
        let reply = try ask("PUT", path, at: originPort, authorization, "Content-Type: \(type)", body: body)
        guard reply.status == 201 else { throw TestError("\(path) was not published", detail: "\(reply)") }
        return reply
    }

    /// The keys of a client that trusts the server's key.
    func trusted() throws -> TrustedKeys { try TrustedKeys([key.publicKey.text]) }

    var authorization: String { "Authorization: Bearer \(token)" }

    private static func makeToken(in folder: TestFolder) async throws -> String {
        let store = try await runCommand("bellerophon-server", ["init", "--store", folder.path("store")], home: folder)
        guard store.status == .exited(0) else { throw TestError("no store", detail: store.standardError) }
        let made = try await runCommand(
            "bellerophon-server",
            ["token", "create", "--name", "test", "--scope", "publish", "--store", folder.path("store"), "--json"], home: folder)
        struct Made: Decodable { let token: String }
        guard made.status == .exited(0) else { throw TestError("no token", detail: made.standardError) }
        return try JSONDecoder().decode(Made.self, from: Data(made.standardOutput.utf8)).token
    }

    /// The deployed site with the test's ports and folders.
    private static func site(in folder: TestFolder, port: UInt16, originPort: UInt16) throws -> String {
        try DeployFolder.text(
            "nginx.conf",
            replacing: [
                ("server 127.0.0.1:8080;", "server 127.0.0.1:\(originPort);"),
                ("listen 80;", "listen 127.0.0.1:\(port);"),
                ("listen [::]:80;", ""),
                ("/var/cache/bellerophon-nginx", folder.path("cache")),
            ])
    }
}

extension RunningProgram {
    /// Waits until the program accepts connections.
    func listens(on port: UInt16) async throws {
        try await eventually("connection") {
            if let status { throw TestError("the program has ended: \(status)", detail: log) }
            return try? WireClient(port: port)
        }
    }
}

/// A reply as received until the end of its connection.
struct Reply: CustomStringConvertible {
    let status: Int
    let head: String
    let body: [UInt8]

    init(bytes: [UInt8]) throws {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            throw TestError("no reply", detail: String(decoding: bytes, as: UTF8.self))
        }
        head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        body = Array(bytes[end.upperBound...])
        status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    var text: String { String(decoding: body, as: UTF8.self) }
    var description: String { head + "\n\n" + text }

    /// The value of a header field.
    func header(_ name: String) -> String? {
        for line in head.split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
        return nil
    }
}
