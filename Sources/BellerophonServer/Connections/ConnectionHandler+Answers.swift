import BellerophonStore
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
            if let topic = loop.readModel.streamTopic(path) { return openStream(topic, head, facts) }
            if let reply = loop.replies.reply(path, host: head.headers.first(name: "Host") ?? "") {
                return answer(head, facts, reply)
            }
        }
        route(head, facts)
    }

    /// Sends a complete reply without an endpoint. The connection remains usable if the request has no body.
    func answer(
        _ head: HTTPRequestHead, _ facts: RequestFacts, _ route: RouteClass,
        _ render: (PrerenderedReply.Persistence) -> (bytes: ByteBuffer, code: Int)
    ) {
        let persistence = facts.hasBody || endsAfterReply ? .close : facts.persistence
        let (bytes, code) = render(persistence)
        write(bytes)
        recordRequest(head, route, code, bytes: bytes.readableBytes)
        if persistence == .close { end(dropsInput: facts.hasBody) }
    }

    private func answer(_ head: HTTPRequestHead, _ facts: RequestFacts, _ reply: PrerenderedReply) {
        answer(head, facts, reply.route) {
            reply.bytes(isHead: head.method == .HEAD, unless: { EntityTags.match(head.headers["If-None-Match"], $0) }, $0)
        }
    }

    func answer(_ problem: HTTPError, _ head: HTTPRequestHead, _ facts: RequestFacts, _ route: RouteClass) {
        answer(head, facts, route) {
            (ResponseHead.problem(problem, date: loop.date, isHead: head.method == .HEAD, persistence: $0), problem.code)
        }
    }

    /// Sends an error reply after which the connection's state is undefined, and closes the connection.
    func refuse(_ problem: HTTPError, isHead: Bool = false) {
        write(ResponseHead.problem(problem, date: loop.date, isHead: isHead))
        loop.counts.add(.other, problem.code)
        end(dropsInput: true)
    }

    /// Counts a reply, and logs it if access logging is on.
    func recordRequest(_ head: HTTPRequestHead, _ route: RouteClass, _ code: Int, bytes: Int) {
        loop.counts.add(route, code)
        guard loop.settings.logsAccess else { return }
        let taken = NIODeadline.now() - arrived
        var fields: Logger.Metadata = [
            "method": "\(head.method)", "path": "\(head.path)", "code": "\(code)", "bytes": "\(bytes)",
            "milliseconds": "\(String(format: "%.3f", Double(max(taken.nanoseconds, 0)) / 1e6))",
        ]
        if let address = context?.channel.remoteAddress?.ipAddress { fields["client"] = "\(address)" }
        if let token = head.bearerToken.flatMap(Store.tokenHash).flatMap({ loop.readModel.snapshot.tokens[$0] }) {
            fields["token"] = "\(token.name)"
        }
        loop.settings.logger.info("request", metadata: fields)
    }
}

extension HTTPRequestHead {
    /// The same request with its target in origin form. An absolute target overrides the `Host` field (RFC 9112,
    /// section 3.2.2).
    var inOriginForm: HTTPRequestHead {
        guard uri.utf8.first != UInt8(ascii: "/"), let colon = uri.firstIndex(of: ":"), uri[colon...].hasPrefix("://"),
            ["http", "https"].contains(uri[..<colon].lowercased())
        else { return self }
        let target = uri[colon...].dropFirst(3)
        let end = target.firstIndex { $0 == "/" || $0 == "?" } ?? target.endIndex
        guard end != target.startIndex else { return self }
        var head = self
        head.uri = target[end...].hasPrefix("/") ? String(target[end...]) : "/" + target[end...]
        head.headers.replaceOrAdd(name: "Host", value: String(target[..<end]))
        return head
    }

    /// The token of the first `Authorization` field; nil if it has another scheme or no token.
    var bearerToken: String? {
        let parts = headers.first(name: "Authorization")?.split(separator: " ", maxSplits: 1) ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        let token = parts[1].trimmedOfSpace()
        return token.isEmpty ? nil : token
    }

    /// The target without its query.
    var path: String {
        guard let mark = uri.utf8.firstIndex(of: UInt8(ascii: "?")) else { return uri }
        return String(uri[..<mark])
    }
}
