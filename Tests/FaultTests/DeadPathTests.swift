import Foundation
import TestSupport
import Testing

/// A server that offers HTTP/2, on a path that is cut without a sign, as after a change of network.
@Suite(.enabled(if: Nginx.isThere, "\(Nginx.advice)"), .serialized)
struct DeadPathTests {
    private func probe(_ site: HTTP2Site, _ arguments: String...) throws -> RunningProgram {
        try RunningProgram(
            "FaultProbe", ["check", site.url("/status"), "--timeout", "1", "--for", "600"] + arguments, home: site.folder,
            environment: ["SSL_CERT_FILE": site.certificate])
    }

    /// The lines of a kind in a probe's output.
    private static func count(_ subject: String, _ log: some StringProtocol) -> Int {
        log.split(separator: "\n").count { $0.hasPrefix("\(subject): ") }
    }

    @Test("Checks share one connection and open a new one after the path fails")
    func checksReuseConnection() async throws {
        let site = try await HTTP2Site()
        let program = try probe(site)
        try program.wait(for: "three checks") { Self.count("status", $0) >= 3 ? () : nil }
        #expect(site.relay.accepted == 1)
        site.relay.freeze()
        try program.wait(for: "a check after the failed one") { log in
            log.firstRange(of: "error: ").flatMap { Self.count("status", log[$0.lowerBound...]) > 0 ? () : nil }
        }
        #expect(site.relay.accepted == 2)
        #expect(Self.count("error", program.log) == 1)
    }

    @Test("A stream and the regular checks use separate connections")
    func streamHasOwnConnection() async throws {
        let site = try await HTTP2Site()
        let program = try probe(site, "--stream", site.url("/events"))
        try program.wait(for: "three checks") { Self.count("status", $0) >= 3 ? () : nil }
        #expect(program.log.contains("stream: true"))
        #expect(site.relay.accepted == 2)
    }
}

/// nginx with TLS and HTTP/2 in front of a ``HostileServer``, behind a relay.
private final class HTTP2Site {
    let folder: TestFolder
    let certificate: String
    let relay: Relay
    private let nginxFolder: TestFolder
    private let origin: HostileServer
    private let program: RunningProgram

    init() async throws {
        (folder, nginxFolder) = (try TestFolder(), try TestFolder())
        certificate = try folder.write(TestCertificate.good.text, to: "chain.pem")
        origin = try HostileServer()
        let feed = ServerFeed(headers: ["Bellerophon-Heartbeat": "15"], ": heartbeat\n\n")
        origin.answer { $0.path == "/events" ? .stream(feed) : .status(HostileServer.live) }
        let key = try folder.write(TestCertificate.key, to: "key.pem")
        let port = try freePort()
        relay = try Relay(to: port)
        program = try Nginx.start(
            """
            server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate \(certificate);
                ssl_certificate_key \(key);
                location / {
                    proxy_pass http://127.0.0.1:\(origin.port);
                    proxy_buffering off;
                }
            }
            """, in: nginxFolder)
        try await eventually("nginx listens", within: patience) { try? WireClient(port: port) }
    }

    func url(_ path: String) -> String { "https://localhost:\(relay.port)\(path)" }
}
