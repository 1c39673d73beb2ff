import Foundation
import TestSupport
import Testing

/// Requests through a proxy of the environment, and to a name whose lookup hangs.
@Suite("Routes to a server", .timeLimit(.minutes(10)))
struct RouteTests {
    @Test(arguments: ["http_proxy", "all_proxy"])
    func aProxyOfTheEnvironmentIsAsked(variable: String) async throws {
        let proxy = try HostileServer()
        let report = try await ProbeReport.of(
            ["check", "http://name.invalid/status"], environment: [variable: "http://127.0.0.1:\(proxy.port)"]
        )
        #expect(report.all("stage") == ["active"])
        #expect(proxy.requests.first?.path == "http://name.invalid/status")
    }

    @Test func aHostThatNeedsNoProxyIsAskedItself() async throws {
        let (proxy, server) = (try HostileServer(), try HostileServer())
        let report = try await ProbeReport.of(
            ["check", server.url().absoluteString],
            environment: ["http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": "127.0.0.1,localhost"]
        )
        #expect(report.all("stage") == ["active"])
        #expect(proxy.requests.isEmpty)
    }

    @Test func aTunnelThatAProxyRefusesIsNamed() async throws {
        let proxy = try HostileServer(.failure(403))
        let report = try await ProbeReport.of(
            ["check", "https://name.invalid/status"], environment: ["https_proxy": "http://127.0.0.1:\(proxy.port)"]
        )
        #expect(report.all("error") == ["the proxy refused the connection (HTTP 403)"])
        #expect(proxy.requests.first?.method == "CONNECT")
        #expect(proxy.requests.first?.header("Authorization") == nil)
    }

    /// Replaces the resolver by one that never returns, like a name server that does not reply.
    @Test func aLookupThatHangsHoldsNeitherChecksNorTheEndOfTheProgram() async throws {
        let server = try HostileServer()
        let folder = try TestFolder()
        let source = try folder.write("#include <unistd.h>\nint getaddrinfo(void) { for (;;) pause(); }\n", to: "hang.c")
        let library = folder.path("hang.so")
        let compiler = try await runCommand(
            "/usr/bin/env", ["cc", "-shared", "-fPIC", "-o", library, source],
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"]], within: patience
        )
        try #require(compiler.status == .exited(0), "\(compiler.standardError)")
        let report = try await ProbeReport.of(
            ["check", "http://status.example/status", "--timeout", "0.5", "--then", server.url().absoluteString],
            environment: ["LD_PRELOAD": library]
        )
        #expect(report.all("error") == ["no complete reply within 500 ms"])
        #expect(report.all("stage") == ["unknown"])
        #expect(report.all("then") == ["active"])
        #expect(report.status == .exited(0))
    }
}
