import Foundation
import NIOCore
import NIOHTTP1

/// A request at an endpoint.
struct Call: Sendable {
    let request: Request
    let parameters: PathParameters
    let origin: RequestOrigin

    /// The value of a named part of the endpoint's path.
    subscript(_ name: String) -> String { parameters[name] ?? "" }
}

/// Where a request comes from.
struct RequestOrigin: Sendable {
    /// The client's address; nil if the system does not provide it.
    var address: String?
    /// The name of the request's token, once known.
    var caller: Caller
}

/// A request whose body may still be arriving.
struct Request: Sendable {
    let head: HTTPRequestHead
    let body: RequestBody

    var method: HTTPMethod { head.method }
    var headers: HTTPHeaders { head.headers }

    /// The target without its query.
    var path: String { head.path }

    /// The fields of the query in their order, with decoded values.
    var query: [(name: String, value: String)] {
        let query = head.uri.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
        return query.split(separator: "&").map { field in
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? String(parts[1]) : ""
            return (String(parts[0]), value.removingPercentEncoding ?? value)
        }
    }
}

/// A request's body, in pieces as they arrive.
struct RequestBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    typealias Pieces = NIOThrowingAsyncSequenceProducer<
        ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, UploadDemand
    >

    /// Nil for a request without a body.
    private let pieces: Pieces?
    private let begin: @Sendable () -> Void

    static let none = RequestBody(nil) {}

    /// - Parameter begin: is called when the body begins to be read; only then is `100 Continue` sent.
    init(_ pieces: Pieces?, begin: @escaping @Sendable () -> Void) {
        self.pieces = pieces
        self.begin = begin
    }

    func makeAsyncIterator() -> AsyncIterator {
        begin()
        return AsyncIterator(pieces: pieces?.makeAsyncIterator())
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let pieces: Pieces.AsyncIterator?

        func next() async throws -> ByteBuffer? { try await pieces?.next() }
    }
}

/// Notifies the connection when the endpoint wants more of a body.
struct UploadDemand: NIOAsyncSequenceProducerDelegate, Sendable {
    let wantsMore: @Sendable () -> Void

    func produceMore() { wantsMore() }
    func didTerminate() { wantsMore() }
}
