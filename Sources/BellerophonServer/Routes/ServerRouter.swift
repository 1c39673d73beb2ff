import BellerophonStore
import Foundation
import Logging
import NIOCore
import NIOHTTP1

/// The endpoints of the server. They handle the requests that need more than a look-up: resource data, figures, and those of operators.
struct ServerRouter: Sendable {
    let store: Store
    let publisher: ReadModelPublisher
    let settings: ConnectionSettings
    let readSettings: ReadSettings
    let files: FilePool
    let contents: VerifiedFiles
    let operators: OperatorRouter
    let threads: (reads: FilePool, others: FilePool)
    let certificate: PresentCertificate?
    /// Whether the page `/console` is served.
    var hasConsole = false

    var endpoints: Endpoints {
        Endpoints(
            all: documents + consoleEndpoints + operators.endpoints, logger: settings.logger,
            failures: publisher.limiters.failures, threads: threads, authorize: authorize)
    }

    /// What clients read.
    private var documents: [Endpoint] {
        let reads: [ReadPath] = [
            .status, .signedStatus, .events, .signedEvents, .manifest, .signedManifest, .alive,
        ]
        var endpoints = reads.flatMap { path in path.patterns.map { Endpoint(.GET, $0, path.route, .others, read) } }
        endpoints += ReadPath.data.patterns.map { Endpoint(.GET, $0, .data, .downloads, data) }
        return endpoints
            + [Endpoint(.GET, "/ready", .ready, .figures, ready), Endpoint(.GET, "/metrics", .metrics, .figures, metrics)]
    }

    // MARK: Tokens

    /// The token of a request, if it permits the action now. The store decides again with the change itself.
    /// - Throws: 401 or 403; 503 if the store's file was replaced, so that a publish would be lost.
    private func authorize(_ call: Call, _ permission: TokenScope) async throws -> Principal {
        guard let token = call.head.bearerToken else {
            throw HTTPError.unauthorized
        }
        guard let record = try store.authenticate(token) else { throw HTTPError.wrongToken }
        guard !store.isExpired(record) else { throw HTTPError.expiredToken }
        guard record.allows(permission) else { throw HTTPError.forbidden(permission) }
        // A token that may only read may decide on proposals.
        if permission != .read || ![.GET, .HEAD].contains(call.head.method) { try await publisher.checkFile() }
        return Principal(author: .token(record.name, address: call.address), token: record)
    }

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
        let signed = [ReadPath.signedStatus, .signedEvents, .signedManifest]
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

    /// `GET /metrics`, in Prometheus' text format 0.0.4.
    func metrics(_ call: Call) async throws -> Response {
        let text = await publisher.metrics(certificateExpiry: certificate?.value.expiry)
        return Response(
            status: .ok,
            headers: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": CachePolicy.none],
            body: .bytes(ByteBuffer(string: text))
        )
    }

    /// `GET /ready`: 200 if the server can read its store and write to it, otherwise 503 with the reasons.
    func ready(_ call: Call) async throws -> Response {
        let readiness = await publisher.readiness()
        return .json(Data(readiness.json.utf8), status: readiness.isReady ? .ok : .serviceUnavailable)
    }
}
