#if Server
import Logging
import NIOCore
import NIOHTTP1

extension FastLane {
    /// Decides who answers a request.
    func begin(_ head: HTTPRequestHead) {
        let facts = RequestFacts(head)
        if let problem = facts.problem { return refuse(problem, isHead: head.method == .HEAD) }
        if head.method == .GET || head.method == .HEAD, !facts.hasBody {
            let path = head.path
            if let reply = loop.reply(path) { return answer(head, facts, reply) }
            if let scope = loop.readSide.streamScope(path) {
                return openStream(scope, facts, isHead: head.method == .HEAD)
            }
            if let reply = loop.reply(path, host: head.headers.first(name: "Host") ?? "") {
                return answer(head, facts, reply)
            }
        }
        route(head, facts)
    }

    /// Writes prerendered bytes.
    private func answer(_ head: HTTPRequestHead, _ facts: RequestFacts, _ stamped: StampedReply) {
        let persistence = loop.isDraining ? .close : facts.persistence
        let reply = stamped.reply
        var part = head.method == .HEAD ? PrerenderedReply.Part.head : .whole
        if facts.hasCondition, let etag = reply.etag, EntityTags(head.headers["If-None-Match"]).matches(etag) {
            part = .notModified
        }
        let bytes = stamped.bytes(part, persistence)
        write(bytes)
        note(head, reply.route, part == .notModified ? 304 : 200, bytes: bytes.readableBytes)
        if persistence == .close { end(dropsInput: false) }
    }

    /// Answers with a problem that leaves the connection in no known state, and ends it.
    func refuse(_ problem: HTTPProblem, isHead: Bool = false) {
        let bytes = ResponseHead.problem(problem, date: loop.date, isHead: isHead)
        write(bytes)
        loop.count(.other, problem.code, bytes: bytes.readableBytes)
        end(dropsInput: true)
    }

    /// Counts an answer, and logs it where that is wanted.
    func note(_ head: HTTPRequestHead, _ route: RouteClass, _ code: Int, bytes: Int) {
        loop.count(route, code, bytes: bytes)
        guard loop.settings.logsAccess else { return }
        loop.settings.logger.info("request", metadata: [
            "method": "\(head.method.rawValue)", "path": "\(head.path)", "code": "\(code)", "bytes": "\(bytes)",
        ])
    }
}

extension HTTPRequestHead {
    /// The target without its query.
    var path: String {
        guard let mark = uri.utf8.firstIndex(of: UInt8(ascii: "?")) else { return uri }
        return String(uri[..<mark])
    }
}
#endif
