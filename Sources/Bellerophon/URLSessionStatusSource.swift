public import Foundation
import Synchronization
import TerminalUI
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
    private let session: URLSession
    private let exchanges: StatusExchanges
    private let known = Mutex<KnownDocument?>(nil)

    /// The last document that came with an entity tag.
    struct KnownDocument: Sendable {
        let entityTag: String
        let document: StatusDocument
        let excerpt: String
    }

    /// - Parameters:
    ///   - url: an `http` or `https` address.
    ///   - headers: sent with every request, for example an authorization. They override the source's own.
    ///   - configuration: the session's base; its cache and cookies are turned off.
    public init(
        url: URL, headers: [String: String] = [:], limits: Limits = Limits(),
        configuration: URLSessionConfiguration = .ephemeral
    ) {
        self.url = url
        self.limits = limits
        self.headers = headers
        exchanges = StatusExchanges(limits: limits)
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        // The session's own time limit only stands behind the deadline, which is ours.
        configuration.timeoutIntervalForRequest = limits.deadline.inSeconds + 5
        // A queue of this source alone, with a thread of its own: behind a busy thread pool, or behind the flood of
        // another source, a body would pile up before its cap is noticed.
        let operations = OperationQueue()
        operations.maxConcurrentOperationCount = 1
        operations.underlyingQueue = exchanges.callbacks
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: operations)
    }

    deinit {
        session.invalidateAndCancel()
    }

    public var name: String {
        var name = host.contains(":") ? "[\(host)]" : host
        if let port = url.port { name += ":\(port)" }
        if url.path != "/" { name += url.path }
        return SafeText.sanitize(name, keepingNewlines: false, limit: 2048)
    }

    public var host: String { url.host ?? url.absoluteString }

    public func fetchStatus(
        _ completion: @escaping @Sendable (Result<StatusReply, StatusError>) -> Void
    ) -> StatusCheck {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", url.host != nil else {
            completion(.failure(StatusError(.unusableURL("\(name) is no http or https address"))))
            return StatusCheck {}
        }
        let earlier = known.withLock { $0 }
        let task = session.dataTask(with: request(earlier))
        // A source that nobody else holds lives until its exchange ends, which its deadline makes sure of.
        return exchanges.start(task) { outcome in completion(self.read(outcome, earlier: earlier)) }
    }

    private func request(_ earlier: KnownDocument?) -> URLRequest {
        var request = URLRequest(url: url)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        request.setValue("bellerophon", forHTTPHeaderField: "User-Agent")
        if let earlier { request.setValue(earlier.entityTag, forHTTPHeaderField: "If-None-Match") }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private func read(_ outcome: StatusExchanges.Outcome, earlier: KnownDocument?) -> Result<StatusReply, StatusError> {
        var receipt = outcome.receipt
        if let reason = outcome.failure { return .failure(StatusError(reason, receipt: receipt)) }
        guard let code = receipt.httpStatus else {
            // The transport takes a redirect to nowhere, and a head with control characters, for an end without one.
            let code = URLError.badServerResponse.rawValue
            return .failure(StatusError(.transport(code: code, message: "the server's answer makes no sense"), receipt: receipt))
        }
        switch code {
        case 200..<300:
            return decode(outcome.body, entityTag: outcome.entityTag, receipt: receipt)
        case 304:
            guard let earlier else { return .failure(StatusError(.notModifiedWithoutDocument, receipt: receipt)) }
            receipt.isNotModified = true
            receipt.excerpt = earlier.excerpt
            return .success(StatusReply(earlier.document, receipt: receipt))
        default:
            return .failure(StatusError(.httpStatus(code), receipt: receipt))
        }
    }

    private func decode(
        _ body: Data, entityTag: String?, receipt: StatusReceipt
    ) -> Result<StatusReply, StatusError> {
        do {
            let document = try StatusDocument(json: body)
            known.withLock {
                $0 = entityTag.map { KnownDocument(entityTag: $0, document: document, excerpt: receipt.excerpt) }
            }
            return .success(StatusReply(document, receipt: receipt))
        } catch {
            return .failure(StatusError(.notStatusDocument(error.description), receipt: receipt))
        }
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
