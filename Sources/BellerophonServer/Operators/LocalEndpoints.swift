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
            store: store, files: threads, lists: threads, logger: logger, willRead: { _ = try await store.writeDue(of: $0) },
            didChange: { await store.keepClock() })
        endpoints = Endpoints(all: router.endpoints, logger: logger) { _, _ in Principal(author: author, token: nil) }
    }

    /// The body of a request.
    package enum Body: Sendable {
        case none
        case json(Data)
        case file(URL)
    }

    /// The answer to a request.
    /// - Parameters:
    ///   - target: the path with its query.
    ///   - fields: the header fields.
    /// - Throws: ``StoreError`` or ``HTTPError`` for what is refused.
    package func answer(
        _ method: String, _ target: String, fields: [(String, String)] = [], body: Body = .none
    ) async throws -> HTTPAnswer {
        var headers = HTTPHeaders(fields)
        let content: RequestBody
        switch body {
        case .none: content = .none
        case .json(let data): content = .whole(ByteBuffer(bytes: data))
        case .file(let file):
            if let facts = FileFacts(path: file.path), facts.isRegularFile {
                headers.add(name: "Content-Length", value: "\(facts.st_size)")
            }
            content = .file(file)
        }
        let head = HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: method), uri: target, headers: headers)
        let match = endpoints.find(method, head.path)
        let origin = RequestOrigin(address: nil, caller: Caller(nil))
        let call = Call(request: Request(head: head, body: content), parameters: match.parameters, origin: origin)
        let response = try await endpoints.handle(call, at: match.endpoint)
        guard case .bytes(let bytes) = response.body else { throw HTTPError.notFound }
        return HTTPAnswer(status: Int(response.status.code), body: Data(bytes.readableBytesView))
    }
}
