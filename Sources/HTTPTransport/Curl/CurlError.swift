#if os(Linux)
import CCurl
import Foundation
import FoundationNetworking

/// The error of a failed libcurl transfer, as a `URLError` with a sentence.
struct CurlError {
    let result: CURLcode
    /// The transfer; nil if there is none.
    let handle: OpaquePointer?
    private var detail: String { handle.map { String(cString: ccurl_transfer_error($0)) } ?? "" }

    var error: URLError {
        if let proxyStatus = handle.map(ccurl_transfer_proxy_status), proxyStatus >= 300 {
            return URLError(.cannotConnectToHost, sentence: "the proxy refused the connection (HTTP \(proxyStatus))")
        }
        switch result {
        // libcurl reports success when the connection ends within the head.
        case CURLE_OK, CURLE_GOT_NOTHING: return URLError(.badServerResponse)
        case CURLE_COULDNT_RESOLVE_HOST: return URLError(.cannotFindHost)
        case CURLE_COULDNT_RESOLVE_PROXY: return URLError(.cannotFindHost, sentence: "the proxy's name was not found")
        case CURLE_COULDNT_CONNECT: return connectError
        case CURLE_OPERATION_TIMEDOUT: return URLError(.timedOut, sentence: "could not connect to the server in time")
        case CURLE_RECV_ERROR where isMalformedChunk:
            return URLError(.cannotParseResponse, sentence: "no complete reply: a chunk of it is malformed")
        case CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            return URLError(.networkConnectionLost)
        case CURLE_UNSUPPORTED_PROTOCOL: return URLError(.cannotParseResponse)
        case CURLE_URL_MALFORMAT: return URLError(.badURL, sentence: "the address can't be asked: \(words)")
        case CURLE_PEER_FAILED_VERIFICATION: return certificateError
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE:
            return URLError(.secureConnectionFailed, sentence: "no secure connection: \(words)")
        default: return URLError(.unknown, sentence: "no complete reply: \(words)")
        }
    }

    /// libcurl reports a malformed chunk as a receive error; only its message contains the reason.
    private var isMalformedChunk: Bool {
        ["chunk", "hexadecimal"].contains { detail.lowercased().contains($0) }
    }

    /// libcurl's message without a prefix that our sentence already contains.
    private var words: String {
        let text = detail.isEmpty ? String(cString: curl_easy_strerror(result)) : detail
        let subject = ["SSL certificate problem: ", "SSL: ", "OpenSSL "].first { text.hasPrefix($0) } ?? ""
        return String(text.dropFirst(subject.count))
    }

    private var connectError: URLError {
        let number = handle.map(ccurl_transfer_errno) ?? 0
        return switch number {
        case ECONNREFUSED, 0: URLError(.cannotConnectToHost)
        // The server accepted the connection and reset it before libcurl used it.
        case ECONNRESET: URLError(.networkConnectionLost)
        default:
            URLError(
                .cannotConnectToHost,
                sentence: "could not connect to the server: \(String(cString: strerror(number)).lowercased())")
        }
    }

    private var certificateError: URLError {
        let code: URLError.Code =
            if words.contains("expired") {
                .serverCertificateHasBadDate
            } else if words.contains("not yet valid") {
                .serverCertificateNotYetValid
            } else {
                .serverCertificateUntrusted
            }
        return URLError(code, sentence: "no secure connection: \(words)")
    }
}
#endif
