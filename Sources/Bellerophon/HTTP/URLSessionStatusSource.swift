public import Foundation
import HTTPTransport
import SafeText
import StatusModel
import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Asks for the status over HTTP with `URLSession`.
///
/// Nothing is cached but the last document and its entity tag, so that an unchanged status costs no body.
/// One deadline covers the whole exchange, a body that drips included. The body is capped, and redirects are
/// followed to the same origin only, at most three.
public final class URLSessionStatusSource: StatusSource {
    /// The bounds of one exchange.
    public struct Limits: Equatable, Sendable {
        /// From the start of the request to the last byte. Default: 10 s.
        public var deadline: Duration
        /// Body bytes. Default: 64 KiB.
        public var bodyBytes: Int
        /// Redirects to the same origin. Default: 3.
        public var redirects: Int

        public init(deadline: Duration = .seconds(10), bodyBytes: Int = 64 * 1024, redirects: Int = 3) {
            self.deadline = deadline
            self.bodyBytes = bodyBytes
            self.redirects = redirects
        }
    }

    public let url: URL
    public let limits: Limits
    private let headers: [String: String]
    private let configuration: URLSessionConfiguration
    private let client: HTTPClient
    private let reader: Mutex<StatusReader>
    public let verifier: (any StatusVerifier)?
    public let requiresTLS: Bool
    private let onExchange: (@Sendable (StatusExchange) -> Void)?

    /// - Parameters:
    ///   - url: an `http` or `https` address.
    ///   - headers: sent with every request, for example an authorization. They override the source's own.
    ///   - configuration: copied as the base of the sessions, with cache, cookies and credentials turned off. Its protocol
    ///     classes come first; what they leave is carried by libcurl on Linux.
    ///   - verifier: takes signed statuses only.
    ///   - requiresTLS: refuses plain `http`, but to this machine itself.
    ///   - onExchange: told of every exchange after its check has ended, on any thread. For a recorder.
    public init(
        url: URL, headers: [String: String] = [:], limits: Limits = Limits(),
        configuration: URLSessionConfiguration = .ephemeral, verifier: (any StatusVerifier)? = nil,
        requiresTLS: Bool = false, onExchange: (@Sendable (StatusExchange) -> Void)? = nil
    ) {
        self.url = url
        self.verifier = verifier
        self.requiresTLS = requiresTLS
        reader = Mutex(StatusReader(verifier: verifier))
        self.limits = limits
        self.headers = headers
        self.onExchange = onExchange
        self.configuration = configuration
        client = HTTPClient(configuration)
    }

    public var name: String { url.plainName }

    public var host: String { url.host ?? url.absoluteString }

    public var security: TransportSecurity? { TransportSecurity(of: url) }

    public func fetchStatus(
        _ completion: @escaping @Sendable (Result<StatusReply, StatusError>) -> Void
    ) -> StatusCheck {
        if let why = TransportSecurity.refusal(of: url, requiresTLS: requiresTLS) {
            completion(.failure(StatusError(.unusableURL(why))))
            return StatusCheck {}
        }
        let earlier = reader.withLock { $0.known }
        let exchange = client.start(
            request(earlier), limits: HTTPLimits(deadline: limits.deadline, redirects: .follow(limit: limits.redirects)),
            handler: StatusHandler(bodyLimit: limits.bodyBytes, keepsHeaders: onExchange != nil)
        ) { handler, end in
            // The closure keeps the source, and with it the exchange, until the exchange has ended.
            let exchange = handler.exchange(endedBy: end)
            completion(self.reader.withLock { $0.read(exchange, earlier: earlier) })
            self.onExchange?(exchange)
        }
        return StatusCheck { exchange.cancel() }
    }

    /// With the same header fields and session configuration; `events` beside the status where nobody says.
    public func stream(at url: URL?) -> (any StatusStream)? {
        (url ?? URLSessionStatusStream.url(besideStatus: self.url)).map { url in
            URLSessionStatusStream(
                url: url, headers: headers, configuration: configuration, requiresTLS: requiresTLS
            )
        }
    }

    private func request(_ earlier: StatusReader.Known?) -> URLRequest {
        var request = URLRequest(url: url)
        request.setValue(verifier == nil ? "application/json" : "application/jose", forHTTPHeaderField: "Accept")
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        request.setValue("bellerophon", forHTTPHeaderField: "User-Agent")
        if let earlier { request.setValue(earlier.entityTag, forHTTPHeaderField: "If-None-Match") }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }
}

extension URL {
    /// The address as a person reads it, safe to draw: `demo.local/status`, `[::1]:8080/status`.
    var plainName: String {
        let host = host ?? absoluteString
        var name = host.contains(":") ? "[\(host)]" : host
        if let port { name += ":\(port)" }
        if path != "/" { name += path }
        return TextSanitizer.sanitize(name, keepingNewlines: false, limit: 2048)
    }
}

extension StatusSource where Self == URLSessionStatusSource {
    /// The status at an address, with the default limits.
    public static func url(_ url: URL) -> URLSessionStatusSource {
        URLSessionStatusSource(url: url)
    }
}

extension URLSessionStatusSource {
    /// Answers a delegate's ``BellerophonManagerDelegate/bellerophonStatus(_:completion:)`` in one line.
    public func fetch(
        completion: @escaping @Sendable (_ status: (any BellerophonObservable)?, _ error: (any Error)?) -> Void
    ) {
        _ = fetchStatus { result in
            switch result {
            case .success(let reply): completion(reply, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }
}
