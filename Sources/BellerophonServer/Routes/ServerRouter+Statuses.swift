import BellerophonStore
import Foundation
import Logging
import NIOCore
import NIOHTTP1

extension ServerRouter {
    /// A read that the connection did not reply to: a request with a body, or for an unknown app.
    func read(_ call: Call) async throws -> Response {
        let readModel = await publisher.readModel
        if let reply = Self.reply(readModel, to: call.request) { return reply }
        if let name = call.parameters["name"] {
            throw readModel.snapshot.resources[name] == nil ? Self.noResource(name) : HTTPError.noDigest(name)
        }
        throw HTTPError.unknownApp(try Scope(call.parameters).app)
    }

    /// The same for a signed document.
    func readSigned(_ call: Call) async throws -> Response {
        guard await publisher.readModel.signed != nil else { throw HTTPError.nothingSigned }
        return try await read(call)
    }

    private static func reply(_ readModel: ReadModel, to request: Request) -> Response? {
        let path = request.path
        let reply = readModel.reply(path) ?? readModel.reply(path, host: request.headers.first(name: "Host") ?? "")
        return reply.map { response($0, to: request) }
    }

    private static func response(_ reply: PrerenderedReply, to request: Request) -> Response {
        var headers = HTTPHeaders()
        for field in reply.fields { headers.add(name: field.name, value: field.value) }
        if let etag = reply.etag, EntityTags.match(request.headers["If-None-Match"], etag) {
            headers.remove(name: "Content-Type")
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: .bytes(ByteBuffer(bytes: reply.body)))
    }

    /// A stream request that the connection did not reply to.
    func stream(_ call: Call) async throws -> Response {
        let (readModel, scope) = (await publisher.readModel, try Scope(call.parameters))
        guard readModel.snapshot.status(for: scope) != nil else { throw HTTPError.unknownApp(scope.app) }
        throw HTTPError(400, "a stream is asked for without a body, by its path alone", hint: "send GET \(scope.eventsPath)")
    }

    /// The same for a stream of signed documents.
    func streamSigned(_ call: Call) async throws -> Response {
        guard await publisher.readModel.signed != nil else { throw HTTPError.nothingSigned }
        return try await stream(call)
    }
}
