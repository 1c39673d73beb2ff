import NIOHTTP1

/// What a request's head determines about its body and its reply.
struct RequestFacts: Equatable {
    let persistence: PrerenderedReply.Persistence
    /// The body's length in bytes; nil without `Content-Length`.
    let contentLength: Int64?
    let isChunked: Bool
    /// The client waits for `100 Continue` before it sends its body.
    let expectsContinue: Bool
    /// Why the request is refused; the connection closes after the reply.
    let problem: HTTPError?

    /// In bytes. Longer targets get 414.
    static let maximumTarget = 8 * 1024

    var hasBody: Bool { isChunked || (contentLength ?? 0) > 0 }

    /// Refuses requests that two servers could interpret differently (RFC 9112, sections 3.2 and 6.1).
    init(_ head: HTTPRequestHead) {
        let (headers, isOld) = (head.headers, head.version.minor == 0)
        let lengths = Set(headers["Content-Length"].map { Int64($0) ?? -1 })
        let codings = headers["Transfer-Encoding"].map { $0.trimmedOfSpace().lowercased() }
        let expectations = Set(headers["Expect"].map { $0.trimmedOfSpace().lowercased() })
        let hosts = headers["Host"].count
        contentLength = lengths.first
        isChunked = !codings.isEmpty
        expectsContinue = !expectations.isEmpty
        problem =
            if isChunked, !lengths.isEmpty {
                HTTPError(400, "both Content-Length and Transfer-Encoding", hint: "send only one of them")
            } else if isChunked, isOld {
                HTTPError(400, "Transfer-Encoding in HTTP/1.0", hint: "send Content-Length")
            } else if hosts > 1 || hosts == 0 && !isOld {
                HTTPError(400, "Host must be sent exactly once", hint: "HTTP/1.1 asks for it (RFC 9112, section 3.2)")
            } else if head.uri.utf8.count > Self.maximumTarget {
                HTTPError(414, "the address is longer than \(Self.maximumTarget) bytes", hint: "shorten it")
            } else if lengths.count > 1 || lengths.contains(where: { $0 < 0 }) {
                HTTPError(400, "Content-Length is not a number of bytes", hint: "send it once, in digits")
            } else if isChunked, codings != ["chunked"] {
                HTTPError(501, "an unknown Transfer-Encoding", hint: "the only one that is known is chunked")
            } else if expectsContinue, expectations != ["100-continue"] {
                HTTPError(417, "an unknown expectation", hint: "the only one that is known is 100-continue")
            } else {
                nil
            }
        // The parser stops after a request for an upgrade.
        let isLast = problem != nil || !head.isKeepAlive || head.method == .CONNECT || headers.contains(name: "Upgrade")
        persistence = isLast ? .close : isOld ? .keepAlive : .implied
    }
}
