public import Foundation

/// A small HTTP/1.1 server on the loopback interface that does what a test tells it, also what no
/// good server does.
///
/// ```swift
/// let server = try HostileServer()
/// server.reply = .status(#"{"apiInactive": true, "forceUpdate": false, "retryInterval": 2}"#)
/// let third = try await server.request(number: 3)
/// ```
/// One thread accepts and one serves each connection; all end with ``stop()`` or with the server.
public final class HostileServer: Sendable {
    /// The status of an app that may run, asked for every second.
    public static let live = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":1,"userMessage":null}"#

    private let engine: ServerEngine

    /// Starts at once, on a port that was free.
    public init(_ reply: Behaviour = .status(HostileServer.live)) throws {
        engine = try ServerEngine(reply)
        try engine.start()
    }

    deinit {
        engine.end()
    }

    /// The port; the same for the server's whole life.
    public var port: UInt16 { engine.port }

    /// An address of the server.
    public func url(_ path: String = "/status") -> URL {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.port) = ("http", "127.0.0.1", Int(port))
        parts.path = path
        return parts.url ?? URL(fileURLWithPath: path)
    }

    /// What every request gets for which nothing is queued.
    public var reply: Behaviour {
        get { engine.script.value.reply }
        set {
            engine.script.update {
                $0.reply = newValue; $0.rule = nil
            }
        }
    }

    /// Whether every connection is reset as soon as it is accepted, before anything is read from it.
    public var resetsConnections: Bool {
        get { engine.script.value.resetsConnections }
        set { engine.script.update { $0.resetsConnections = newValue } }
    }

    /// Decides by the request, for a test with several paths. The queue still comes first.
    public func answer(by rule: @escaping @Sendable (Request) -> Behaviour) {
        engine.script.update { $0.rule = rule }
    }

    /// Adds replies for the next requests, one each, in order.
    public func enqueue(_ replies: Behaviour...) {
        engine.script.update { $0.queue += replies }
    }

    /// All requests so far, in the order in which their heads were complete.
    public var requests: [Request] { engine.exchanges.value.map(\.request) }

    /// Waits for a request, counted from one.
    public func request(
        number: Int, within bound: Duration = patience, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> Request {
        try await engine.exchanges.wait(for: "request \(number)", within: bound, file: file, line: line) { all in
            number <= all.count ? all[number - 1].request : nil
        }
    }

    /// Waits until a request, counted from one, is over: answered, or left by the client.
    public func exchange(
        number: Int, within bound: Duration = patience, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> Exchange {
        try await engine.exchanges.wait(
            for: "end of request \(number)", within: bound, file: file, line: line
        ) { all in
            number <= all.count && all[number - 1].ending != nil ? all[number - 1] : nil
        }
    }

    /// Closes every connection and refuses new ones; the port stays ours for ``start()``.
    public func stop() throws {
        try engine.stop()
    }

    /// Listens again, on the same port.
    public func start() throws {
        try engine.start()
    }
}

/// One request as the server read it.
public struct Request: Sendable {
    /// Counted from one over the server's whole life.
    public let number: Int
    public let method: String
    /// The request's target: path and query.
    public let path: String
    /// By lower-case name; of a repeated field the last.
    public let headers: [String: String]
    public let body: [UInt8]
    public let time: ContinuousClock.Instant
    /// The connection it came on, counted from one.
    public let connection: Int

    /// A header field by its name in any case.
    public func header(_ name: String) -> String? { headers[name.lowercased()] }
}

/// A request and what became of it.
public struct Exchange: Sendable {
    public enum Ending: Sendable {
        /// All was sent as told.
        case done
        /// The client closed the connection first.
        case clientLeft
        /// The server was stopped first.
        case stopped
    }

    public let request: Request
    /// Body bytes handed to the system for sending, at most.
    public internal(set) var bodyBytesSent = 0
    /// Nil while it goes on.
    public internal(set) var ending: Ending?
    public internal(set) var endTime: ContinuousClock.Instant?
}
