import BellerophonBase
public import Foundation
import SafeText

/// Why a document is not believed.
public enum TrustError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A plain document, where only signed ones count.
    case unsigned
    /// No compact JWS (RFC 7515), or one without what is needed; the text says what is wrong.
    case malformed(String)
    /// Signed by another algorithm than EdDSA, whatever the document asks for.
    case wrongAlgorithm(String)
    /// Signed with a key that is not among the trusted ones.
    case unknownKey(String)
    /// The signature does not fit the document.
    case badSignature(keyID: String)
    /// Issued in the future.
    case futureDated(issuedAt: Date, now: Date)
    case expired(at: Date, now: Date)
    /// Signed for another app, channel or resource.
    case wrongAudience(found: String, expected: String)
    /// Older than a signed status that counted before.
    case replayed(serial: Int64, known: Int64)
    /// Says something else than the signed status with the same serial that counted before.
    case serialReused(Int64)

    /// One line that a person can act on, safe to draw.
    public var description: String {
        switch self {
        case .unsigned:
            "it is not signed; a server that signs has the signed status at its usual address with .jws at the end"
        case .malformed(let problem): "it is no sound signed document: \(Self.safe(problem))"
        case .wrongAlgorithm(let name): "it is signed with \(Self.quoted(name)), and only EdDSA counts"
        case .unknownKey(let id): "it is signed with the key \(Self.quoted(id)), which is not trusted here"
        case .badSignature(let id): "its signature is wrong for the key \(Self.quoted(id))"
        case .futureDated(let issuedAt, let now):
            "it was issued \(Self.span(from: now, to: issuedAt)) ahead of this machine's clock; one of the two clocks is wrong"
        case .expired(let at, let now): "it expired \(Self.span(from: at, to: now)) ago, or this machine's clock is wrong"
        case .wrongAudience(let found, let expected):
            "it is signed for \(Self.quoted(found)), and not for \(Self.quoted(expected))"
        case .replayed(let serial, let known): "it is a replay: its serial \(serial) is lower than \(known), which is known"
        case .serialReused(let serial): "its serial \(serial) was used before, for a status that says something else"
        }
    }

    /// A word or two for a log column.
    public var shortText: String {
        switch self {
        case .unsigned: "unsigned"
        case .malformed: "bad signature"
        case .wrongAlgorithm: "wrong algorithm"
        case .unknownKey: "unknown key"
        case .badSignature: "bad signature"
        case .futureDated: "future-dated"
        case .expired: "expired"
        case .wrongAudience: "other audience"
        case .replayed: "replayed"
        case .serialReused: "serial reused"
        }
    }

    private static func safe(_ text: String) -> String {
        TextSanitizer.sanitize(text, keepingNewlines: false, limit: 200)
    }

    private static func quoted(_ text: String) -> String {
        "“\(TextSanitizer.sanitize(text, keepingNewlines: false, limit: 80))”"
    }

    private static func span(from start: Date, to end: Date) -> String {
        Duration.seconds(min(max(end.timeIntervalSince(start), 0), 1e12)).briefText
    }
}
