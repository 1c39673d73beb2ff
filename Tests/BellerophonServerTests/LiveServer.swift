import BellerophonStore
import Foundation
import Logging
import TestSupport

@testable import BellerophonServer

/// A server on a free port with its own store.
struct LiveServer: Sendable {
    let folder: TestFolder
    let store: Store
    let server: StatusServer

    var port: UInt16 { UInt16(server.port) }

    /// Runs a server for the duration of a closure, then stops it.
    /// - Parameters:
    ///   - store: the served store; nil creates one.
    ///   - log: receives the server's log lines.
    static func run(
        _ change: (inout ServerConfiguration) -> Void = { _ in }, store: Store? = nil, log: LogLines? = nil,
        _ work: @Sendable (LiveServer) async throws -> Void
    ) async throws {
        let folder = try TestFolder()
        let store = try store ?? Store(folder: folder.url.appendingPathComponent("store"), creates: true)
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.limits.shutdownTime = .seconds(2)
        // A test's client may wait longer for processor time than a real one.
        configuration.limits.headerTime = .seconds(600)
        configuration.limits.bodyTime = .seconds(600)
        configuration.limits.idleTime = .seconds(600)
        configuration.limits.stallTime = .seconds(600)
        change(&configuration)
        let handler: any LogHandler = log.map { $0 as any LogHandler } ?? SwiftLogNoOpLogHandler()
        let logger = Logger(label: "test") { _ in handler }
        let server = try await StatusServer(configuration, store: store, logger: logger)
        do {
            try await work(LiveServer(folder: folder, store: store, server: server))
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    func token(_ scopes: [TokenScope] = [.publish]) async throws -> String {
        let name =
            "test-" + scopes.map { $0.description.replacing(":", with: ".").replacing("/", with: ".") }.joined(separator: "-")
        return try await store.createToken(TokenRequest(name: name, scopes: scopes), by: "test").token
    }

    /// Runs a server, and talks to it on one connection.
    static func talk(
        _ change: (inout ServerConfiguration) -> Void = { _ in },
        _ work: @escaping @Sendable (WireClient, LiveServer) throws -> Void
    ) async throws {
        try await run(change) { live in try await live.talk { try work($0, live) } }
    }

    /// Runs a server, and talks to it on one connection, with a token.
    static func talk(
        _ change: (inout ServerConfiguration) -> Void = { _ in }, scopes: [TokenScope] = [.publish], store: Store? = nil,
        log: LogLines? = nil, _ work: @escaping @Sendable (WireClient, _ token: String, LiveServer) throws -> Void
    ) async throws {
        try await run(change, store: store, log: log) { live in
            let token = try await live.token(scopes)
            try await live.talk { try work($0, token, live) }
        }
    }

    /// Runs a command against this server, with a token.
    func command(_ arguments: String..., token: String? = nil, home: TestFolder? = nil) async throws -> CommandResult {
        try await command(arguments, token: token, home: home)
    }

    func command(_ arguments: [String], token: String? = nil, home: TestFolder? = nil) async throws -> CommandResult {
        try await runServerCommand(
            arguments + ["--server", "http://127.0.0.1:\(port)"], environment: ["BELLEROPHON_TOKEN": token], home: home)
    }

    /// Runs a client on its own thread, so that its waits do not block the server's tasks.

    func talk<Result: Sendable>(_ work: @escaping @Sendable (WireClient) throws -> Result) async throws -> Result {
        let port = port
        return try await onOwnThread { try work(WireClient(port: port)) }
    }
}

extension Store {
    /// Publishes a text as a resource.
    @discardableResult
    func put(_ name: String, _ text: String, version: Int64? = nil) async throws -> ResourceVersion {
        let content = try receive()
        try content.write(Data(text.utf8))
        return try await putResource(name, .content(content, version: version), by: "test").resource
    }
}

extension Date {
    /// When a clock of a test starts: 25 November 2025.
    static let wholeSecond = Date(timeIntervalSince1970: 1_764_050_400)
}

/// A response as received.
struct WireAnswer: Equatable, Sendable {
    let code: Int
    let head: String
    var body: String

    /// The type of the problem that the reply reports; nil if it reports none.
    var problem: ProblemType? {
        guard field("Content-Type") == HTTPError.mediaType else { return nil }
        let fields = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        return (fields?["type"] as? String).flatMap(ProblemType.init(uri:))
    }

    func field(_ name: String) -> String? {
        for line in head.components(separatedBy: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == name.lowercased() {
                return parts[1].trimmingCharacters(in: .whitespaces)
            }
        }
        return nil
    }
}

extension WireClient {
    /// Reads one response by its length; a response to HEAD has no body whatever its length field.
    func answer(isHead: Bool = false) throws -> WireAnswer {
        let head = try readHead()
        let code = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
        var answer = WireAnswer(code: code, head: head, body: "")
        if !isHead, let length = answer.field("Content-Length").flatMap({ Int($0) }) { answer.body = try read(length) }
        return answer
    }

    /// Sends a GET request and reads its reply; sends it again until the reply fits, for some time.
    func answer(
        to path: String, _ fields: String..., until isFit: (WireAnswer) -> Bool = { _ in true }
    ) throws -> WireAnswer {
        let lines = ["GET \(path) HTTP/1.1", "Host: test"] + fields
        let deadline = ContinuousClock.now + patience
        while true {
            try send(lines.map { $0 + "\r\n" }.joined() + "\r\n")
            let answer = try answer()
            if isFit(answer) || ContinuousClock.now >= deadline { return answer }
        }
    }

    /// Opens a stream, and reads its head and the time after which a client connects again.
    func openStream(_ path: String = "/events") throws {
        try get(path)
        _ = try readHead()
        _ = try read(through: "\n\n")
    }

    /// Sends a request with a body and reads the response.
    func put(
        _ path: String, _ body: String, token: String? = nil, method: String = "PUT", _ fields: String...
    ) throws -> WireAnswer {
        try begin(path, body.utf8.count, token: token, method: method, fields, body: body)
        return try answer()
    }

    /// The field of a client that waits for permission to send its body.
    static let waiting = ["Expect: 100-continue"]

    /// Sends the head of a request, and the beginning of its body.
    func begin(
        _ path: String, _ length: Int, token: String? = nil, method: String = "PUT", _ fields: [String] = [], body: String = ""
    ) throws {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: test", "Content-Length: \(length)"] + fields
        if let token { lines.append("Authorization: Bearer \(token)") }
        try send(lines.map { $0 + "\r\n" }.joined() + "\r\n" + body)
    }

    /// Reads a stream up to and including a text.
    func read(through end: String) throws -> String {
        var text = ""
        while !text.hasSuffix(end) { text += try read(1) }
        return text
    }
}
