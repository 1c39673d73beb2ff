import BellerophonBase
public import Foundation
import SafeText

/// Why a document is not trusted.
public enum TrustError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A plain document, although only signed ones are accepted.
    case unsigned
    /// Not a compact JWS (RFC 7515), or required contents are missing; the text describes the problem.
    case malformed(String)
    /// The algorithm is not EdDSA.
    case wrongAlgorithm(String)
    /// Signed with a key that is not trusted.
    case unknownKey(String)
    /// The signature does not match the document.
    case badSignature(keyID: String)
    /// Issued in the future.
    case futureDated(issuedAt: Date, now: Date)
    /// Expired at `at`.
    case expired(at: Date, now: Date)
    /// Signed for another app, channel or resource.
    case wrongAudience(found: String, expected: String)
    /// The serial is lower than one that was accepted before.
    case replayed(serial: Int64, known: Int64)
    /// The contents differ from those of an accepted status with the same serial.
    case serialReused(Int64)

    /// The problem in one line for a person, safe to draw.
    public var description: String {
        switch self {
        case .unsigned:
            "it is not signed; a server that signs has the signed status at its usual address with .jws at the end"
        case .malformed(let problem): "it is not a valid signed document: \(Self.safe(problem))"
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

    /// The problem in a few words, for a column of a log.
    package var shortText: String {
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
