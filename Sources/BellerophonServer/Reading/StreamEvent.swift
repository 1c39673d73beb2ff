#if Server
import BellerophonStore
import Foundation
import NIOCore

/// What a stream is about.
package struct StreamTopic: Hashable, Sendable {
    package let scope: Scope
    /// Its statuses come as signed documents.
    package let isSigned: Bool
}

/// A message of a stream as its bytes, made once and written to everyone (WHATWG HTML, server-sent events).
package struct StreamEvent: Equatable, Sendable {
    /// What a client sends back as `Last-Event-ID`; nil for a message that is not to be resumed from.
    package let id: String?
    /// The resource that it is about; nil for a message about something else.
    package let resource: String?
    package let bytes: ByteBuffer

    init(status: PublishedStatus) {
        // A document is one line: line ends inside its texts are escaped.
        self.init(status, id: status.eventID, data: String(decoding: status.body, as: UTF8.self))
    }

    init(signed document: SignedDocument, of status: PublishedStatus) {
        self.init(status, id: document.eventID, data: document.text)
    }

    private init(_ status: PublishedStatus, id: String, data: String) {
        var text = "event: status\nid: \(id)\n"
        if let published = status.publishedAt { text += "published: \(published.milliseconds)\n" }
        text += "data: \(data)\n\n"
        self.id = id
        resource = nil
        bytes = ByteBuffer(string: text)
    }

    init(resource: ResourceVersion) {
        id = nil
        self.resource = resource.name
        bytes = ByteBuffer(string: "event: resources\ndata: {\"name\":\"\(resource.name)\",\"v\":\(resource.version)}\n\n")
    }

    private init(comment: String) {
        id = nil
        resource = nil
        bytes = ByteBuffer(string: ": \(comment)\n\n")
    }

    /// Shows the client that the stream lives, and the server that the client does.
    static let heartbeat = StreamEvent(comment: "heartbeat")

    /// The last words of a stream. Clients that come back all at once would be more than a server can open in a moment, so
    /// each gets a time of its own.
    /// - Parameter window: the longest of these times.
    static func goodbye(within window: Duration) -> ByteBuffer {
        let milliseconds = window.components.seconds * 1000 + window.components.attoseconds / 1_000_000_000_000_000
        return ByteBuffer(string: "retry: \(Int64.random(in: 1...max(milliseconds, 1)))\n: the server is going down\n\n")
    }

    /// The time over which clients come back after a server has ended their streams: 1 s for each 5,000, from 1 s to 30 s.
    static func returnWindow(streams: Int) -> Duration {
        .milliseconds(min(max(streams / 5, 1000), 30_000))
    }

    /// The answer's head and the time after which a client comes back, in milliseconds.
    /// - Parameters:
    ///   - heartbeat: whole seconds.
    ///   - connection: the field with its line end; a stream's end is the connection's.
    static func opening(heartbeat: Int, date: String, connection: String = "Connection: close\r\n") -> String {
        "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
            + "Cache-Control: no-store\r\nX-Accel-Buffering: no\r\nBellerophon-Heartbeat: \(heartbeat)\r\n"
            + connection + "\r\n"
    }
}
#endif
