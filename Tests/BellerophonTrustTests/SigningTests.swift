import Bellerophon
import Foundation
import Testing

@testable import BellerophonTrust

@Suite("Signing")
struct SigningTests {
    private func problem(
        _ document: String, serial: Int64 = 1, issuedAt: Date = Sample.now, lifetime: Duration = .seconds(60)
    ) throws -> SigningError? {
        let key = try Sample.key()
        do throws(SigningError) {
            _ = try key.sign(
                status: Data(document.utf8), audience: "default/main", serial: serial, issuedAt: issuedAt, lifetime: lifetime)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "A document is signed without changes to its existing text",
        arguments: [
            (#"{}"#, #"{"aud":"a/b","iat":1763712000,"exp":1763712060,"serial":1}"#),
            (#" { } "#, #" { "aud":"a/b","iat":1763712000,"exp":1763712060,"serial":1}"#),
            (#"{"a" : 1.0}"# + "\n", #"{"a" : 1.0,"aud":"a/b","iat":1763712000,"exp":1763712060,"serial":1}"#),
        ])
    func documentIsSignedUnchanged(document: String, expected: String) throws {
        let signed = try Sample.key().sign(
            status: Data(document.utf8), audience: "a/b", serial: 1, issuedAt: Sample.now.addingTimeInterval(0.9),
            lifetime: .milliseconds(60_900)
        )
        let verified = try Sample.trusted(audience: "a/b").verify(status: Data(signed.utf8), at: Sample.now)
        #expect(String(decoding: verified.document, as: UTF8.self) == expected)
    }

    @Test("A document that clients would refuse is not signed")
    func invalidDocumentIsNotSigned() throws {
        #expect(try problem("[]") == .notObject)
        #expect(try problem("") == .notObject)
        #expect(try problem(#"{"a":1"#) == .notObject)
        #expect(try problem(#"{"a":1,}"#) == .notObject)
        #expect(try problem(#"{"a":1,"a":2}"#) == .repeated("a"))
        #expect(try problem(#"{"s\u0065rial":9}"#) == .reserved("serial"))
        #expect(try problem("{}", serial: -1) == .serial(-1))
        #expect(try problem("{}", serial: 1 << 53) == .serial(1 << 53))
        #expect(try problem("{}", lifetime: .milliseconds(999)) == .times)
        #expect(try problem("{}", lifetime: .seconds(-5)) == .times)
        #expect(try problem("{}", lifetime: .seconds(Int64.max)) == .times)
        #expect(try problem("{}", issuedAt: Date(timeIntervalSince1970: -1)) == .times)
        #expect(try problem("{}", issuedAt: .distantFuture, lifetime: .seconds(1 << 40)) == .times)
        #expect(try problem("{}", issuedAt: Date(timeIntervalSince1970: .nan)) == .times)
        #expect(try problem(#"{"a":"\#(String(repeating: "a", count: 100_000))"}"#) == .tooLarge)
    }

    @Test("A signed manifest is valid only for the resource it names and until it expires")
    func manifestBelongsToItsName() throws {
        let signed = Data(
            try Sample.key().sign(
                manifest: Data(Sample.meta.utf8), name: "help.txt", issuedAt: Sample.now, lifetime: .seconds(60)
            ).utf8
        )
        let keys = try Sample.trusted()
        let expected = String(Sample.meta.dropLast()) + #","name":"help.txt","iat":1763712000,"exp":1763712060}"#
        #expect(String(decoding: try keys.verify(manifest: signed, of: "help.txt", at: Sample.now), as: UTF8.self) == expected)
        #expect(throws: TrustError.wrongAudience(found: "help.txt", expected: "Help.txt")) {
            try keys.verify(manifest: signed, of: "Help.txt", at: Sample.now)
        }
        let late = Sample.now.addingTimeInterval(60)
        #expect(throws: TrustError.expired(at: late, now: late)) { try keys.verify(manifest: signed, of: "help.txt", at: late) }
        #expect(throws: TrustError.wrongAudience(found: "bellerophon-resource+jws", expected: "bellerophon-status+jws")) {
            try keys.verify(status: signed, at: Sample.now)
        }
    }

    @Test("A manifest without a SHA-256 digest is neither signed nor accepted")
    func manifestNeedsADigest() throws {
        let key = try Sample.key()
        for (document, missing) in [(#"{"v":1}"#, "sha256"), (#"{"sha256":"00"}"#, "v")] {
            #expect(throws: SigningError.missing(missing)) {
                try key.sign(manifest: Data(document.utf8), name: "a", issuedAt: Sample.now, lifetime: .seconds(60))
            }
        }
        let header = Sample.header.replacingOccurrences(of: "status", with: "resource")
        let claims = #""name":"a","iat":1763712000,"exp":1763712060"#
        for (member, reason) in [
            ("", "its payload has no “sha256”"),
            (#""sha256":"","#, "“sha256” in its payload must be 64 hexadecimal digits"),
            (#""sha256":"\#(String(repeating: "g", count: 64))","#, "“sha256” in its payload must be 64 hexadecimal digits"),
            (#""sha256":null,"#, "“sha256” in its payload must be text"),
        ] {
            let signed = try Sample.signed(header, #"{"v":1,\#(member)\#(claims)}"#)
            #expect(throws: TrustError.malformed(reason)) {
                try Sample.trusted().verify(manifest: signed, of: "a", at: Sample.now)
            }
        }
    }

    @Test func aNameWithQuotesStaysOneName() throws {
        let name = "a\"b\\/é\n"
        let signed = try Sample.key().sign(
            manifest: Data(Sample.meta.utf8), name: name, issuedAt: Sample.now, lifetime: .seconds(60))
        #expect(throws: Never.self) { try Sample.trusted().verify(manifest: Data(signed.utf8), of: name, at: Sample.now) }
    }
}
