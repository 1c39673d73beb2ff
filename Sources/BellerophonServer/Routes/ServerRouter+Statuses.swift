import BellerophonStore
import NIOCore
import NIOHTTP1

extension ServerRouter {
    /// A read or a stream that the connection did not begin: a request with a body, or for something that does not exist.
    func read(_ call: Call) async throws -> Response {
        let (readModel, path) = (await publisher.readModel, call.head.path)
        if let reply = readModel.reply(path) ?? readModel.reply(path, host: call.headers.first(name: "Host") ?? "") {
            guard let etag = reply.etag, EntityTags.match(call.headers["If-None-Match"], etag) else {
                return Response(status: .ok, headers: reply.fields, body: .bytes(ByteBuffer(bytes: reply.body)))
            }
            var headers = reply.fields
            headers.remove(name: "Content-Type")
            return Response(status: .notModified, headers: headers)
        }
        let signed = [ReadPath.signedStatus, .signedEvents, .signedManifest(readSettings)]
        if readModel.signed == nil, signed.contains(where: { $0.match(path) != nil }) { throw HTTPError.nothingSigned }
        if let topic = readModel.streamTopic(path) {
            throw HTTPError(
                400, "a stream is asked for without a body, by its path alone", hint: "send GET \(topic.scope.eventsPath)")
        }
        if let name = call.parameters["name"] {
            throw readModel.snapshot.resources[name] == nil ? Self.noResource(name) : HTTPError.noDigest(name)
        }
        throw HTTPError.unknownApp(try Scope(call.parameters).app)
    }
}
