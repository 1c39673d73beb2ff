import Bellerophon
import Foundation
import TestSupport
import Testing

@Suite("Transport security")
struct TransportSecurityTests {
    @Test(arguments: [
        ("https://status.example/", TransportSecurity.encrypted), ("HTTPS://127.0.0.1/", .encrypted),
        ("http://127.0.0.1:8080/", .loopback), ("http://localhost/", .loopback), ("http://[::1]/", .loopback),
        ("http://status.example/", .plain), ("http://127.0.0.1./", .plain), ("http://localhost./", .plain),
        ("http://a.localhost/", .plain), ("http://127.1/", .plain), ("http://user@127.0.0.1/", .plain),
    ])
    func anAddressIsClassified(address: String, security: TransportSecurity) throws {
        #expect(TransportSecurity(of: try #require(URL(string: address))) == security)
    }

    /// A resolver, a proxy or a hosts file can lead these to another machine.
    @Test(
        "A host that only resembles localhost is refused without TLS",
        arguments: [
            "127.0.0.1.", "localhost.", "LOCALHOST.", "a.localhost", "127.1", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]",
        ])
    func localhostLookalikeNeedsTLS(host: String) async throws {
        let server = try HostileServer()
        let url = try #require(URL(string: "http://\(host):\(server.port)/status"))
        let result = await URLSessionStatusSource(url: url, requiresTLS: true).check()
        guard case .failure(let error) = result, case .unusableURL(let why) = error.reason else {
            Issue.record("\(host) was asked")
            return
        }
        #expect(why.hasSuffix("TLS is required except to localhost, 127.0.0.0/8 and [::1]: use an https address"))
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func thisMachineIsAskedWithoutTLS(host: String) async throws {
        let server = try HostileServer()
        let url = try #require(URL(string: "http://\(host):\(server.port)/status"))
        #expect(try await URLSessionStatusSource(url: url, requiresTLS: true).check().get().document.stage == .active)
    }
}
