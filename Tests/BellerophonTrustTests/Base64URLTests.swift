import Foundation
import TestSupport
import Testing

@testable import BellerophonTrust

@Suite("Base64url")
struct Base64URLTests {
    @Test("Bytes of every length read back from their base64url text")
    func base64URLRoundTrips() {
        for length in 0...300 {
            let bytes = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 251) })
            #expect(Base64URL.decode(Array(Base64URL.encode(bytes).utf8)) == bytes)
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
