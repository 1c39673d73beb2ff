import Foundation
import TestSupport
import Testing

@testable import BellerophonTrust

@Suite("Base64url")
struct Base64URLTests {
    @Test("Base64url encoding and decoding match the system's Base64 at every length")
    func base64URLRoundTrips() {
        var random = SplitMix64(seed: Seed.of("Base64url", default: 7))
        for length in 0...300 {
            let bytes = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
            let expected = bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
            #expect(Base64URL.encode(bytes) == expected)
            #expect(Base64URL.decode(Array(expected.utf8)) == bytes)
        }
    }

    @Test(
        "Base64url text with padding, spaces or unused bits is refused",
        arguments: [
            "A", "AAAAA", "QQ==", "QQ=", "QR", "QUJ", "QU+D", "QU/D", " QQ", "QQ\n", "Q Q", "QQ\0", "ÄÄ",
        ])
    func nonCanonicalTextIsRefused(text: String) {
        #expect(Base64URL.decode(Array(text.utf8)) == nil)
    }

    @Test("Each byte has exactly one accepted base64url encoding")
    func oneByteHasOneEncoding() {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        #expect(letters.filter { Base64URL.decode(Array("A\($0)".utf8)) != nil } == "AQgw")
    }
}
