import Foundation
import Testing

@testable import Digests

@Suite("Keyed digests")
struct KeyedDigestTests {
    /// RFC 4231, test cases 1, 2, 3 and 6.
    @Test(arguments: [
        (
            String(repeating: "0b", count: 20), Data("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            "4a656665", Data("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            String(repeating: "aa", count: 20), Data(repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            String(repeating: "aa", count: 131), Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func theDigestIsThatOfTheStandard(key: String, text: Data, digest: String) {
        let digits = Array(key)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
        #expect(KeyedDigest.sha256(text, key: Data(bytes)) == digest)
    }

    @Test("An empty key is a key, and not that of an earlier call")
    func emptyKey() {
        _ = KeyedDigest.sha256(Data("text".utf8), key: Data("key".utf8))
        let digest = "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        #expect(KeyedDigest.sha256(Data(), key: Data()) == digest)
    }
}
