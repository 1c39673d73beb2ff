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

    @Test func `the lines for low ports permit those and nothing else, once they are no comments`() async throws {
        let usual = try await weaknesses()
        let low = try await weaknesses(
            replacing: [
                ("#AmbientCapabilities", "AmbientCapabilities"), ("#CapabilityBoundingSet", "CapabilityBoundingSet"),
                ("#PrivateUsers", "PrivateUsers"),
            ])
        #expect(
            low.subtracting(usual) == [
                "AmbientCapabilities=", "CapabilityBoundingSet=~CAP_NET_(BIND_SERVICE|BROADCAST|RAW)", "PrivateUsers=",
            ])
        #expect(usual.isSubset(of: low))
    }

    /// The names of the restrictions that the service does not have, as systemd says.
    private func weaknesses(replacing places: [(String, String)] = []) async throws -> Set<String> {
        let folder = try TestFolder()
        let unit = try unit(in: folder, replacing: places)
        let judged = try await runCommand(
            SystemdAnalyze.path, ["security", "--offline=true", "--json=short", "--no-pager", unit])
        struct Restriction: Decodable {
            let set: Bool?
            let name: String
        }
        let restrictions = try JSONDecoder().decode([Restriction].self, from: Data(judged.standardOutput.utf8))
        return Set(restrictions.filter { $0.set == false }.map(\.name))
    }

    private func unit(in folder: TestFolder, replacing places: [(String, String)] = []) throws -> String {
        let text = try DeployFolder.text(
            "bellerophon-server.service",
            replacing: [("/usr/local/bin/bellerophon-server", try Products.path("bellerophon-server"))] + places)
        return try folder.write(text, to: "bellerophon-server.service")
    }
}

/// The commands of the unit, run as systemd runs them.
@Suite struct UnitCommandTests {
    private let folder: TestFolder
    /// The last value of each setting of the unit. The commands lead to the program under test and to a configuration in the folder.
    private let settings: [String: String]

    init() throws {
        folder = try TestFolder()
        let text = try DeployFolder.text(
            "bellerophon-server.service",
            replacing: [
                ("/usr/local/bin/bellerophon-server", try Products.path("bellerophon-server")),
                ("/etc/bellerophon/server.config.json", folder.path("server.config.json")),
            ])
        var settings: [String: String] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if parts.count == 2 { settings[parts[0]] = parts[1] }
        }
        self.settings = settings
    }

    private func command(_ name: String) throws -> (program: String, arguments: [String]) {
        let words = try #require(settings[name]).split(separator: " ").map(String.init)
        return (try #require(words.first), Array(words.dropFirst()))
    }

    private func configure(_ more: String = "") throws {
        try folder.write(
            #"{"store": "\#(folder.path("store"))", "server": {"port": 0}\#(more)}"#, to: "server.config.json")
    }

    @Test func `the server that the unit starts follows the unit's reload and stops at SIGTERM`() async throws {
        try configure()
        let (start, reload) = (try command("ExecStart"), try command("ExecReload"))
        let made = try await runCommand(start.program, ["init", "--store", folder.path("store")], home: folder)
        #expect(made.status == .exited(0), "\(made.standardError)")
        let server = try RunningProgram(start.program, start.arguments, home: folder)
        _ = try await onOwnThread { try server.wait(for: "address") { $0.contains("listening address") ? true : nil } }
        let reloaded = try await runCommand(reload.program, reload.arguments, home: folder)
        #expect(reloaded.status == .exited(0), "\(reloaded.standardError)")
        server.send(SIGTERM)
        #expect(try await onOwnThread { try server.waitForEnd() } == .exited(0))
        // The process that a restart by the server itself has made must be able to say that it is ready.
        #expect(settings["Type"] == "notify" && settings["NotifyAccess"] == "all")
    }

    /// After any other exit systemd starts the server again, without a limit.
    @Test func `a server that a person must correct is not started again`() async throws {
        try configure(#", "approval": 1"#)
        let start = try command("ExecStart")
        guard case .exited(let code) = try await runCommand(start.program, start.arguments, home: folder).status else {
            throw TestError("the server did not exit")
        }
        #expect(settings["RestartPreventExitStatus"] == "\(code)")
        #expect(settings["Restart"] == "on-failure" && settings["StartLimitIntervalSec"] == "0")
    }
}

/// The parts of the files in `deploy/` that must agree.
@Suite struct AgreementTests {
    @Test func `the proxy asks at the address of the socket`() throws {
        let socket = try DeployFolder.text("bellerophon-server.socket")
        let address = try #require(socket.firstMatch(of: /\nListenStream=(\S+)\n/)).1
        #expect(try DeployFolder.text("nginx.conf").contains("server \(address);"))
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
