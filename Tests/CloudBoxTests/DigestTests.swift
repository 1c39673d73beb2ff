import CloudBox
import Foundation
import TestSupport
import Testing

@Suite("Digests")
struct DigestTests {
    @Test func matchTheExamplesOfRFC1321AndFIPS1804() {
        let text = Data("abc".utf8)
        #expect(Digest(.md5, of: text)?.hex == "900150983cd24fb0d6963f7d28e17f72")
        #expect(Digest(.sha256, of: text)?.hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(Digest(.sha256, of: Data())?.hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test("A digest is read in either case and refused in any other form")
    func digestAcceptsEitherCase() {
        #expect(Digest(.md5, hex: "900150983CD24FB0D6963F7D28E17F72")?.hex == "900150983cd24fb0d6963f7d28e17f72")
        #expect(Digest(.md5, hex: "900150983cd24fb0d6963f7d28e17f7") == nil)
        #expect(Digest(.sha256, hex: "900150983cd24fb0d6963f7d28e17f72") == nil)
        #expect(Digest(.md5, hex: "g00150983cd24fb0d6963f7d28e17f72") == nil)
    }

    @Test("A program that exits during a digest computation does not crash")
    func exitDuringDigestIsSafe() async throws {
        let probe = try Products.path("CloudBoxProbe")
        for _ in 0..<10 {
            let result = try await runCommand(probe, ["digest"], environment: ["SWIFT_BACKTRACE": "enable=no"])
            #expect(result.status == .exited(0), "\(result.standardError)")
        }
    }
}
