import Bellerophon
import Foundation

/// The members of a signed payload that say for whom and when it holds, read strictly.
///
/// A whole number is read from its digits: no decoder's idea of `1e3`, `1.0` or 2⁶³ plays a part.
struct SignedPayload {
    private let members: JSONMembers

    /// NumericDate (RFC 7519, section 2) up to the end of the year 9999.
    private static let dates: ClosedRange<Int64> = 0...253_402_300_799
    /// Every JSON parser reads these exactly (RFC 8259, section 6).
    static let serials: ClosedRange<Int64> = 0...(1 << 53 - 1)
    /// How far ahead of this machine's clock a document may have been issued, in seconds.
    static let leeway: TimeInterval = 60

    init(_ payload: Data) throws(TrustProblem) {
        guard let members = JSONMembers(of: payload) else { throw .malformed("its payload is no JSON object") }
        if let name = members.repeatedName { throw .malformed("“\(name)” stands twice in its payload") }
        self.members = members
    }

    func text(_ name: String) throws(TrustProblem) -> String {
        guard let bytes = members[name] else { throw .malformed("its payload has no “\(name)”") }
        guard case .string(let text) = JSONValue(parsing: Data(bytes)) else { throw .malformed("“\(name)” in its payload must be text") }
        return text
    }

    func number(_ name: String, in range: ClosedRange<Int64>) throws(TrustProblem) -> Int64 {
        guard let bytes = members[name] else { throw .malformed("its payload has no “\(name)”") }
        guard bytes.count <= 16, bytes.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            bytes.count == 1 || bytes.first != UInt8(ascii: "0"),
            let number = Int64(String(decoding: bytes, as: UTF8.self)), range.contains(number)
        else { throw .malformed("“\(name)” in its payload must be a whole number from \(range.lowerBound) to \(range.upperBound)") }
        return number
    }

    /// The times between which the document holds.
    /// - Parameter now: nil leaves them unchecked, but for their order.
    func times(at now: Date?) throws(TrustProblem) -> (issuedAt: Date, expiresAt: Date) {
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
