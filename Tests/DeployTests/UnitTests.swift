#if Server
import Foundation
import TestSupport
import Testing

/// The systemd unit of `deploy/`, as systemd parses it.
@Suite(.enabled(if: SystemdAnalyze.isThere, "no systemd-analyze on this machine"))
struct UnitTests {
    @Test func `systemd understands the unit`() async throws {
        let folder = try TestFolder()
        let unit = try unit(in: folder)
        let socket = try folder.write(DeployFolder.text("bellerophon-server.socket"), to: "bellerophon-server.socket")
        let verified = try await runCommand(SystemdAnalyze.path, ["verify", "--man=no", unit, socket])
        #expect(!(verified.standardOutput + verified.standardError).contains("bellerophon-server."))
        #expect(verified.status == .exited(0))
    }

    /// The exposure level is 10 for a service without hardening and 0 for one with no permissions. A server needs the
    /// network.
    @Test func `the unit leaves a broken server little to do`() async throws {
        let folder = try TestFolder()
        let unit = try unit(in: folder)
        let judged = try await runCommand(
            SystemdAnalyze.path, ["security", "--offline=true", "--threshold=15", "--no-pager", unit])
        #expect(judged.status == .exited(0), "\(judged.standardOutput.suffix(200))")
    }

    private func unit(in folder: TestFolder) throws -> String {
        let text = try DeployFolder.text(
            "bellerophon-server.service",
            replacing: [
                ("/usr/local/bin/bellerophon-server", try Products.path("bellerophon-server"))
            ])
        return try folder.write(text, to: "bellerophon-server.service")
    }
}

/// The parts of the files in `deploy/` that a person copies or uncomments.
@Suite struct AdviceTests {
    /// In systemd a later line overrides an earlier one, and an empty value clears the list.
    @Test func `the lines for low ports work once they are no comments`() throws {
        let text = try DeployFolder.text(
            "bellerophon-server.service",
            replacing: [
                ("#AmbientCapabilities", "AmbientCapabilities"), ("#CapabilityBoundingSet", "CapabilityBoundingSet"),
                ("#PrivateUsers", "PrivateUsers"),
            ])
        let settings = Self.settings(text)
        #expect(settings["AmbientCapabilities"] == "CAP_NET_BIND_SERVICE")
        #expect(settings["CapabilityBoundingSet"] == "CAP_NET_BIND_SERVICE")
        #expect(settings["PrivateUsers"] == "no")
    }

    private static func settings(_ text: String) -> [String: String] {
        var settings: [String: String] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if parts.count == 2 { settings[parts[0]] = parts[1] }
        }
        return settings
    }

    /// `serve` exits with 78 if its configuration or its store is invalid, which a restart does not solve. After any
    /// other exit systemd restarts the server, without a limit.
    @Test func `only a wrong configuration is not tried again`() throws {
        let settings = Self.settings(try DeployFolder.text("bellerophon-server.service"))
        #expect(settings["Restart"] == "on-failure")
        #expect(settings["RestartSec"] == "5")
        #expect(settings["RestartPreventExitStatus"] == "78")
        #expect(settings["StartLimitIntervalSec"] == "0")
        #expect(settings["StartLimitBurst"] == nil)
    }

    /// A restart by the server itself changes the main process; only the server can notify systemd of it.
    @Test func `the unit hears of readiness and of another process`() throws {
        let settings = Self.settings(try DeployFolder.text("bellerophon-server.service"))
        #expect(settings["Type"] == "notify")
        #expect(settings["NotifyAccess"] == "all")
        let start = try #require(settings["ExecStart"]), reload = try #require(settings["ExecReload"])
        #expect(start.replacingOccurrences(of: " serve ", with: " reload ") == reload)
    }

    @Test func `the socket is the server's usual address`() throws {
        let settings = Self.settings(try DeployFolder.text("bellerophon-server.socket"))
        #expect(settings["ListenStream"] == "127.0.0.1:8080")
        #expect(try DeployFolder.text("nginx.conf").contains("server 127.0.0.1:8080;"))
    }

    /// Without it, a manifest uses the host name of the request in its URLs, so no shared cache may keep it.
    @Test func `the configuration to copy says what clients call the server`() throws {
        let text = try DeployFolder.text("README.md")
        let json = try #require(text.firstMatch(of: /echo '(\{.*\})' \|/)).1
        struct Configuration: Decodable {
            struct Server: Decodable { let publicURL: String }
            let store: String
            let server: Server
        }
        let configuration = try JSONDecoder().decode(Configuration.self, from: Data(json.utf8))
        #expect(configuration.server.publicURL == DeployFolder.address)
        #expect(try DeployFolder.text("nginx.conf").contains("server_name \(DeployFolder.host);"))
    }
}

private enum SystemdAnalyze {
    static let path = "/usr/bin/systemd-analyze"
    static let isThere = FileManager.default.isExecutableFile(atPath: path)
}
#endif
