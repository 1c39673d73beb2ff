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

    /// The key in the header field `Idempotency-Key`, which identifies a repeated request.
    /// - Throws: 400 if the key is too long or repeated.
    func requestKey() throws -> RequestKey? {
        let values = headers["Idempotency-Key"]
        guard values.count < 2 else {
            throw HTTPError(400, "Idempotency-Key is given twice", hint: "send it once")
        }
        return try values.first.map { text throws(StoreError) in try RequestKey(text) }
    }

    /// The complete body of the request.
    /// - Throws: 413 beyond 64 KiB.
    func json() async throws -> Data {
        var data = Data()
        try await body.read { part in
            data.append(contentsOf: part.readableBytesView)
            guard data.count <= Limits.documentSize else { throw HTTPError.tooLarge(Limits.documentSize) }
        }
        return data
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
