import BellerophonStore
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

    private let source: Source

    private enum Source: Sendable {
        case none
        /// A connection's. Only when it begins to be read, `100 Continue` is sent.
        case pieces(Pieces, begin: @Sendable () -> Void)
        case whole(ByteBuffer)
        case file(UploadFile)
    }

    static let none = RequestBody(source: .none)

    private init(source: Source) { self.source = source }

    /// - Parameter begin: is called when the body begins to be read.
    init(_ pieces: Pieces, begin: @escaping @Sendable () -> Void) { source = .pieces(pieces, begin: begin) }

    init(_ data: Data) { source = .whole(ByteBuffer(bytes: data)) }

    init(_ file: UploadFile) { source = .file(file) }

    func makeAsyncIterator() -> AsyncIterator {
        if case .pieces(let pieces, let begin) = source {
            begin()
            return AsyncIterator(pieces: pieces.makeAsyncIterator())
        }
        if case .whole(let bytes) = source { return AsyncIterator(whole: bytes) }
        if case .file(let file) = source { return AsyncIterator(file: file) }
        return AsyncIterator()
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var pieces: Pieces.AsyncIterator?
        fileprivate var whole: ByteBuffer?
        fileprivate var file: UploadFile?

        mutating func next() async throws -> ByteBuffer? {
            if let pieces { return try await pieces.next() }
            if let file { return try file.next() }
            defer { whole = nil }
            return whole
        }
    }
}

/// A file of this machine as the body of a request.
final class UploadFile: Sendable {
    private let path: String
    private let descriptor: Int32
    /// In bytes; nil for what is no regular file.
    let size: Int64?

    init(_ url: URL) throws(StoreError) {
        path = url.path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path) }
        size = FileStamp(descriptor: descriptor)?.size
    }

    deinit { close(descriptor) }

    /// The next piece of at most 256 KiB; nil at the end.
    fileprivate func next() throws(StoreError) -> ByteBuffer? {
        var buffer = ByteBuffer(), count = 0
        repeat {
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: 256 << 10) { bytes in
                count = read(descriptor, bytes.baseAddress, 256 << 10)
                return max(count, 0)
            }
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw Self.unreadable(path) }
        return count == 0 ? nil : buffer
    }

    private static func unreadable(_ path: String) -> StoreError {
        .invalid("can't read \(path): \(String(cString: strerror(errno)))")
    }
}

/// Notifies the connection when the endpoint wants more of a body.
struct UploadDemand: NIOAsyncSequenceProducerDelegate, Sendable {
    let wantsMore: @Sendable () -> Void

    func produceMore() { wantsMore() }
    func didTerminate() { wantsMore() }
}
