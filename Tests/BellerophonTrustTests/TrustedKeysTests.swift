import Bellerophon
import Foundation
import TestSupport
import Testing

@testable import BellerophonTrust

@Suite("Signed statuses")
struct TrustedKeysTests {
    private func status(_ key: SigningKey, audience: String = "default/main", issuedAt: Date = Sample.now) throws -> Data {
        Data(
            try key.sign(
                status: Data(Sample.kill.utf8), audience: audience, serial: 1_763_711_999_123, issuedAt: issuedAt,
                lifetime: .seconds(86_400)
            ).utf8
        )
    }

    @Test("A status signed by a trusted key is accepted and returned with its proof")
    func trustedSignatureIsAccepted() throws {
        let signed = try status(Sample.key())
        let verified = try Sample.trusted().verify(status: signed, at: Sample.now)
        #expect(
            verified.proof
                == StatusProof(
                    keyID: Sample.thumbprint, serial: 1_763_711_999_123, issuedAt: Sample.now,
                    expiresAt: Sample.now.addingTimeInterval(86_400), signed: signed
                ))
        #expect(String(decoding: verified.document, as: UTF8.self) == Sample.payload())
        let document = try StatusDocument(json: verified.document)
        #expect(document.stage == .killed)
        #expect(document.message == "Back at noon.")
    }

    @Test("A signed document has the expected header and three unpadded base64url parts")
    func signedDocumentHasThreeParts() throws {
        let text = String(decoding: try status(Sample.key()), as: UTF8.self)
        let parts = text.split(separator: ".")
        #expect(parts.count == 3)
        #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
        #expect(Base64URL.decode(Array(parts[0].utf8)).map { String(decoding: $0, as: UTF8.self) } == Sample.header)
    }

    // MARK: Refused documents

    @Test(arguments: [Sample.kill, " \n{}", "\u{FEFF}{}", "[]"])
    func aPlainDocumentIsToldFromABrokenSignedOne(text: String) throws {
        #expect(try Sample.problem(Data(text.utf8)) == .unsigned)
    }

    @Test(arguments: ["none", "None", "HS256", "ES256", "RS256", "eddsa", "EDDSA", "Ed25519", ""])
    func onlyEdDSACountsWhateverTheDocumentAsksFor(name: String) throws {
        let header = Sample.header.replacingOccurrences(of: "EdDSA", with: name)
        #expect(try Sample.problem(Sample.signed(header)) == .wrongAlgorithm(name))
        // Two attacks: no signature, and the public key as an HMAC secret.
        let unsigned = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(Sample.payload().utf8))."
        #expect(try Sample.problem(Data(unsigned.utf8)) == .wrongAlgorithm(name))
    }

    @Test(
        "A signature header with missing, repeated, wrongly typed or unknown members is refused",
        arguments: [
            (#"{}"#, "its header has no “alg”"),
            (#"{"kid":"K","typ":"bellerophon-status+jws"}"#, "its header has no “alg”"),
            (#"{"alg":"EdDSA","typ":"bellerophon-status+jws"}"#, "its header has no “kid”"),
            (#"{"alg":"EdDSA","kid":"K"}"#, "its header has no “typ”"),
            (#"{"alg":null,"kid":"K","typ":"T"}"#, "“alg” in its header must be text, found null"),
            (#"{"alg":"EdDSA","kid":7,"typ":"T"}"#, "“kid” in its header must be text, found a number"),
            (#"{"alg":"EdDSA","kid":"K","typ":["T"]}"#, "“typ” in its header must be text, found an array"),
            (#"{"alg":"none","kid":"K","typ":"T","alg":"EdDSA"}"#, "“alg” appears twice in its header"),
            (#"{"alg":"EdDSA","kid":"K","typ":"T","al\u0067":"none"}"#, "“alg” appears twice in its header"),
            (#"{"alg":"EdDSA","kid":"K","typ":"T","crit":["exp"]}"#, "its header has “crit”, which is not accepted"),
            (#"{"alg":"EdDSA","kid":"K","typ":"T","jwk":{}}"#, "its header has “jwk”, which is not accepted"),
            (#"{"ALG":"EdDSA","kid":"K","typ":"T"}"#, "its header has no “alg”"),
            (#"["alg"]"#, "its header is no JSON object"),
            (#"{"alg":"EdDSA","kid":"K","typ":"T""#, "its header is no JSON object"),
            ("", "its header is no JSON object"),
        ])
    func invalidHeaderIsRefused(header: String, reason: String) throws {
        let header = header.replacingOccurrences(of: #""K""#, with: "\"\(Sample.thumbprint)\"")
            .replacingOccurrences(of: #""T""#, with: #""bellerophon-status+jws""#)
        #expect(try Sample.problem(Sample.signed(header)) == .malformed(reason))
    }

    @Test("A signed document of another type is refused as a status")
    func otherTypeIsRefused() throws {
        for type in ["bellerophon-resource+jws", "Bellerophon-Status+jws", "application/bellerophon-status+jws", "JWT", ""] {
            let header = Sample.header.replacingOccurrences(of: "bellerophon-status+jws", with: type)
            #expect(try Sample.problem(Sample.signed(header)) == .wrongAudience(found: type, expected: "bellerophon-status+jws"))
        }
    }

    @Test("A status for another app or channel is refused")
    func otherAudienceIsRefused() throws {
        let keys = try Sample.trusted(audience: "notes/beta")
        #expect(
            try Sample.problem(status(Sample.key()), trusting: keys)
                == .wrongAudience(found: "default/main", expected: "notes/beta"))
        #expect(try Sample.problem(status(Sample.key(), audience: "notes/beta"), trusting: keys) == nil)
        #expect(
            try Sample.problem(status(Sample.key(), audience: "Notes/beta"), trusting: keys)
                == .wrongAudience(found: "Notes/beta", expected: "notes/beta"))
    }

    @Test(
        "A payload with missing, repeated or invalid claims is refused",
        arguments: [
            (Sample.payload(aud: nil), "its payload has no “aud”"),
            (Sample.payload(aud: "7"), "“aud” in its payload must be text"),
            (Sample.payload(aud: #"["default/main"]"#), "“aud” in its payload must be text"),
            (Sample.payload(iat: nil), "its payload has no “iat”"),
            (Sample.payload(exp: nil), "its payload has no “exp”"),
            (Sample.payload(serial: nil), "its payload has no “serial”"),
            (Sample.payload(iat: "1763798400"), "it expires before it is issued"),
            (Sample.payload(exp: "1763711999"), "it expires before it is issued"),
            (
                Sample.payload().replacingOccurrences(of: "}", with: #","apiInactive":false}"#),
                "“apiInactive” appears twice in its payload"
            ),
            (Sample.payload().replacingOccurrences(of: "}", with: #","\u0065xp":9}"#), "“exp” appears twice in its payload"),
            ("[]", "its payload is no JSON object"),
            ("", "its payload is no JSON object"),
            ("\u{0}{", "its payload is no JSON object"),
            (Sample.payload(iat: "007"), "its payload is no JSON object"),
            (Sample.payload(exp: "nan"), "its payload is no JSON object"),
            (Sample.payload(serial: "0x10"), "its payload is no JSON object"),
            (Sample.payload(serial: ""), "its payload is no JSON object"),
        ])
    func invalidClaimsAreRefused(payload: String, reason: String) throws {
        #expect(try Sample.problem(Sample.signed(Sample.header, payload)) == .malformed(reason))
    }

    @Test(
        "Times and serials must be whole numbers within their range",
        arguments: [
            "1e999", "-1", "1.5", "1763712000.0", "1e9", "9007199254740992", "9223372036854775808", "99999999999999999999999999",
            "null", "true", "\"1763712000\"", "[]", "{}",
        ])
    func claimsAreWholeNumbers(text: String) throws {
        let dates = "must be a whole number from 0 to 253402300799"
        #expect(
            try Sample.problem(Sample.signed(Sample.header, Sample.payload(iat: text)))
                == .malformed("“iat” in its payload \(dates)"))
        #expect(
            try Sample.problem(Sample.signed(Sample.header, Sample.payload(exp: text)))
                == .malformed("“exp” in its payload \(dates)"))
        #expect(
            try Sample.problem(Sample.signed(Sample.header, Sample.payload(serial: text)))
                == .malformed("“serial” in its payload must be a whole number from 0 to 9007199254740991")
        )
    }

    @Test func theLargestAndTheSmallestNumbersCount() throws {
        let widest = Sample.payload(iat: "0", exp: "253402300799", serial: "9007199254740991")
        #expect(
            try Sample.trusted().verify(status: Sample.signed(Sample.header, widest), at: Sample.now).proof.serial
                == 9_007_199_254_740_991)
        #expect(try Sample.problem(Sample.signed(Sample.header, Sample.payload(serial: "0"))) == nil)
    }

    @Test("A signed kill with a broken message is still accepted")
    func brokenMessageKeepsKill() throws {
        let payload = Sample.payload().replacingOccurrences(of: "Back at noon.", with: #"Back \uD83D"#)
        let verified = try Sample.trusted().verify(status: Sample.signed(Sample.header, payload), at: Sample.now)
        #expect(try StatusDocument(json: verified.document).stage == .killed)
    }

    // MARK: Time

    @Test("A status is valid from one minute before its issue until its expiry")
    func validityPeriodIsExact() throws {
        let signed = try status(Sample.key())
        let expiry = Sample.now.addingTimeInterval(86_400)
        let early = Sample.now.addingTimeInterval(-60.5)
        #expect(try Sample.problem(signed, at: Sample.now.addingTimeInterval(-60)) == nil)
        #expect(try Sample.problem(signed, at: early) == .futureDated(issuedAt: Sample.now, now: early))
        #expect(try Sample.problem(signed, at: expiry.addingTimeInterval(-0.5)) == nil)
        #expect(try Sample.problem(signed, at: expiry) == .expired(at: expiry, now: expiry))
    }

    @Test("A clock that is ten years wrong refuses a status, and verification without a date accepts it")
    func wrongClockRefusesStatus() throws {
        let signed = try status(Sample.key())
        let decade = 3652.0 * 86_400
        let (past, future) = (Sample.now.addingTimeInterval(-decade), Sample.now.addingTimeInterval(decade))
        #expect(try Sample.problem(signed, at: past) == .futureDated(issuedAt: Sample.now, now: past))
        #expect(try Sample.problem(signed, at: future) == .expired(at: Sample.now.addingTimeInterval(86_400), now: future))
        #expect(try Sample.problem(signed, at: nil) == nil)
        for date in [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: -1e300)] {
            #expect(try Sample.problem(signed, at: date) != nil)
        }
    }

    // MARK: Keys

    @Test("Both keys are accepted during a key rotation, and any other key is refused")
    func rotatedKeysAreAccepted() throws {
        let (old, new, other) = (try Sample.key(), try SigningKey.generate(), try SigningKey.generate())
        let keys = try Sample.trusted([old.publicKey.text, new.publicKey.text])
        #expect(try keys.verify(status: status(old), at: Sample.now).proof.keyID == old.publicKey.id)
        #expect(try keys.verify(status: status(new), at: Sample.now).proof.keyID == new.publicKey.id)
        #expect(try Sample.problem(status(other), trusting: keys) == .unknownKey(other.publicKey.id))
        #expect(try Sample.problem(status(old), trusting: Sample.trusted([new.publicKey.text])) == .unknownKey(old.publicKey.id))
    }

    @Test("A signature by one trusted key under the ID of another is refused")
    func signatureMustMatchKeyID() throws {
        let other = try SigningKey.generate()
        let header = Sample.header.replacingOccurrences(of: Sample.thumbprint, with: other.publicKey.id)
        let keys = try Sample.trusted([Sample.publicKey, other.publicKey.text])
        #expect(try Sample.problem(Sample.signed(header), trusting: keys) == .badSignature(keyID: other.publicKey.id))
    }

    // MARK: Bytes

    @Test("A byte order mark is refused in a signed status but allowed in a plain one")
    func byteOrderMarkIsRefused() throws {
        #expect(try Sample.problem(Sample.signed("\u{FEFF}" + Sample.header)) == .malformed("its header is no JSON object"))
        let payload = try Sample.signed(Sample.header, "\u{FEFF}" + Sample.payload())
        #expect(try Sample.problem(payload) == .malformed("its payload is no JSON object"))
        #expect(try StatusDocument(json: Data(("\u{FEFF}" + Sample.kill).utf8)).stage == .killed)
    }

    @Test func thePartsAreBase64urlInItsOneSpelling() throws {
        let text = String(decoding: try Sample.signed(), as: UTF8.self)
        let parts = text.split(separator: ".").map(String.init)
        let notBase64 = { (name: String) in TrustError.malformed("its \(name) is not in base64url without padding") }
        let cases: [(String, TrustError)] = [
            ("\(parts[0])=.\(parts[1]).\(parts[2])", notBase64("header")),
            ("\(parts[0]).\(parts[1])=.\(parts[2])", notBase64("payload")),
            ("\(text)==", notBase64("signature")), ("\(text)\n\n", notBase64("signature")), ("\(text) ", notBase64("signature")),
            (" \(text)", notBase64("header")), ("\u{FEFF}\(text)", notBase64("header")),
            // The last letter of a signature has four unused bits.
            (String(text.dropLast()) + (text.hasSuffix("A") ? "B" : "\(Self.next(text))"), notBase64("signature")),
            ("\(parts[0]).\(parts[1])", .malformed("it is not made of three parts with points between them")),
            ("\(text).", .malformed("it is not made of three parts with points between them")),
            ("\(text).AA", .malformed("it is not made of three parts with points between them")),
            ("\(parts[0]).\(parts[1]).", .malformed("its signature has 0 bytes in place of 64")),
            ("\(parts[0]).\(parts[1]).\(parts[2])AAAA", .malformed("its signature has 67 bytes in place of 64")),
            ("", .malformed("it is empty")), (" \r\n", .malformed("it is empty")),
            ("<!DOCTYPE html>", .malformed("it is not made of three parts with points between them")),
        ]
        for (text, problem) in cases { #expect(try Sample.problem(Data(text.utf8)) == problem) }
        for end in ["\n", "\r\n"] { #expect(try Sample.problem(Data("\(text)\(end)".utf8)) == nil, "a file's last line end") }
    }

    /// The text with one unused bit of its last letter set.
    private static func next(_ text: String) -> Character {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let index = text.last.flatMap { alphabet.firstIndex(of: $0) } ?? 0
        return alphabet[index | 1]
    }

    @Test("An oversized signed document is refused without being parsed")
    func oversizedDocumentIsRefused() throws {
        let limit = 128 * 1024
        #expect(
            try Sample.problem(Data(repeating: UInt8(ascii: "A"), count: limit + 1))
                == .malformed("it has 131073 bytes, and none has more than 131072"))
        #expect(
            try Sample.problem(Data(repeating: UInt8(ascii: "."), count: limit))
                == .malformed("it is not made of three parts with points between them"))
        #expect(
            try Sample.problem(Data(repeating: UInt8(ascii: "{"), count: 64 << 20))
                == .malformed("it has 67108864 bytes, and none has more than 131072"))
        let deep = String(repeating: "[", count: 60_000)
        #expect(try Sample.problem(Sample.signed(#"{"alg":\#(deep)"#)) == .malformed("its header is no JSON object"))
    }

    @Test func everyFlipOfEveryBitIsNoticed() throws {
        let keys = try Sample.trusted()
        let sound = try status(Sample.key())
        var believed: [Int] = []
        for index in sound.indices {
            for bit in 0..<8 {
                var flipped = sound
                flipped[index] ^= 1 << bit
                if (try? keys.verify(status: flipped, at: Sample.now)) != nil { believed.append(index) }
            }
        }
        #expect(believed.isEmpty)
    }

    @Test("A truncated signed document is refused")
    func truncatedDocumentIsRefused() throws {
        let keys = try Sample.trusted()
        let sound = try status(Sample.key())
        for length in 0..<sound.count { #expect((try? keys.verify(status: sound.prefix(length), at: Sample.now)) == nil) }
    }

    @Test("A signed document in a slice of a larger buffer is verified")
    func dataSliceIsVerified() throws {
        let sound = try status(Sample.key())
        let slice = (Data("before".utf8) + sound + Data("after".utf8)).dropFirst(6).prefix(sound.count)
        #expect(try Sample.trusted().verify(status: slice, at: Sample.now).proof.signed == sound)
    }
}
