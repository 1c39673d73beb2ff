import NIOHTTP1

/// What a request's head determines about its body and its reply, from one pass over the fields.
struct RequestFacts: Equatable {
    private(set) var persistence: PrerenderedReply.Persistence
    /// The body's length in bytes; nil without `Content-Length`.
    private(set) var contentLength: Int64?
    private(set) var isChunked = false
    private(set) var hasCondition = false
    /// The client waits for `100 Continue` before it sends its body.
    private(set) var expectsContinue = false
    private(set) var lastEventID: String?
    /// The first `Authorization` field.
    private(set) var authorization: String?
    /// Why the request is refused; the connection closes after the reply.
    private(set) var problem: HTTPError?

    private var hosts = 0
    private var asksForClose = false
    private var asksForKeepAlive = false
    /// The parser stops after such a request, so that the connection must close.
    private var asksForUpgrade: Bool

    /// In bytes. Longer targets get 414.
    static let maximumTarget = 8 * 1024

    var hasBody: Bool { isChunked || (contentLength ?? 0) > 0 }

    init(_ head: HTTPRequestHead) {
        persistence = .implied
        asksForUpgrade = head.method == .CONNECT
        for (name, value) in head.headers { read(name, value) }
        if asksForClose || asksForUpgrade {
            persistence = .close
        } else if head.version.minor == 0 {
            persistence = asksForKeepAlive ? .keepAlive : .close
        }
        validateFraming(head)
    }

    /// Most fields differ in the length of their names, which is compared first.
    private mutating func read(_ name: String, _ value: String) {
        switch name.utf8.count {
        case 4 where name.isSameField("host"): hosts += 1
        case 6 where name.isSameField("expect"): readExpectation(value)
        case 7 where name.isSameField("upgrade"): asksForUpgrade = true
        case 10 where name.isSameField("connection"): readConnection(value)
        case 13 where name.isSameField("if-none-match"): hasCondition = true
        case 13 where name.isSameField("last-event-id"): lastEventID = value
        case 13 where name.isSameField("authorization"): authorization = authorization ?? value
        case 14 where name.isSameField("content-length"): readLength(value)
        case 17 where name.isSameField("transfer-encoding"): readCoding(value)
        default: break
        }
    }

    private mutating func readConnection(_ value: String) {
        for item in value.split(separator: ",") {
            let option = item.trimmedOfSpace()
            if option.isSameField("close") { asksForClose = true }
            if option.isSameField("keep-alive") { asksForKeepAlive = true }
        }
    }

    private mutating func readExpectation(_ value: String) {
        if value.trimmedOfSpace().isSameField("100-continue") {
            expectsContinue = true
        } else {
            problem = HTTPError(417, "an unknown expectation", hint: "the only one that is known is 100-continue")
        }
    }

    private mutating func readLength(_ value: String) {
        guard let length = Int64(value), length >= 0, contentLength == nil || contentLength == length else {
            problem = HTTPError(400, "Content-Length is not a number of bytes", hint: "send it once, in digits")
            return
        }
        contentLength = length
    }

    private mutating func readCoding(_ value: String) {
        guard value.trimmedOfSpace().isSameField("chunked"), !isChunked else {
            problem = HTTPError(501, "an unknown Transfer-Encoding", hint: "the only one that is known is chunked")
            return
        }
        isChunked = true
    }

    /// Refuses requests that two servers could interpret differently (RFC 9112, sections 3.2 and 6.1).
    private mutating func validateFraming(_ head: HTTPRequestHead) {
        if isChunked, contentLength != nil {
            problem = HTTPError(400, "both Content-Length and Transfer-Encoding", hint: "send only one of them")
        } else if isChunked, head.version.minor == 0 {
            problem = HTTPError(400, "Transfer-Encoding in HTTP/1.0", hint: "send Content-Length")
        } else if hosts != 1, head.version.minor > 0 || hosts > 1 {
            problem = HTTPError(400, "Host must be sent exactly once", hint: "HTTP/1.1 asks for it (RFC 9112, section 3.2)")
        } else if head.uri.utf8.count > Self.maximumTarget {
            problem = HTTPError(414, "the address is longer than \(Self.maximumTarget) bytes", hint: "shorten it")
        }
        if problem != nil { persistence = .close }
    }
}

extension StringProtocol {
    /// Compares ASCII text and ignores case.
    /// - Parameter lowercased: the other text, in lower case.
    func isSameField(_ lowercased: StaticString) -> Bool {
        guard utf8.count == lowercased.utf8CodeUnitCount else { return false }
        var other = lowercased.utf8Start
        for byte in utf8 {
            let lower = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            guard lower == other.pointee else { return false }
            other += 1
        }
        return true
    }
}
