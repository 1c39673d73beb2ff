import Foundation
import Logging
import NIOCore
import NIOHTTP1

extension ConnectionHandler {
    /// Replies from the read model, opens a stream, or passes the request to the endpoint.
    func begin(_ asked: HTTPRequestHead) {
        let facts = RequestFacts(asked)
        if let problem = facts.problem { return refuse(problem, isHead: asked.method == .HEAD) }
        guard !isReserved || showsToken(asked) else {
            loop.counts.shed += 1
            return refuse(.busy(retryAfter: Self.retryAfter), isHead: asked.method == .HEAD)
        }
        let head = asked.inOriginForm
        if head.method == .GET || head.method == .HEAD, !facts.hasBody {
            let path = head.path
            if let reply = loop.replies.reply(path) { return answer(head, facts, reply) }
            if let topic = loop.readModel.streamTopic(path) {
                if let problem = overuse() { return answer(problem, head, facts, .events) }
                return openStream(topic, head, facts)
            }
            if let reply = loop.replies.reply(path, host: head.headers.first(name: "Host") ?? "") {
                return answer(head, facts, reply)
            }
        }
        route(head, facts)
    }

    /// Writes prerendered bytes.
    private func answer(_ head: HTTPRequestHead, _ facts: RequestFacts, _ reply: PrerenderedReply) {
        if let problem = overuse() { return answer(problem, head, facts, reply.route) }
        let persistence = endsAfterReply ? .close : facts.persistence
        let (bytes, code) = reply.bytes(
            isHead: head.method == .HEAD, unless: { EntityTags.match(head.headers["If-None-Match"], $0) }, persistence)
        write(bytes)
        recordRequest(head, reply.route, code, bytes: bytes.readableBytes)
        if persistence == .close { end(dropsInput: false) }
    }

    /// Sends an error reply after which the connection's state is undefined, and closes the connection.
    func refuse(_ problem: HTTPError, isHead: Bool = false) {
        let bytes = ResponseHead.problem(problem, date: loop.date, isHead: isHead)
        write(bytes)
        loop.counts.add(.other, problem.code, bytes: bytes.readableBytes)
        end(dropsInput: true)
    }

    /// Sends an error reply without an endpoint. The connection remains usable if the request has no body.
    func answer(_ problem: HTTPError, _ head: HTTPRequestHead, _ facts: RequestFacts, _ route: RouteClass) {
        let isLast = facts.hasBody || facts.persistence == .close || endsAfterReply
        let bytes = ResponseHead.problem(
            problem, date: loop.date, isHead: head.method == .HEAD, persistence: isLast ? .close : facts.persistence
        )
        write(bytes)
        recordRequest(head, route, problem.code, bytes: bytes.readableBytes)
        if isLast { end(dropsInput: facts.hasBody) }
    }

    /// Counts a reply, and logs it if access logging is on.
    func recordRequest(_ head: HTTPRequestHead, _ route: RouteClass, _ code: Int, bytes: Int) {
        let taken = NIODeadline.now() - arrived
        loop.counts.add(route, code, bytes: bytes, nanoseconds: taken.nanoseconds)
        guard loop.settings.logsAccess else { return }
        var fields: Logger.Metadata = [
            "method": "\(head.method)", "path": "\(head.path)", "code": "\(code)", "bytes": "\(bytes)",
            "milliseconds": "\(String(format: "%.3f", Double(max(taken.nanoseconds, 0)) / 1e6))",
        ]
        if let address = context?.channel.remoteAddress?.ipAddress { fields["client"] = "\(address)" }
        if let name = exchange?.caller.name { fields["token"] = "\(name)" }
        loop.settings.logger.info("request", metadata: fields)
    }
}

extension HTTPRequestHead {
    /// The same request with its target in origin form. An absolute target overrides the `Host` field (RFC 9112,
    /// section 3.2.2).
    var inOriginForm: HTTPRequestHead {
        guard uri.utf8.first != UInt8(ascii: "/"), let target = AbsoluteTarget(uri) else { return self }
        var head = self
        head.uri = target.path
        head.headers.replaceOrAdd(name: "Host", value: target.host)
        return head
    }

    /// The target without its query.
    var path: String {
        guard let mark = uri.utf8.firstIndex(of: UInt8(ascii: "?")) else { return uri }
        return String(uri[..<mark])
    }
}

/// An absolute request target, with the server's name: `http://host:port/path?query`.
struct AbsoluteTarget: Equatable {
    let host: String
    /// With the query; never empty.
    let path: String

    /// - Returns: nil if the text has another form.
    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let rest = text[colon...]
        guard ["http", "https"].contains(text[..<colon].lowercased()), rest.hasPrefix("://") else { return nil }
        let target = rest.dropFirst(3)
        let end = target.firstIndex { $0 == "/" || $0 == "?" } ?? target.endIndex
        guard end != target.startIndex else { return nil }
        host = String(target[..<end])
        path = target[end...].hasPrefix("/") ? String(target[end...]) : "/" + target[end...]
    }
}
