public import Foundation

/// A small HTTP/1.1 server on the loopback interface. A test sets its behaviour, including invalid replies.
///
/// ```swift
/// let server = try HostileServer()
/// server.reply = .status(#"{"apiInactive": true, "forceUpdate": false, "retryInterval": 2}"#)
/// let third = try await server.request(number: 3)
/// ```
/// One thread accepts and one thread serves each connection. All end with ``stop()`` or when the server is released.
public final class HostileServer: Sendable {
    /// An active status with a retry interval of one second.
    public static let live = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":1,"userMessage":null}"#

    private let engine: ServerEngine

    /// Starts immediately, on a free port.
    public init(_ reply: Behaviour = .status(HostileServer.live)) throws {
        engine = try ServerEngine(reply)
        try engine.start()
    }

    deinit {
        engine.end()
    }

    /// The port, constant for the server's lifetime.
    public var port: UInt16 { engine.port }

    /// The address of a status.
    public var address: String { url().absoluteString }

    /// A URL of the server.
    public func url(_ path: String = "/status") -> URL {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.port) = ("http", "127.0.0.1", Int(port))
        parts.path = path
        return parts.url ?? URL(fileURLWithPath: path)
    }

    /// The reply to every request for which none is queued.
    public var reply: Behaviour {
        get { engine.script.value.reply }
        set {
            engine.script.update {
                $0.reply = newValue; $0.rule = nil
            }
        }
    }

    /// Whether every connection is reset on accept, before anything is read from it.
    public var resetsConnections: Bool {
        get { engine.script.value.resetsConnections }
        set { engine.script.update { $0.resetsConnections = newValue } }
    }

    /// Selects the reply by request, for a test with several paths. Queued replies take precedence.
    public func answer(by rule: @escaping @Sendable (Request) -> Behaviour) {
        engine.script.update { $0.rule = rule }
    }

    /// Adds replies for the next requests, one each, in order.
    public func enqueue(_ replies: Behaviour...) {
        engine.script.update { $0.queue += replies }
    }

    /// All requests so far, in the order in which their heads were complete.
    public var requests: [Request] { engine.exchanges.value.map(\.request) }

    /// Waits for the request with this number, counted from one.
    public func request(
        number: Int, within bound: Duration = patience, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> Request {
        try await engine.exchanges.wait(for: "request \(number)", within: bound, file: file, line: line) { all in
            number <= all.count ? all[number - 1].request : nil
        }
    }

    /// Waits until the request with this number, counted from one, has been served or the client has left.
    public func exchange(
        number: Int, within bound: Duration = patience, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> Exchange {
        try await engine.exchanges.wait(
            for: "end of request \(number)", within: bound, file: file, line: line
        ) { all in
            number <= all.count && all[number - 1].ending != nil ? all[number - 1] : nil
        }
    }

    /// Closes every connection and refuses new ones. The port stays reserved for ``start()``.
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
    /// Counted from one over the server's lifetime.
    public let number: Int
    public let method: String
    /// The request's target: path and query.
    public let path: String
    /// Keyed by lower-case name; for a repeated field the last value.
    public let headers: [String: String]
    public let body: [UInt8]
    public let time: ContinuousClock.Instant
    /// The number of the connection, counted from one.
    public let connection: Int

    /// The value of a header field; the name is case-insensitive.
    public func header(_ name: String) -> String? { headers[name.lowercased()] }
}

/// A request and its end.
public struct Exchange: Sendable {
    public enum Ending: Sendable {
        /// The whole reply was sent.
        case done
        /// The client closed the connection before.
        case clientLeft
        /// The server was stopped before.
        case stopped
    }

    public let request: Request
    /// Body bytes handed to the system for sending; the client may have received fewer.
    public internal(set) var bodyBytesSent = 0
    /// Nil while the exchange is in progress.
    public internal(set) var ending: Ending?
}
