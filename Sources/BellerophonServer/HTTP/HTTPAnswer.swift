import Foundation
import HTTPTransport
import SafeText

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The complete response to a request that this program has sent, to a server or to a hook's address.
package struct HTTPAnswer: HTTPHandler {
    package private(set) var status = 0
    /// The names are in lower case.
    package private(set) var headers: [String: String] = [:]
    package private(set) var body = Data()

    package init() {}

    init(status: Int, body: Data) { (self.status, self.body) = (status, body) }

    /// The maximum size of a response in bytes, far above the largest journal page or list of resources.
    private static let bodyLimit = 64 << 20

    package mutating func take(_ head: HTTPURLResponse) -> HTTPVerdict<String> {
        status = head.statusCode
        for (name, value) in head.allHeaderFields { headers["\(name)".lowercased()] = "\(value)" }
        return .proceed
    }

    package mutating func take(_ bytes: Data) -> HTTPVerdict<String> {
        guard body.count + bytes.count <= Self.bodyLimit else {
            return .cut("the reply is larger than \(Self.bodyLimit >> 20) MiB")
        }
        body.append(bytes)
        return .proceed
    }

    /// The outcome of a request.
    package enum Outcome {
        case answered(HTTPAnswer)
        /// The request did not reach the server.
        case notSent(String)
        /// The request was sent, but no complete response arrived. It may have been performed.
        case unknown(String)
    }

    /// Sends a request and waits for the complete response. Redirects are returned and not followed, so that the token
    /// goes to no other server.
    /// - Parameters:
    ///   - file: streamed as the body. It has no time limit while bytes are transferred.
    ///   - deadline: the time limit for the complete response; ignored with a file.
    package static func to(_ request: URLRequest, file: URL?, deadline: Duration, from client: HTTPClient) async -> Outcome {
        let limits =
            file == nil
            ? HTTPLimits(deadline: deadline) : HTTPLimits(silence: .seconds(60))
        let (answer, end) = await client.perform(request, upload: file, limits: limits, handler: HTTPAnswer())
        switch end {
        case .complete: return .answered(answer)
        case .cut(let reason): return .unknown(reason)
        case .failed(let failure): return isBeforeRequest(failure) ? .notSent(words(failure)) : .unknown(words(failure))
        }
    }

    /// Whether a failure occurred before the server could read any part of the request.
    private static func isBeforeRequest(_ failure: TransportError) -> Bool {
        guard case .connection(let code, _) = failure else { return false }
        switch code {
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet, .secureConnectionFailed,
            .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateHasUnknownRoot, .badURL, .unsupportedURL:
            return true
        default: return false
        }
    }

    private static func words(_ failure: TransportError) -> String {
        switch failure {
        case .cancelled: "cancelled"
        case .deadline(let limit): "no complete reply within \(limit.components.seconds) s"
        case .silence(let limit): "nothing was sent or received for \(limit.components.seconds) s"
        case .redirect(let why): "redirect refused: \(why)"
        case .connection(_, let message): TextSanitizer.sanitize(message, keepingNewlines: false, limit: 300)
        }
    }

    /// The value of `Retry-After` in seconds; nil without one.
    package var retryAfter: Double? { headers["retry-after"].flatMap { Double($0) }.map { max(0, $0) } }

    /// By how many seconds the server's clock is ahead of this machine's; nil without a `Date` field.
    package func clockLead(at now: Date) -> TimeInterval? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return headers["date"].flatMap(format.date(from:)).map { $0.timeIntervalSince(now) }
    }
}
