#if os(Linux)
import BellerophonBase
import CCurl
import Foundation
import FoundationNetworking

/// The request that libcurl sends.
struct CurlRequest {
    /// Scheme, host and port.
    let origin: String
    private let url: String
    private let port: Int
    private let isLoopback: Bool
    private let method: String
    private let headers: [String]
    let body: CurlBody?

    /// Converts a request for libcurl.
    /// - Throws: why the request can't be sent.
    init(_ request: URLRequest, upload: URL?) throws(URLError) {
        guard let address = request.url else { throw URLError(.badURL, sentence: "there is no address") }
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        // A line end in a value would inject another field (RFC 9110, section 5.5).
        guard fields.allSatisfy({ ($0.key + $0.value).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }) else {
            throw URLError(.badURL, sentence: "a header field of the request has a control character")
        }
        (url, origin, isLoopback) = (address.absoluteString, address.origin, address.isLoopback)
        port = address.port ?? (address.scheme?.lowercased() == "https" ? 443 : 80)
        method = request.httpMethod ?? "GET"
        // libcurl sends a field without a value only if a semicolon ends it (CURLOPT_HTTPHEADER(3)).
        headers = fields.map { $0.value.isEmpty ? "\($0.key);" : "\($0.key): \($0.value)" }
        if let upload {
            body = .file(try CurlUpload(upload))
        } else {
            body = request.httpBody.map { .bytes(CurlBytes($0)) }
        }
    }

    /// Creates the transfer; nil if libcurl is out of memory or refuses an option.
    /// - Parameter context: a ``CurlTransfer``, which must keep ``body`` while the transfer exists.
    func makeTransfer(_ context: UnsafeMutableRawPointer) -> OpaquePointer? {
        var request = ccurl_request()
        switch body {
        case .bytes(let bytes): (request.body, request.body_size) = (UnsafeRawPointer(bytes.start), bytes.count)
        case .file(let file): (request.source, request.seek, request.source_size) = (Self.giveBytes, Self.seek, file.size)
        case nil: break
        }
        (request.is_loopback, request.port) = (isLoopback, CInt(clamping: port))
        request.trusted_file = Self.variable("SSL_CERT_FILE")
        request.trusted_folder = Self.variable("SSL_CERT_DIR")
        let lines = headers.map { strdup($0) }
        defer { lines.forEach { free($0) } }
        return lines.map { UnsafePointer($0) }.withUnsafeBufferPointer { lines in
            url.withCString { url in
                method.withCString { method in
                    request.url = url
                    request.method = method
                    request.headers = lines.baseAddress
                    request.header_count = lines.count
                    return ccurl_transfer_new(&request, Self.mayUse, Self.takeLine, Self.takeBytes, context)
                }
            }
        }
    }

    /// The value of `SSL_CERT_FILE` or `SSL_CERT_DIR`, which OpenSSL's programs use and libcurl does not read by itself.
    private static func variable(_ name: String) -> UnsafePointer<CChar>? {
        getenv(name).flatMap { $0.pointee == 0 ? nil : UnsafePointer($0) }
    }

    // MARK: Callbacks, on the loop's thread

    private static let mayUse: ccurl_connected = { ends, context in
        guard let ends = ends?.pointee, let transfer = CurlTransfer.named(context) else { return false }
        func text(_ address: UnsafePointer<CChar>?, _ port: CInt) -> String {
            "\(address.map { String(cString: $0) } ?? "") \(port)"
        }
        return transfer.mayUse(
            ConnectionEnds(
                local: text(ends.local_address, ends.local_port), remote: text(ends.remote_address, ends.remote_port)),
            isNew: ends.is_new)
    }

    private static let takeLine: ccurl_sink = { bytes, size, count, context in
        guard let bytes, let transfer = CurlTransfer.named(context) else { return 0 }
        return transfer.receive(line: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }

    private static let takeBytes: ccurl_sink = { bytes, size, count, context in
        guard let bytes, let transfer = CurlTransfer.named(context) else { return 0 }
        let isTaken = transfer.receive(bytes: UnsafeRawBufferPointer(start: bytes, count: size * count))
        return isTaken ? size * count : Int(CURL_WRITEFUNC_PAUSE)
    }

    private static let giveBytes: ccurl_source = { bytes, size, count, context in
        guard let bytes, let transfer = CurlTransfer.named(context) else { return Int(CURL_READFUNC_ABORT) }
        return transfer.give(UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) ?? Int(CURL_READFUNC_ABORT)
    }

    /// libcurl resends a request from its first byte if the server closed the reused connection.
    private static let seek: ccurl_seek = { context, offset, origin in
        guard origin == SEEK_SET, let transfer = CurlTransfer.named(context) else { return CInt(CURL_SEEKFUNC_CANTSEEK) }
        transfer.seek(to: Int64(offset))
        return CInt(CURL_SEEKFUNC_OK)
    }
}
#endif
