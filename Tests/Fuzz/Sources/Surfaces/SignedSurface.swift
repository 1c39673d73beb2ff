import Bellerophon
import Foundation

@testable import BellerophonTrust

/// Only signed content is accepted, unmodified, and each signed document has exactly one text.
enum SignedSurface {
    static func verify(_ input: [UInt8]) throws(Violation) {
        var choices = Choices(input)
        let isPayload = choices.next(of: [false, true])
        let place = Int(choices.next(of: Array(0...255)))
        guard let key, let trusted = try? TrustedKeys([key.publicKey.text], audience: audience) else { return }
        if isPayload {
            try checkSigned(choices.payload, key, trusted, place)
        } else {
            try checkReceived(choices.payload, trusted)
        }
    }

    private static let audience = "default/main"
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// The sample key of RFC 8037, appendix A.1. A fixed key makes inputs reproducible.
    private static let key = try? SigningKey(
        jwk: Data(
            #"{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#
                .utf8
        ))

    /// Arbitrary bytes are either refused with a reason, or are the only encoding of their content.
    private static func checkReceived(_ bytes: [UInt8], _ trusted: TrustedKeys) throws(Violation) {
        let document: JWS
        do throws(TrustError) {
            document = try JWS(parsing: Data(bytes))
        } catch {
            return try TextSurface.requireSafe(error.description)
        }
        let again = document.signedText + Data(".\(Base64URL.encode(document.signature))".utf8)
        try require(again == Data(bytes), "the document has a second text")
        do throws(TrustError) {
            _ = try trusted.verify(status: Data(bytes), at: now)
        } catch {
            try TextSurface.requireSafe(error.description)
        }
    }

    /// A signed payload is accepted only within its lifetime, for its audience, and unmodified.
    private static func checkSigned(_ payload: [UInt8], _ key: SigningKey, _ trusted: TrustedKeys, _ place: Int) throws(Violation)
    {
        guard
            let signed = try? key.sign(
                status: Data(payload), audience: audience, serial: 7, issuedAt: now, lifetime: .seconds(60)
            )
        else { return }
        let bytes = Data(signed.utf8)
        guard let verified = try? trusted.verify(status: bytes, at: now) else {
            throw Violation("what was signed is not believed")
        }
        try require(verified.proof.serial == 7 && verified.proof.signed == bytes, "the proof is another")
        try require(believes(trusted, bytes, at: now.addingTimeInterval(59)), "it is refused in time")
        try require(!believes(trusted, bytes, at: now.addingTimeInterval(60)), "it is believed when it has expired")
        try require(!believes(trusted, bytes, at: now.addingTimeInterval(-61)), "it is believed before it was issued")
        let other = try? TrustedKeys([key.publicKey.text], audience: "default/beta")
        try require(other.map { !believes($0, bytes, at: now) } ?? false, "another audience believes it")
        var changed = bytes
        changed[changed.startIndex + place * 31 % changed.count] ^= 1 << UInt8(place % 7)
        try require(!believes(trusted, changed, at: now), "it is believed with a bit changed")
    }

    private static func believes(_ trusted: TrustedKeys, _ bytes: Data, at date: Date) -> Bool {
        (try? trusted.verify(status: bytes, at: date)) != nil
    }
}
