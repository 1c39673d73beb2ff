import BellerophonStore
import NIOCore

/// The subject of a stream.
package struct StreamTopic: Hashable, Sendable {
    package let scope: Scope
    /// Statuses are sent as signed documents.
    package let isSigned: Bool
}

/// A message of a stream, rendered once and written to every client (WHATWG HTML, server-sent events).
package struct StreamEvent: Equatable, Sendable {
    /// The client sends it back as `Last-Event-ID`; nil for a message that does not change the resume point.
    package private(set) var id: String?
    /// The name of the changed resource; nil for other messages.
    package private(set) var resource: String?
    package let bytes: ByteBuffer

    /// The status of a scope.
    /// - Parameter data: a single line: line breaks in the texts of a document are escaped.
    static func status(_ status: PublishedStatus, id: String, data: String) -> StreamEvent {
        let time = status.publishedAt.map { "published: \($0.milliseconds)\n" } ?? ""
        return StreamEvent(id: id, bytes: ByteBuffer(string: "event: status\nid: \(id)\n\(time)data: \(data)\n\n"))
    }

    static func version(of resource: ResourceVersion) -> StreamEvent {
        let data = "{\"name\":\"\(resource.name)\",\"v\":\(resource.version)}"
        return StreamEvent(resource: resource.name, bytes: ByteBuffer(string: "event: resources\ndata: \(data)\n\n"))
    }

    /// Shows the client that the stream is alive, and lets the server detect a dead connection.
    static let heartbeat = StreamEvent(bytes: ByteBuffer(string: ": heartbeat\n\n"))

    /// The last message of a stream. It gives each client a random reconnect time, because the server can't open all
    /// connections at once.
    /// - Parameter window: the maximum of these times.
    static func goodbye(within window: Duration) -> ByteBuffer {
        let milliseconds = window.components.seconds * 1000 + window.components.attoseconds / 1_000_000_000_000_000
        return ByteBuffer(string: "retry: \(Int64.random(in: 1...max(milliseconds, 1)))\n: the server is going down\n\n")
    }

    /// The time over which clients reconnect after a shutdown: 1 s per 5,000 streams, from 1 s to 30 s.
    static func returnWindow(streams: Int) -> Duration {
        .milliseconds(min(max(streams / 5, 1000), 30_000))
    }

    /// The head of a stream's response.
    /// - Parameters:
    ///   - heartbeat: the interval in whole seconds.
    ///   - connection: the `Connection` field with its line end. By default the connection closes with the stream.
    static func opening(heartbeat: Int, date: String, connection: String = "Connection: close\r\n") -> String {
        "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
            + "Cache-Control: no-store\r\nX-Accel-Buffering: no\r\nBellerophon-Heartbeat: \(heartbeat)\r\n"
            + connection + "\r\n"
    }
}
