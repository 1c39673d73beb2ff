import BellerophonBase
import Foundation
import StatusModel

/// The members of a signed payload that state the audience, the serial and the validity period, read strictly.
///
/// A whole number is read from its digits, so the result does not depend on how a decoder treats `1e3`, `1.0` or 2⁶³.
struct SignedPayload {
    private let members: [String: JSONNode]

    /// NumericDate (RFC 7519, section 2) until the end of the year 9999.
    private static let dates: ClosedRange<Int64> = 0...253_402_300_799
    /// The integers that every JSON parser reads exactly (RFC 8259, section 6).
    static let serials: ClosedRange<Int64> = 0...(1 << 53 - 1)
    /// How far in the future a document may be issued, in seconds, because clocks differ.
    static let leeway: TimeInterval = 60

    init(_ payload: Data) throws(TrustError) {
        members = try Self.members(of: payload, "payload")
    }

    /// The members of the header or payload of a signed document, in which no name may occur twice. Broken text is replaced,
    /// as in plain statuses, because it must not invalidate a signed kill.
    static func members(of part: Data, _ name: String) throws(TrustError) -> [String: JSONNode] {
        for isRepaired in [false, true] {
            let data = isRepaired ? JSONText.repaired(part) : part
            do throws(JSONSyntaxError) {
                guard let members = try JSONReader.read(data, [.acceptsHugeNumbers, .refusesByteOrderMark]).members else { break }
                return members
            } catch {
                if case .repeatedName(let repeated) = error.reason {
                    throw .malformed("“\(repeated)” appears twice in its \(name)")
                }
            }
        }
        throw .malformed("its \(name) is no JSON object")
    }

    func text(_ name: String) throws(TrustError) -> String {
        guard let node = members[name] else { throw .malformed("its payload has no “\(name)”") }
        guard case .string(let text) = node.value else { throw .malformed("“\(name)” in its payload must be text") }
        return text
    }

    func number(_ name: String, in range: ClosedRange<Int64>) throws(TrustError) -> Int64 {
        guard let node = members[name] else { throw .malformed("its payload has no “\(name)”") }
        guard case .number(_, let text) = node.value, text.utf8.count <= 16,
            text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            let number = Int64(text), range.contains(number)
        else {
            throw .malformed("“\(name)” in its payload must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The validity period of the document.
    /// - Parameter now: the current time; nil checks only that the period does not end before it begins.
    func times(at now: Date?) throws(TrustError) -> (issuedAt: Date, expiresAt: Date) {
        let issuedAt = Date(timeIntervalSince1970: TimeInterval(try number("iat", in: Self.dates)))
        let expiresAt = Date(timeIntervalSince1970: TimeInterval(try number("exp", in: Self.dates)))
        guard expiresAt > issuedAt else { throw .malformed("it expires before it is issued") }
        if let now {
            if issuedAt.timeIntervalSince(now) > Self.leeway { throw .futureDated(issuedAt: issuedAt, now: now) }
            if expiresAt <= now { throw .expired(at: expiresAt, now: now) }
        }
        return (issuedAt, expiresAt)
    }
}
