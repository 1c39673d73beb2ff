import BellerophonStore
import Foundation
import NIOCore
import NIOHTTP1

/// A request at an endpoint.
struct Call: Sendable {
    let request: Request
    let parameters: PathParameters
    let origin: RequestOrigin
    /// Of an operator's request, once it is permitted.
    var query = QueryFields()

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

/// A request's body.
enum RequestBody: Sendable {
    typealias Pieces = NIOThrowingAsyncSequenceProducer<
        ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, UploadDemand
    >

    case none
    case whole(ByteBuffer)
    /// The bytes of a file of this machine.
    case file(URL)
    /// A connection's, in pieces as they arrive. Only when it begins to be read, `100 Continue` is sent.
    case pieces(Pieces, begin: @Sendable () -> Void)

    /// - Parameter begin: is called when the body begins to be read.
    init(_ pieces: Pieces, begin: @escaping @Sendable () -> Void) { self = .pieces(pieces, begin: begin) }

    /// Passes on each piece, but not the bytes of a file.
    func read(_ pass: (ByteBuffer) async throws -> Void) async throws {
        switch self {
        case .none, .file: break
        case .whole(let bytes): try await pass(bytes)
        case .pieces(let pieces, let begin):
            begin()
            for try await piece in pieces { try await pass(piece) }
        }
    }
}

/// Notifies the connection when the endpoint wants more of a body.
struct UploadDemand: NIOAsyncSequenceProducerDelegate, Sendable {
    let wantsMore: @Sendable () -> Void

    func produceMore() { wantsMore() }
    func didTerminate() { wantsMore() }
}
