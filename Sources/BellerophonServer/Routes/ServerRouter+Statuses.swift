import BellerophonStore
import NIOCore
import NIOHTTP1

extension ServerRouter {
    /// A read that the connection did not reply to: a request with a body, or for an unknown app.
    func read(_ call: Call) async throws -> Response {
        let (readModel, request) = (await publisher.readModel, call.request)
        let host = request.headers.first(name: "Host") ?? ""
        if let reply = readModel.reply(request.path) ?? readModel.reply(request.path, host: host) {
            guard let etag = reply.etag, EntityTags.match(request.headers["If-None-Match"], etag) else {
                return Response(status: .ok, headers: reply.fields, body: .bytes(ByteBuffer(bytes: reply.body)))
            }
            var headers = reply.fields
            headers.remove(name: "Content-Type")
            return Response(status: .notModified, headers: headers)
        }
        if let name = call.parameters["name"] {
            throw readModel.snapshot.resources[name] == nil ? Self.noResource(name) : HTTPError.noDigest(name)
        }
        throw HTTPError.unknownApp(try Scope(call.parameters).app)
    }

    /// A stream request that the connection did not reply to.
    func stream(_ call: Call) async throws -> Response {
        let (readModel, scope) = (await publisher.readModel, try Scope(call.parameters))
        guard readModel.snapshot.status(for: scope) != nil else { throw HTTPError.unknownApp(scope.app) }
        throw HTTPError(400, "a stream is asked for without a body, by its path alone", hint: "send GET \(scope.eventsPath)")
    }

    /// The same for signed documents.
    func signed(_ handle: @escaping Endpoint.Handler) -> Endpoint.Handler {
        { call in
            guard await publisher.readModel.signed != nil else { throw HTTPError.nothingSigned }
            return try await handle(call)
        }
    }
}
