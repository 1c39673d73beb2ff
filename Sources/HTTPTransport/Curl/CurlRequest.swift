#if os(Linux)
import BellerophonBase
import CCurl
import Foundation
import FoundationNetworking

/// Prepares the requests that libcurl sends.
enum CurlRequest {
    /// Creates the transfer of a request.
    /// - Parameters:
    ///   - upload: the file that is sent as the body; nil sends the request's own.
    ///   - context: a ``CurlTransfer``, which must keep the upload while the transfer exists.
    /// - Throws: why the request can't be sent, also if libcurl is out of memory or refuses an option.
    static func makeTransfer(
        of request: URLRequest, to address: URL, upload: CurlUpload?, _ context: UnsafeMutableRawPointer
    ) throws(URLError) -> OpaquePointer {
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        // A line end in a value would inject another field (RFC 9110, section 5.5).
        guard fields.allSatisfy({ ($0.key + $0.value).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }) else {
            throw URLError(.badURL, sentence: "a header field of the request has a control character")
        }
        // libcurl sends a field without a value only if a semicolon ends it (CURLOPT_HTTPHEADER(3)).
        let headers = fields.map { $0.value.isEmpty ? "\($0.key);" : "\($0.key): \($0.value)" }
        let texts = ([address.absoluteString, request.httpMethod ?? "GET"] + headers).map { strdup($0) }
        defer { texts.forEach { free($0) } }
        // One byte more, because an empty body has an address too.
        let body = request.httpBody.map { [UInt8]($0) + [0] }
        let made = texts.map { UnsafePointer($0) }.withUnsafeBufferPointer { texts in
            (body ?? [0]).withUnsafeBytes { bytes in
                var request = ccurl_request()
                (request.url, request.method) = (texts[0], texts[1])
                (request.headers, request.header_count) = (texts.baseAddress?.advanced(by: 2), headers.count)
                if let upload {
                    (request.source, request.seek, request.source_size) = (giveBytes, seek, upload.size)
                } else if body != nil {
                    (request.body, request.body_size) = (bytes.baseAddress, bytes.count - 1)
                }
                let port = address.port ?? (address.scheme?.lowercased() == "https" ? 443 : 80)
                (request.is_loopback, request.port) = (address.isLoopback, CInt(clamping: port))
                request.trusted_file = variable("SSL_CERT_FILE")
                request.trusted_folder = variable("SSL_CERT_DIR")
                return ccurl_transfer_new(&request, mayUse, takeLine, takeBytes, context)
            }
        }
        guard let made else { throw URLError(.unknown, sentence: "the request could not be prepared") }
        return made
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
