#if Server
import Foundation
import TestSupport
import Testing

/// The systemd unit of `deploy/`, as systemd reads it.
@Suite(.enabled(if: SystemdAnalyze.isThere, "no systemd-analyze on this machine"))
struct UnitTests {
    @Test func `systemd understands the unit`() async throws {
        let folder = try TestFolder()
        let unit = try unit(in: folder)
        let verified = try await runCommand(SystemdAnalyze.path, ["verify", "--man=no", unit])
        #expect(!(verified.standardOutput + verified.standardError).contains("bellerophon-server.service"))
        #expect(verified.status == .exited(0))
    }

    /// 10 is a service without any hardening, 0 one that can do nothing. A server needs the network.
    @Test func `the unit leaves a broken server little to do`() async throws {
        let folder = try TestFolder()
        let unit = try unit(in: folder)
        let judged = try await runCommand(
            SystemdAnalyze.path, ["security", "--offline=true", "--threshold=15", "--no-pager", unit])
        #expect(judged.status == .exited(0), "\(judged.standardOutput.suffix(200))")
    }

    private func unit(in folder: TestFolder) throws -> String {
        let text = try DeployFolder.text("bellerophon-server.service", replacing: [
            ("/usr/local/bin/bellerophon-server", try Products.path("bellerophon-server"))
        ])
        return try folder.write(text, to: "bellerophon-server.service")
    }
}

private enum SystemdAnalyze {
    static let path = "/usr/bin/systemd-analyze"
    static let isThere = FileManager.default.isExecutableFile(atPath: path)
}
#endif
