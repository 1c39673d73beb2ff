import BellerophonBase
import BellerophonStore
import Foundation
import Logging
import NIOCore
import NIOHTTP1

/// The operators' endpoints of a store in this process, for a command of a login on the store's machine: without a socket, a token or
/// limits. What a server refuses is refused here too, in the same words.
package struct LocalEndpoints: Sendable {
    private let endpoints: Endpoints

    /// - Parameter author: the login. It may do everything but what takes two persons.
    package init(_ store: Store, author: Author) {
        let (threads, logger) = (FilePool(threads: 2), Logger(label: "bellerophon-server") { _ in SwiftLogNoOpLogHandler() })
        // Without a running server, no other process writes the ends of timed statuses, and none keeps the clock, by which a server that
        // starts later knows whether it was set since.
        let router = OperatorRouter(
            store: store, files: threads, logger: logger, willRead: { _ = try await store.writeDue(of: $0) },
            didChange: { await store.keepClock() })
        endpoints = Endpoints(all: router.endpoints, logger: logger) { _, _ in Principal(author: author, token: nil) }
    }

    /// The answer to a request.
    /// - Parameters:
    ///   - target: the path with its query.
    ///   - fields: the header fields.
    ///   - json: the body; nil for none, or that of a file.
    /// - Throws: ``StoreError`` or ``HTTPError`` for what is refused.
    package func answer(
        _ method: String, _ target: String, _ fields: [(String, String)], json: Data?, file: URL?
    ) async throws -> HTTPAnswer {
        var headers = HTTPHeaders(fields)
        if let facts = file.flatMap({ FileFacts(path: $0.path) }), facts.isRegularFile {
            headers.add(name: "Content-Length", value: "\(facts.st_size)")
        }
        let body = file.map(RequestBody.file) ?? json.map { .whole(ByteBuffer(bytes: $0)) } ?? .none
        let head = HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: method), uri: target, headers: headers)
        let (endpoint, parameters) = endpoints.find(method, head.path)
        let response = try await endpoint.handle(Call(head: head, parameters: parameters, body: body), endpoints.authorize)
        guard case .bytes(let bytes) = response.body else { throw HTTPError.notFound }
        return HTTPAnswer(status: Int(response.status.code), body: Data(bytes.readableBytesView))
    }
}
