import Foundation
import TestSupport
import Testing

/// Requests through a proxy of the environment, and to a name whose lookup hangs.
@Suite("Routes to a server")
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
        let proxy = try HostileServer()
        let report = try await ProbeReport.of(
            ["check", "http://name.invalid/status"],
            environment: ["http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": "name.invalid"]
        )
        #expect(report.all("error") == ["the server's name was not found"])
        #expect(proxy.requests.isEmpty)
    }

    @Test(arguments: ["http_proxy", "all_proxy"], ["127.0.0.1", "localhost", "LocalHost"])
    func thisMachineIsNeverAskedThroughAProxy(variable: String, host: String) async throws {
        let (proxy, server) = (try HostileServer(), try HostileServer())
        let report = try await ProbeReport.of(
            ["check", "http://\(host):\(server.port)/status"], environment: [variable: "http://127.0.0.1:\(proxy.port)"]
        )
        #expect(report.all("stage") == ["active"])
        #expect(proxy.requests.isEmpty)
    }

    /// Replaces the resolver by one that finds every name at 192.0.2.1, as a hosts file can.
    @Test func localhostIsNotLookedUp() async throws {
        let server = try HostileServer()
        let report = try await withResolver(
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <netdb.h>
            int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
                int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
                    dlsym(RTLD_NEXT, "getaddrinfo");
                return real("192.0.2.1", service, hints, found);
            }
            """, ["check", "http://localhost:\(server.port)/status", "--timeout", "30"])
        #expect(report.all("stage") == ["active"])
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
    @Test("A hanging name lookup blocks neither later checks nor the program's exit")
    func hangingLookupTimesOut() async throws {
        let server = try HostileServer()
        let report = try await withResolver(
            "#include <unistd.h>\nint getaddrinfo(void) { for (;;) pause(); }\n",
            ["check", "http://status.example/status", "--timeout", "0.5", "--then", server.address])
        #expect(report.all("error") == ["no complete reply within 500 ms"])
        #expect(report.all("stage") == ["unknown"])
        #expect(report.all("then") == ["active"])
        #expect(report.status == .exited(0))
    }

    /// Runs a probe with another `getaddrinfo`.
    private func withResolver(_ code: String, _ arguments: [String]) async throws -> ProbeReport {
        let folder = try TestFolder()
        let source = try folder.write(code, to: "resolver.c")
        let library = folder.path("resolver.so")
        let compiler = try await runCommand(
            "/usr/bin/env", ["cc", "-shared", "-fPIC", "-o", library, source],
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"]], within: patience
        )
        try #require(compiler.status == .exited(0), "\(compiler.standardError)")
        return try await ProbeReport.of(arguments, environment: ["LD_PRELOAD": library])
    }
}
