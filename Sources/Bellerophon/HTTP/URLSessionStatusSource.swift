public import Foundation
import HTTPTransport
import SafeText
import StatusModel
import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Requests the status over HTTP with `URLSession`.
///
/// Only the last document and its entity tag are cached, so an unchanged status costs no body. One deadline covers the
/// whole exchange, including a slow body. The body size is limited. By default at most three redirects are followed, to
/// the same origin only.
public final class URLSessionStatusSource: StatusSource {
    /// The bounds of one exchange.
    public struct Limits: Equatable, Sendable {
        /// The most time from the start of the request to the last byte. Default: 10 s.
        public var deadline: Duration
        /// The most bytes of the body. Default: 64 KiB.
        public var bodyBytes: Int
        /// The most redirects, to the same origin only. Default: 3.
        public var redirects: Int

        /// Creates limits.
        public init(deadline: Duration = .seconds(10), bodyBytes: Int = 64 * 1024, redirects: Int = 3) {
            self.deadline = deadline
            self.bodyBytes = bodyBytes
            self.redirects = redirects
        }
    }

    /// The address of the status.
    public let url: URL
    /// The limits of each exchange.
    package let limits: Limits
    private let headers: [String: String]
    private let configuration: URLSessionConfiguration
    private let client: HTTPClient
    private let reader: Mutex<StatusReader>
    /// Verifies signed statuses; nil accepts unsigned statuses.
    public let verifier: (any StatusVerifier)?
    /// Whether plain `http` is refused except to this machine.
    package let requiresTLS: Bool
    private let onExchange: (@Sendable (StatusExchange) -> Void)?

    /// Creates a source.
    /// - Parameters:
    ///   - url: an `http` or `https` address.
    ///   - headers: sent with every request, for example an authorization. They override the source's own fields.
    ///   - limits: the limits of each exchange.
    ///   - configuration: copied for the sessions, with cache, cookies and credentials turned off. Its protocol classes
    ///     take precedence; on Linux, libcurl carries all other requests.
    ///   - verifier: accepts only statuses that it verifies.
    ///   - requiresTLS: refuses plain `http` except to this machine.
    public convenience init(
        url: URL, headers: [String: String] = [:], limits: Limits = Limits(),
        configuration: URLSessionConfiguration = .ephemeral, verifier: (any StatusVerifier)? = nil,
        requiresTLS: Bool = false
    ) {
        self.init(
            url: url, headers: headers, limits: limits, configuration: configuration, verifier: verifier,
            requiresTLS: requiresTLS, onExchange: nil)
    }

    /// Creates a source that reports its exchanges.
    /// - Parameter onExchange: called for every exchange after its check has ended, on any thread. For a recorder.
    package init(
        url: URL, headers: [String: String] = [:], limits: Limits = Limits(),
        configuration: URLSessionConfiguration = .ephemeral, verifier: (any StatusVerifier)? = nil,
        requiresTLS: Bool = false, onExchange: (@Sendable (StatusExchange) -> Void)?
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

    /// The address for display, without the scheme: `demo.local/status`.
    public var name: String { url.plainName }

    /// The host of the address.
    public var host: String { url.host ?? url.absoluteString }

    /// The transport security of the address.
    public var security: TransportSecurity? { TransportSecurity(of: url) }

    /// Starts one exchange. An address that is refused results in ``StatusError/Reason-swift.enum/unusableURL(_:)``.
    public func fetchStatus(
        _ completion: @escaping @Sendable (Result<StatusReply, StatusError>) -> Void
    ) -> StatusCheck {
        if let why = TransportSecurity.refusal(of: url, requiresTLS: requiresTLS) {
            completion(.failure(StatusError(.unusableURL(why))))
            return StatusCheck {}
        }
        let earlier = reader.withLock { $0.known }
        let cancel = client.start(
            request(earlier), limits: HTTPLimits(deadline: limits.deadline, redirects: limits.redirects),
            handler: StatusHandler(bodyLimit: limits.bodyBytes)
        ) { handler, end in
            // The closure retains the source until the exchange has ended.
            let exchange = handler.exchange(endedBy: end)
            completion(self.reader.withLock { $0.read(exchange, earlier: earlier) })
            self.onExchange?(exchange)
        }
        return StatusCheck(onCancel: cancel)
    }

    /// A stream with the same header fields and session configuration. The default address is `events` beside the status.
    public func stream(at url: URL?) -> (any StatusStream)? {
        (url ?? URLSessionStatusStream.url(besideStatus: self.url)).map { url in
            URLSessionStatusStream(
                url: url, headers: headers, configuration: configuration, requiresTLS: requiresTLS
            )
        }
    }

    private func request(_ earlier: StatusReader.Known?) -> URLRequest {
        let accepted = verifier == nil ? "application/json" : "application/jose"
        return URLRequest(url, accepting: accepted, ["If-None-Match": earlier?.entityTag], overriddenBy: headers)
    }
}

extension URLRequest {
    /// A request for a status or a stream of statuses.
    init(_ url: URL, accepting type: String, _ fields: [String: String?], overriddenBy headers: [String: String]) {
        self.init(url: url)
        let common = ["Accept": type, "Accept-Encoding": "identity", "User-Agent": "bellerophon"]
        for fields in [common, fields.compactMapValues(\.self), headers] {
            for (name, value) in fields { setValue(value, forHTTPHeaderField: name) }
        }
    }
}

extension URL {
    /// The address for display, sanitised: `demo.local/status`, `[::1]:8080/status`.
    var plainName: String {
        TextSanitizer.sanitize(plainText, keepingNewlines: false, limit: 2048)
    }

    private var plainText: String {
        guard let host else { return absoluteString }
        var name = host.contains(":") ? "[\(host)]" : host
        if let port { name += ":\(port)" }
        if path != "/" { name += path }
        return name
    }
}

extension StatusSource where Self == URLSessionStatusSource {
    /// A source for the status at an address, with the default limits.
    public static func url(_ url: URL) -> URLSessionStatusSource {
        URLSessionStatusSource(url: url)
    }
}

extension URLSessionStatusSource {
    /// Implements a delegate's ``BellerophonManagerDelegate/bellerophonStatus(_:completion:)`` in one line.
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
