import BellerophonBase
import Foundation
import Testing

@Suite("Loopback addresses")
struct LoopbackTests {
    @Test(arguments: [
        "http://localhost", "http://localhost/", "http://LOCALHOST:8080/status", "http://127.0.0.1:1?x", "http://127.255.0.9/",
        "http://[::1]/", "http://[::1]:8080/status", "http://[0:0:0:0:0:0:0:1]/", "https://localhost#x", "http://localhost:/",
    ])
    func plainFormsCount(address: String) throws {
        #expect(try #require(URL(string: address)).isLoopback)
    }

    @Test(arguments: [
        "127.1", "0x7f.1", "0x7f.0.0.1", "2130706433", "0177.0.0.1", "127.0.0.01", "127.0.0.1.", "127.0.0.256", "128.0.0.1",
        "127.0.0.1.example.com", "127.example.com", "localhost.", "a.localhost", "localhost.localdomain", "localhost.example.com",
        "localhos%74", "%3127.0.0.1", "user@127.0.0.1", "127.0.0.1@evil.example", "localhost:x@evil.example", "evil.example",
        "[::ffff:127.0.0.1]", "[::2]", "[::]", "[::1%25lo]", "[fe80::1]", "0.0.0.0", "::1",
    ])
    func otherFormsDoNot(host: String) {
        #expect(URL(string: "http://\(host)/")?.isLoopback != true)
        #expect(URL(string: "http://\(host):8080/")?.isLoopback != true)
    }

    @Test func bytesOfAnAddress() {
        #expect(Loopback.contains([127, 9, 8, 7]))
        #expect(!Loopback.contains([126, 0, 0, 1]))
        #expect(Loopback.contains([UInt8](repeating: 0, count: 15) + [1]))
        #expect(!Loopback.contains([UInt8](repeating: 0, count: 16)))
        #expect(!Loopback.contains([UInt8](repeating: 0, count: 10) + [255, 255, 127, 0, 0, 1]))
        #expect(!Loopback.contains([]))
    }
}
