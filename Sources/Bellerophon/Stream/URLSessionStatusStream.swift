public import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Receives a stream of statuses over HTTP with `URLSession`: Server-Sent Events (WHATWG HTML, section 9.2).
///
/// At most three redirects are followed, to the same origin only. The size of an event is limited. Nothing is cached. A
/// stream never reconnects by itself; the manager decides that.
public final class URLSessionStatusStream: StatusStream {
    /// The address of the stream.
    public let url: URL
    private let requiresTLS: Bool
    private let headers: [String: String]
    private let eventLimit: Int
    private let client: HTTPClient

    /// Creates a stream.
    /// - Parameters:
    ///   - url: an `http` or `https` address.
    ///   - headers: sent with every request, for example an authorization. They override the stream's own fields.
    ///   - eventLimit: the most bytes of one event. Default: 256 KiB.
    ///   - configuration: copied for the sessions; see ``URLSessionStatusSource``.
    ///   - requiresTLS: refuses plain `http` except to this machine.
    public init(
        url: URL, headers: [String: String] = [:], eventLimit: Int = 256 << 10,
        configuration: URLSessionConfiguration = .ephemeral, requiresTLS: Bool = false
    ) {
        self.url = url
        self.requiresTLS = requiresTLS
        self.headers = headers
        self.eventLimit = eventLimit
        client = HTTPClient(configuration)
    }

    /// The address for display, without the scheme: `demo.local/events`.
    public var name: String { url.plainName }

    /// Starts one connection. An address that is refused results in ``StatusError/Reason-swift.enum/unusableURL(_:)``.
    public func connect(
        lastEventID: String?, onSignal: @escaping @Sendable (StreamSignal) -> Void
    ) -> StreamConnection {
        if let why = TransportSecurity.refusal(of: url, requiresTLS: requiresTLS) {
            onSignal(.closed(StatusError(.unusableURL(why))))
            return StreamConnection {}
        }
        // ``StreamMachine`` limits the time of silence.
        let cancel = client.start(
            request(after: lastEventID), limits: HTTPLimits(redirects: 3),
            handler: StreamHandler(EventStreamParser(limit: eventLimit), onSignal: onSignal)
        ) { handler, end in
            onSignal(.closed(handler.error(endedBy: end)))
        }
        return StreamConnection(onCancel: cancel)
    }

    private func request(after lastEventID: String?) -> URLRequest {
        let id = lastEventID.flatMap { Self.isSendable($0) ? $0 : nil }
        return URLRequest(
            url, accepting: "text/event-stream", ["Cache-Control": "no-store", "Last-Event-ID": id], overriddenBy: headers)
    }

    /// Whether an id is a valid header value; a server must not be able to inject header fields (RFC 9110, section 5.5).
    package static func isSendable(_ id: String) -> Bool {
        (1...512).contains(id.utf8.count) && id.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}

extension URLSessionStatusStream {
    /// The default address of the stream for a status: `events` in the same folder, or `events.jws` for a signed status.
    package static func url(besideStatus status: URL) -> URL? {
        guard var parts = URLComponents(url: status, resolvingAgainstBaseURL: true) else { return nil }
        let folder = parts.percentEncodedPath.lastIndex(of: "/").map { parts.percentEncodedPath[...$0] } ?? "/"
        parts.percentEncodedPath = folder + (parts.percentEncodedPath.hasSuffix(".jws") ? "events.jws" : "events")
        return parts.url
    }
}

extension StatusStream where Self == URLSessionStatusStream {
    /// A stream at an address, with the default limits.
    public static func url(_ url: URL) -> URLSessionStatusStream {
        URLSessionStatusStream(url: url)
    }
}
