import Foundation
import Testing

@testable import Digests

@Suite("Ed25519")
struct Ed25519Tests {
    @Test("A seed has the public key of RFC 8032 and reads back from the key", arguments: Ed25519Vector.all)
    func rfc8032SeedMatchesKey(vector: Ed25519Vector) throws {
        let key = try #require(Ed25519PrivateKey(seed: vector.seed))
        #expect(key.publicKey == vector.publicKey)
        #expect(key.seed == vector.seed)
    }

    @Test(arguments: Ed25519Vector.all)
    func theSignaturesOfRFC8032AreValid(vector: Ed25519Vector) {
        #expect(Ed25519.isValid(vector.signature, of: vector.message, by: vector.publicKey))
    }

    #if !canImport(CryptoKit)  // CryptoKit adds random numbers to its signatures.
    @Test(arguments: Ed25519Vector.all)
    func signingMakesTheSignaturesOfRFC8032(vector: Ed25519Vector) throws {
        #expect(try #require(Ed25519PrivateKey(seed: vector.seed)).signature(of: vector.message) == vector.signature)
    }
    #endif

    @Test func aSignatureByANewKeyIsValidForThatKeyOnly() throws {
        let (key, other) = (try #require(Ed25519PrivateKey.generate()), try #require(Ed25519PrivateKey.generate()))
        let message = Data("message".utf8)
        let signature = try #require(key.signature(of: message))
        #expect(Ed25519.isValid(signature, of: message, by: key.publicKey))
        #expect(!Ed25519.isValid(signature, of: message, by: other.publicKey))
        #expect(key.seed != other.seed)
    }

    @Test("A change of any byte of the message, signature or key makes the signature invalid", arguments: Ed25519Vector.all)
    func changedByteIsRefused(vector: Ed25519Vector) {
        let (message, signature, key) = (vector.message, vector.signature, vector.publicKey)
        for index in message.indices { #expect(!Ed25519.isValid(signature, of: Self.changed(message, index), by: key)) }
        for index in signature.indices { #expect(!Ed25519.isValid(Self.changed(signature, index), of: message, by: key)) }
        for index in key.indices { #expect(!Ed25519.isValid(signature, of: message, by: Self.changed(key, index))) }
        #expect(!Ed25519.isValid(signature, of: message + Data([0]), by: key))
    }

    // RFC 8032, section 5.1.7: otherwise anyone could derive a second valid signature from a known one.
    @Test("A signature whose scalar was increased by the group order is refused", arguments: Ed25519Vector.all)
    func malleableSignatureIsRefused(vector: Ed25519Vector) {
        #expect(!Ed25519.isValid(Self.addingOrder(vector.signature), of: vector.message, by: vector.publicKey))
    }

    @Test("Seeds, keys and signatures of the wrong length are refused", arguments: Ed25519Vector.all)
    func wrongLengthIsRefused(vector: Ed25519Vector) {
        let (seed, message, signature, key) = (vector.seed, vector.message, vector.signature, vector.publicKey)
        for wrong in [Data(), seed.dropLast(), seed + Data([0])] { #expect(Ed25519PrivateKey(seed: wrong) == nil) }
        for wrong in [Data(), key.dropLast(), key + Data([0])] { #expect(!Ed25519.isValid(signature, of: message, by: wrong)) }
        for wrong in [Data(), signature.dropLast(), signature + Data([0])] {
            #expect(!Ed25519.isValid(wrong, of: message, by: key))
        }
    }

    /// The bytes with one bit changed.
    private static func changed(_ bytes: Data, _ index: Int) -> Data {
        var bytes = bytes
        bytes[index] ^= 1
        return bytes
    }

    /// The signature with L, the order of the group (RFC 8032, section 5.1), added to S, its second half.
    private static func addingOrder(_ signature: Data) -> Data {
        let order: [UInt8] = [
            0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
        ]
        var (sum, carry) = (signature, 0)
        for (index, byte) in order.enumerated() {
            carry += Int(sum[32 + index]) + Int(byte)
            sum[32 + index] = UInt8(carry & 0xFF)
            carry >>= 8
        }
        return sum
    }
}
