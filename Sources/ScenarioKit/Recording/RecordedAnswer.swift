import Barricade
import Bellerophon
import BellerophonBase
import Foundation

/// Converts an exchange into the response with which a barricade reproduces it.
struct RecordedAnswer {
    /// Replaces a secret.
    static let redacted = "[redacted]"

    /// Parts of the names of header fields that indicate a secret value, which is recorded only if secrets are to be kept.
    private static let secretParts = [
        "authorization", "cookie", "token", "secret", "password", "credential", "session", "signature", "csrf", "xsrf",
        "jwt", "apikey", "api-key", "auth-key", "access-key", "private-key", "authentication-info",
    ]
    /// Fields whose value is a URL, or contains URLs.
    private static let addresses: Set<String> = ["location", "content-location", "link", "refresh"]
    /// Fields that apply only to the original transfer: the body is stored decoded and complete. A simulated server has no
    /// stream to announce.
    private static let passing: Set<String> = [
        "content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive", "trailer", "date", "age",
        "bellerophon-events", "bellerophon-published",
    ]
    /// The fields that a status client acts upon; a difference in any other field makes no separate response.
    private static let telling: Set<String> = ["content-type", "etag", "retry-after", "location"]

    /// The names of further secret fields, in lower case: those that the requests carry.
    let alsoSecret: Set<String>
    let keepsSecrets: Bool

    /// The recorded response; nil if the exchange did not end because of the server.
    func answer(_ exchange: StatusExchange) -> ScenarioResponse.Answer? {
        let hasHead = exchange.metadata.httpStatus != nil
        switch exchange.failure {
        case nil: return reply(exchange)
        case .redirectRefused: return reply(exchange, body: ScenarioReply.Body.none)
        case .timedOut: return hasHead ? reply(exchange, ending: .stallMidBody) : .silence
        case .tooLarge(let limit): return reply(exchange, bodyBytes: max(exchange.metadata.bytes, limit + 1))
        case .transport(let code, _):
            return .failure(code: (-9999 ... -1).contains(code) ? code : URLError.badServerResponse.rawValue)
        case .httpStatus, .notModifiedWithoutDocument, .notStatusDocument, .untrusted, .noStatus, .unusableURL, .stream,
            .cancelled,
            .other:
            return nil
        }
    }

    /// Whether two responses are the same for a status client.
    static func isSame(_ left: ScenarioResponse.Answer, _ right: ScenarioResponse.Answer) -> Bool {
        guard case .reply(var one) = left, case .reply(var other) = right else { return left == right }
        one.head.headers = one.head.headers.filter { telling.contains($0.key.lowercased()) }
        other.head.headers = other.head.headers.filter { telling.contains($0.key.lowercased()) }
        return one == other
    }

    private func reply(
        _ exchange: StatusExchange, body: ScenarioReply.Body? = nil, bodyBytes: Int? = nil,
        ending: ReplyEnding = .complete
    ) -> ScenarioResponse.Answer {
        let status = exchange.metadata.httpStatus ?? 0
        // On other platforms, URLSession fails on a code that HTTP does not define.
        guard (200...599).contains(status) else { return .failure(code: URLError.badServerResponse.rawValue) }
        return .reply(
            ScenarioReply(
                statusCode: status, headers: headers(exchange), body: body ?? Self.body(exchange.body),
                bodyBytes: bodyBytes, ending: ending
            )
        )
    }

    // MARK: Headers

    private func headers(_ exchange: StatusExchange) -> [String: String] {
        var headers: [String: String] = [:]
        for (name, value) in exchange.headers where !Self.passing.contains(name.lowercased()) && Self.fits(name, value) {
            headers[name] = kept(name, value, exchange.metadata)
        }
        return headers
    }

    private func kept(_ name: String, _ value: String, _ metadata: ExchangeMetadata) -> String {
        let name = name.lowercased()
        // A date would be in the past when the recording is played.
        if name == "retry-after", let wait = metadata.retryAfter { return String(Int(wait.inSeconds.rounded(.up))) }
        if keepsSecrets { return value }
        if isSecret(name) { return Self.redacted }
        return Self.addresses.contains(name) ? Self.withoutSecrets(addresses: value) : value
    }

    private func isSecret(_ name: String) -> Bool {
        alsoSecret.contains(name) || Self.secretParts.contains { name.contains($0) }
    }

    /// URLs may identify the client: by query, by fragment, or by user name and password before the host.
    private static func withoutSecrets(addresses: String) -> String {
        addresses
            .replacing(/[?#][^>\s"']*/, with: "")
            .replacing(/\/\/[^\/@\s]*@/, with: "//")
    }

    /// Whether a scenario file accepts the field.
    private static func fits(_ name: String, _ value: String) -> Bool {
        (1...80).contains(name.count) && value.count <= 8000
            && (name + value).unicodeScalars.allSatisfy { RecordingText.isSeen($0) }
    }

    // MARK: Body

    private static func body(_ body: Data) -> ScenarioReply.Body {
        guard !body.isEmpty else { return .none }
        guard let text = String(validating: body, as: UTF8.self) else { return .data(Array(body)) }
        // Few brackets, so that the nesting never makes the file unreadable. No byte order mark, because JSON drops it.
        let brackets = body.count { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
        let isPlainJSON = body.first == UInt8(ascii: "{") && brackets <= 40 && (try? StatusDocument(json: body)) != nil
        return isPlainJSON ? .json(text) : .text(text)
    }
}

/// Text that a scenario file accepts.
enum RecordingText {
    /// Whether a scalar is neither a control character, nor one that reorders text or ends a line.
    static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    /// The first line, without invisible characters, cut to `limit` characters.
    static func line(_ text: String, limit: Int = 120) -> String {
        let first = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return String(String(String.UnicodeScalarView(first.unicodeScalars.filter(isSeen))).prefix(limit))
    }
}
