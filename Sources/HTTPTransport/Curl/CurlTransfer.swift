#if os(Linux)
import CCurl
import Foundation
import FoundationNetworking

/// The libcurl transfer of a ``CurlProtocol``.
///
/// Unchecked because everything except ``stop()`` and ``onTaken(_:)`` is confined to the loop's thread. `gate` orders the
/// calls to the client with ``stop()``.
final class CurlTransfer: @unchecked Sendable {
    private let loader: URLProtocol
    private let flow: FlowControl?
    private let file: URL?
    /// Held during each call to the client. Recursive because the client may stop the transfer during the call.
    private let gate = NSRecursiveLock()
    private var isStopped = false

    private var handle: OpaquePointer?
    private var upload: CurlUpload?
    private var head = ResponseHead()
    private var hasDeliveredHead = false
    /// Received bytes that have not been delivered.
    private var received = Data()
    private var isPaused = false
    private var refusal: String?
    private var origin: String?
    private var ends: ConnectionEnds?
    private var connections: IdleConnections?
    /// Whether the transfer has left an idle connection that must not be used, and needs a new one.
    private(set) var needsReconnection = false

    /// The most bytes that are buffered until the last piece is taken. libcurl stops reading at this limit.
    private static let window = 256 << 10

    init(_ loader: URLProtocol, owner: (any TransferOwner)?) {
        self.loader = loader
        flow = owner?.flow
        file = owner?.upload
    }

    /// Identifies the transfer in libcurl's callbacks.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The transfer of a callback's context.
    static func named(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    var easy: UnsafeMutableRawPointer? { handle.flatMap { ccurl_transfer_easy($0) } }

    func onTaken(_ notify: @escaping @Sendable () -> Void) { flow?.onTaken(notify) }

    /// Prevents further calls to the client once it has returned. Any thread may call it.
    func stop() {
        gate.withLock { isStopped = true }
    }

    // MARK: The handle

    /// Creates the handle; reports a failure to the client.
    func open(_ connections: IdleConnections) -> UnsafeMutableRawPointer? {
        guard !gate.withLock({ isStopped }) else { return nil }
        self.connections = connections
        do throws(URLError) {
            guard let address = loader.request.url else { throw URLError(.badURL, sentence: "there is no address") }
            if let file { upload = try CurlUpload(file) }
            origin = address.origin
            handle = try CurlRequest.makeTransfer(of: loader.request, to: address, upload: upload, context)
        } catch {
            end(error)
        }
        return easy
    }

    func close() {
        handle.map { ccurl_transfer_free($0) }
        handle = nil
    }

    // MARK: The connection

    /// Decides whether the request is sent on a connection that libcurl has chosen.
    func mayUse(_ ends: ConnectionEnds, isNew: Bool) -> Bool {
        self.ends = ends
        let socket = connections?.remove(ends, at: .now)
        guard !isNew else { return true }
        // Bytes that came before the request are no reply to it.
        if let handle, let socket, !ccurl_transfer_has_unread(handle, socket) { return true }
        needsReconnection = true
        return false
    }

    /// Prepares the transfer to be started again, on a new connection.
    func reconnect() {
        needsReconnection = false
        handle.map { ccurl_transfer_reconnect($0) }
    }

    /// Lists the connection after a complete response, or removes all on the same path after a failure.
    func leaveConnection(failed: Bool) {
        guard let origin, let connections else { return }
        // A reply that was refused shows that its server is reachable.
        guard !failed || refusal != nil else { return connections.forget(origin: origin, remote: ends?.remote) }
        guard let ends, let handle, case let socket = ccurl_transfer_socket(handle), socket >= 0 else { return }
        connections.add(ends, origin: origin, socket: socket, at: .now)
    }

    /// Whether the exchange has given up: the response is not complete, and the server may not be reachable.
    var isGivenUp: Bool { flow?.isGivenUp ?? true }

    // MARK: Receiving

    /// Takes a line of a head. False ends the transfer.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
        refusal = head.read(line)
        return refusal == nil
    }

    /// Takes bytes of the body. False pauses libcurl, which offers the bytes again after the transfer resumes.
    func receive(bytes: UnsafeRawBufferPointer) -> Bool {
        guard received.isEmpty || received.count + bytes.count <= Self.window else {
            isPaused = true
            return false
        }
        received.append(contentsOf: bytes)
        return true
    }

    // MARK: Sending

    /// Reads the next bytes of an upload; nil ends the transfer.
    func give(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard let count = upload?.read(into: buffer) else { return nil }
        flow?.sent()
        return count
    }

    func seek(to offset: Int64) {
        upload?.seek(to: offset)
    }

    // MARK: Delivery to the client

    /// Whether an undelivered head or undelivered bytes are available.
    var hasNews: Bool { (head.isWhole && !hasDeliveredHead) || !received.isEmpty }

    /// Delivers the available head and bytes, unless the last piece has not been taken, and resumes reading.
    func deliver() {
        deliverHead()
        guard flow?.isTaken ?? true else { return }
        deliverBytes()
        guard isPaused else { return }
        isPaused = false
        if let handle { ccurl_transfer_resume(handle) }
    }

    private func callClient(_ call: (any URLProtocolClient) -> Void) {
        gate.withLock {
            guard !isStopped, let client = loader.client else { return }
            call(client)
        }
    }

    private func deliverHead() {
        guard head.isWhole, !hasDeliveredHead, refusal == nil, let url = loader.request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: head.status, httpVersion: "HTTP/1.1", headerFields: head.joinedFields)
        else { return }
        hasDeliveredHead = true
        callClient { $0.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed) }
    }

    private func deliverBytes() {
        guard hasDeliveredHead, !received.isEmpty else { return }
        let bytes = received
        received = Data()
        flow?.delivered()
        callClient { $0.urlProtocol(loader, didLoad: bytes) }
    }

    /// Delivers the remaining bytes and the end.
    func finish(_ result: CURLcode) {
        deliverHead()
        deliverBytes()
        end(error(of: result))
    }

    /// Reports the end to the client, and makes no call after it.
    func end(_ error: URLError?) {
        callClient { client in
            isStopped = true
            guard let error else { return client.urlProtocolDidFinishLoading(loader) }
            client.urlProtocol(loader, didFailWithError: error)
        }
    }

    private func error(of result: CURLcode) -> URLError? {
        if let refusal { return URLError(.cannotParseResponse, sentence: "no complete reply: \(refusal)") }
        guard result == CURLE_OK, hasDeliveredHead else { return CurlError(result: result, handle: handle).error }
        return head.status == 401 ? URLError(.userAuthenticationRequired) : nil
    }
}
#endif
