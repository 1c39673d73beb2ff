import BellerophonStore
import Foundation
import NIOCore
import NIOHTTP1

/// A request at an endpoint. Its body may still be arriving.
struct Call: Sendable {
    let head: HTTPRequestHead
    /// The values of the path's named parts.
    let parameters: PathParameters
    /// The client's address; nil if the system does not provide it.
    var address: String?
    var body = RequestBody.none
    /// Of an operator's request, once it is permitted.
    var query = QueryFields()

    /// The value of a named part of the endpoint's path.
    subscript(_ name: String) -> String { parameters[name] ?? "" }

    var headers: HTTPHeaders { head.headers }
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
