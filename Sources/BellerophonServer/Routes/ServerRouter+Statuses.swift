#if Server
import BellerophonStore
import Foundation
import HTTPTypes
import Hummingbird
import Logging

extension ServerRouter {
    /// A read of a status or stream that the lane did not know.
    func unknownApp(_ request: Request, _ context: ServerContext) async throws -> Response {
        let scope = try scope(context)
        throw HTTPProblem.unknownApp(scope.app)
    }

    /// `PUT` on a status: returns once the publish is durable and every connection of this server reads it.
    func publish(_ request: Request, _ context: ServerContext) async throws -> Response {
        let token = try await authorize(request, for: .publish)
        let isDryRun = try QueryFields(request, known: ["dryRun"]).flag("dryRun")
        let publication = try Publication(json: try await json(request), scope: scope(context))
        if isDryRun { return Self.json(try store.preview(publication).body) }
        let entry = try await store.publish(publication, by: token.name)
        await keeper.refresh()
        settings.logger.notice("published", metadata: [
            "row": "\(entry.id)", "what": "\(entry.action)", "scope": "\(publication.scope)", "who": "\(token.name)",
        ])
        return Self.json(try StoreJSON.data(entry), status: .created)
    }

    /// `GET /v1/journal`: rows, newest first.
    func journal(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try await authorize(request, for: .read)
        let query = try QueryFields(request, known: ["app", "channel", "resource", "limit", "before"])
        let filter = JournalFilter(
            app: query.text("app"), channel: query.text("channel"), resource: query.text("resource"),
            before: try query.number("before"), limit: try query.number("limit").map { Int(min($0, 1000)) } ?? 100
        )
        return Self.json(try StoreJSON.data(try store.journal(filter)))
    }

    private func scope(_ context: ServerContext) throws -> Scope {
        try Scope(
            app: context.parameters.get("app") ?? Scope.defaultApp,
            channel: context.parameters.get("channel") ?? Scope.mainChannel
        )
    }

    // MARK: Bodies

    /// The request's body as one piece.
    /// - Throws: 413 beyond 64 KiB.
    func json(_ request: Request) async throws -> Data {
        var data = Data()
        for try await part in request.body {
            data.append(contentsOf: part.readableBytesView)
            guard data.count <= Limits.documentSize else { throw HTTPProblem.tooLarge(Limits.documentSize) }
        }
        return data
    }

    static func json(_ data: Data, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: CachePolicy.none],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }
}
#endif
