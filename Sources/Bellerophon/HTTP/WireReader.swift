package import Foundation
import HTTPTransport
import StatusModel

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Reads replies that are given as their parts, by the same code as those of a connection. It is for the cases of the contract.
package struct WireReader {
    /// A reply: its status code, its fields in order, and its body.
    package struct Reply {
        var status: Int
        var fields: [(name: String, value: String)]
        var body: Data

        package init(status: Int, fields: [(name: String, value: String)], body: Data) {
            (self.status, self.fields, self.body) = (status, fields, body)
        }
    }

    /// What a reply to a check leads to.
    package enum Outcome {
        /// The next request goes to this address.
        case follow(URL)
        /// The exchange is over.
        case exchange(StatusExchange)
    }

    private let address: URL
    private var present: URL
    private var redirects = 0
    private var stream: StreamHandler?

    /// - Parameter address: the address of the status.
    package init(_ address: URL) { (self.address, present) = (address, address) }

    /// Takes the reply to a check, or to a request that a redirect has led to.
    package mutating func read(_ reply: Reply) -> Outcome {
        let limits = URLSessionStatusSource.Limits()
        var handler = StatusHandler(bodyLimit: limits.bodyBytes)
        guard let head = head(of: reply) else {
            return end(handler, .failed(.connection(.cannotParseResponse, message: "the head of the reply is not valid")))
        }
        switch RedirectRule.target(of: head, count: redirects + 1, limit: limits.redirects) {
        case .success(let url):
            (present, redirects) = (url, redirects + 1)
            return .follow(url)
        case .failure(let refusal):
            handler.take(redirect: head)
            return end(handler, .failed(refusal))
        case nil:
            if case .cut(let reason) = handler.take(head) { return end(handler, .cut(reason)) }
            if case .cut(let reason) = handler.take(reply.body) { return end(handler, .cut(reason)) }
            return end(handler, .complete)
        }
    }

    private mutating func end(_ handler: StatusHandler, _ end: HTTPEnd<StatusError.Reason>) -> Outcome {
        (present, redirects) = (address, 0)
        return .exchange(handler.exchange(endedBy: end))
    }

    /// The head of a reply, line by line as from a connection; nil if it is refused.
    private func head(of reply: Reply) -> HTTPURLResponse? {
        let lines = ["HTTP/1.1 \(reply.status) "] + reply.fields.map { "\($0.name): \($0.value)" } + [""]
        var head = ResponseHead()
        for line in lines {
            if head.read((line + "\r\n").utf8) != nil { return nil }
        }
        return HTTPURLResponse(
            url: present, statusCode: reply.status, httpVersion: "HTTP/1.1", headerFields: head.joinedFields)
    }

    // MARK: Streams

    /// Takes the head of a stream, which replaces an earlier stream.
    /// - Returns: its date; nil if it has none.
    /// - Throws: why it is no stream.
    package mutating func open(_ reply: Reply) throws(StatusError) -> Date? {
        stream = nil
        var handler = StreamHandler { _ in }
        guard let head = head(of: reply) else {
            throw StatusError(.transport(code: 0, message: "the head of the reply is not valid"))
        }
        if case .cut(let reason) = handler.take(head) { throw StatusError(reason) }
        stream = handler
        return handler.metadata.serverDate
    }

    /// Whether a stream is open.
    package var hasStream: Bool { stream != nil }

    /// Takes the next bytes of the stream.
    /// - Returns: the events that they complete, and why the stream can't be read further; nil if it can.
    package mutating func read(stream bytes: Data) -> (events: [StreamEvent], end: StatusError.Reason?) {
        guard let (signals, end) = stream?.read(bytes) else { return ([], nil) }
        if end != nil { stream = nil }
        return (signals.compactMap { if case .event(let event) = $0 { event } else { nil } }, end)
    }
}
