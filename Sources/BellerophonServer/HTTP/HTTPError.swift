import BellerophonStore
import NIOHTTP1

/// An error response: the problem, and what to do about it.
///
/// Its body is a problem's document (RFC 9457): see ``ProblemType``. The texts contain a client's text only as ``quoted(_:)``
/// returns it.
package struct HTTPError: Error, Equatable, Sendable {
    package let code: Int
    package let type: ProblemType
    package let error: String
    package let hint: String
    /// Additional header fields, such as `Allow`.
    package let headers: HTTPHeaders

    /// - Parameter type: the usual one of the code by default.
    package init(
        _ code: Int, _ error: String, type: ProblemType? = nil, hint: String, headers: [(String, String)] = []
    ) {
        self.code = code
        self.type = type ?? ProblemType(code: code)
        self.error = error
        self.hint = hint
        self.headers = HTTPHeaders(headers)
    }

    package static let mediaType = "application/problem+json"

    /// The JSON body, with a line feed at its end.
    package var body: [UInt8] {
        let (title, detail, hint) = (UnseenText.quoted(type.title), UnseenText.quoted(error), UnseenText.quoted(hint))
        let problem = "\"type\":\"\(type.uri)\",\"title\":\(title),\"status\":\(code)"
        return Array("{\(problem),\"detail\":\(detail),\"hint\":\(hint)}\n".utf8)
    }

    /// A client's text in quotes: at most 64 characters. Control and format characters and quotes are replaced by `?`.
    package static func quoted(_ text: some StringProtocol) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(64) {
            shown.unicodeScalars.append(UnseenText.isUnseen(scalar) || scalar == "\"" ? "?" : scalar)
        }
        return "\"\(shown)\(text.unicodeScalars.count > 64 ? "…" : "")\""
    }

    static let notFound = HTTPError(
        404, "there is nothing at this path", hint: "the paths are /status, /v1/apps/APP/status and those in docs/server.md"
    )

    static func unknownApp(_ app: String) -> HTTPError {
        HTTPError(
            404, "no app \(quoted(app))", type: .unknownApp, hint: "publish something for it first; 'restore' is enough")
    }

    static let nothingSigned = HTTPError(
        404, "this server signs nothing", type: .notSigned,
        hint: "give it a key with signing.key; 'bellerophon-server keygen' makes one"
    )

    static func noDigest(_ name: String) -> HTTPError {
        HTTPError(
            404, "\(quoted(name)) was published without its SHA-256, so that it can't be signed",
            type: .notSigned, hint: "publish it again with one")
    }

    static func methodNotAllowed(_ allowed: [String]) -> HTTPError {
        let list = allowed.joined(separator: ", ")
        return HTTPError(405, "this path does not accept that method", hint: "it takes \(list)", headers: [("Allow", list)])
    }

    static let unauthorized = HTTPError(
        401, "a token is needed", hint: "send 'Authorization: Bearer TOKEN'; 'bellerophon-server token create' makes one",
        headers: [("WWW-Authenticate", "Bearer realm=\"bellerophon\"")]
    )

    static let wrongToken = HTTPError(
        401, "this token is not known, or was revoked", type: .unknownToken,
        hint: "'bellerophon-server token list' shows the tokens there are",
        headers: [("WWW-Authenticate", "Bearer realm=\"bellerophon\", error=\"invalid_token\"")]
    )

    static let expiredToken = HTTPError(
        401, "this token has expired", type: .expiredToken, hint: "'bellerophon-server token create' makes another",
        headers: [("WWW-Authenticate", "Bearer realm=\"bellerophon\", error=\"invalid_token\"")]
    )

    /// - Parameter reason: why the request takes the permission, as a part of a sentence; nil if that is plain.
    static func forbidden(_ needed: TokenScope, because reason: String? = nil) -> HTTPError {
        let scope = [needed.app, needed.channel].compactMap(\.self).joined(separator: "/")
        let (action, scopes) =
            switch needed.kind {
            case .read: ("read", "read")
            case .statuses where needed == .statuses: ("decide on the rule of two persons", "statuses")
            // Which of both a request needs is not known before its body is read.
            case .statuses, .rules: ("publish for \(scope)", "statuses:\(scope)")
            case .publish, .resources: ("publish resources", "resources")
            case .tokens: ("manage tokens", "tokens")
            }
        let less = needed.kind == .rules ? "; \(needed) is enough for rules of some" : ""
        let why = reason.map { "; \($0)" } ?? ""
        return HTTPError(
            403, "this token may not \(action)",
            hint: "use a token with the scope \(scopes), or one that includes it\(less)\(why)",
            headers: [("WWW-Authenticate", "Bearer realm=\"bellerophon\", error=\"insufficient_scope\", scope=\"\(scopes)\"")]
        )
    }

    static let headTooLarge = HTTPError(431, "the header is too large", hint: "send fewer or shorter fields")

    static let headTooSlow = HTTPError(408, "the request took too long", hint: "send its header at once")

    static let bodyTooSlow = HTTPError(
        408, "the body took too long",
        hint: "send it faster; limits.bodyTime bounds it, or limits.uploadTime for a resource"
    )

    static let invalidRequest = HTTPError(400, "this is not a valid HTTP/1.1 request", hint: "see RFC 9112")

    static func tooLarge(_ limit: Int64) -> HTTPError {
        HTTPError(413, "the body is larger than \(limit) bytes", hint: "send less, or raise limits.resourceSize for a resource")
    }

    static let tooManyDownloads = HTTPError(
        429, "too many downloads from this address at once",
        hint: "let one of them end first; limits.downloadsPerAddress bounds them",
        headers: [("Retry-After", "5")]
    )

    static func tooManyOfToken(_ limit: Int) -> HTTPError {
        HTTPError(
            429, "too many requests with this token at once",
            hint: "let one of them end first; \(limit) may be in progress, a quarter of what limits.concurrentRequests permits",
            headers: [("Retry-After", "1")])
    }

    static let noRoomForStream = HTTPError(
        503, "there is no room for another stream", hint: "poll the status, and try again later",
        headers: [("Retry-After", "\(ConnectionHandler.retryAfter)")])

    static func busy(retryAfter seconds: Int) -> HTTPError {
        HTTPError(503, "the server is busy", hint: "try again in \(seconds) s", headers: [("Retry-After", "\(seconds)")])
    }
}
