import Bellerophon
import Foundation
import TestSupport
import Testing

@testable import ProgramUpdates

/// The real apt and dpkg, with a root folder, lists and a repository of their own.
@Suite(
    "Updates with apt",
    // Another system has no apt, and dpkg-scanpackages is in the package dpkg-dev.
    .enabled(if: ManagerRig.has("/usr/bin/apt-get", "/usr/bin/dpkg-deb", "/usr/bin/dpkg-scanpackages")))
struct AptProof {
    private var rig: ManagerRig
    private var source: UpdateSource

    init() throws {
        rig = try ManagerRig()
        let root = rig.root
        for name in [
            "repo", "root", "dpkg/info", "dpkg/updates", "dpkg/triggers", "state/lists/partial", "cache/archives/partial",
            "etc/preferences.d", "etc/apt.conf.d", "log",
        ] { try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true) }
        for name in ["status", "available"] { try rig.folder.write("", to: "dpkg/\(name)") }
        try rig.folder.write("deb [trusted=yes] copy:\(root)/repo ./\n", to: "etc/sources.list")
        try rig.folder.write(
            """
            Dir::State "\(root)/state"; Dir::State::status "\(root)/dpkg/status";
            Dir::Cache "\(root)/cache"; Dir::Etc "\(root)/etc"; Dir::Log "\(root)/log";
            DPkg::Options {"--admindir=\(root)/dpkg"; "--instdir=\(root)/root"; "--force-not-root";
                "--force-script-chrootless"; "--log=\(root)/log/dpkg.log";};
            APT::Sandbox::User ""; Acquire::Languages "none"; APT::Get::Assume-Yes "true";
            """, to: "apt.conf")
        rig.variables = ["APT_CONFIG": "\(root)/apt.conf", "DPKG_ADMINDIR": "\(root)/dpkg", "DEBIAN_FRONTEND": "noninteractive"]
        let path = "\(root)/root/usr/bin/bellerophon-sample"
        source = UpdateSource(
            Installation(source: "apt", package: "bellerophon-sample", path: path, file: path), UpdateOptions(), privilege: .root)
    }

    /// Puts a version into the repository.
    private func publish(_ version: String, by maintainer: String = "Sample", afterwards script: String? = nil) async throws {
        let control = """
            Package: bellerophon-sample
            Version: \(version)
            Architecture: all
            Maintainer: \(maintainer) <sample@example.com>
            Description: a sample

            """
        try rig.folder.write(control, to: "build/DEBIAN/control")
        try rig.folder.write("#!/bin/sh\necho sample \(version)\n", to: "build/usr/bin/bellerophon-sample")
        if let script { try rig.folder.write("#!/bin/sh\n\(script)\n", to: "build/DEBIAN/postinst") }
        try await rig.need(
            """
            cd '\(rig.root)' && chmod 755 build build/DEBIAN build/usr build/usr/bin build/usr/bin/* &&
            { [ ! -e build/DEBIAN/postinst ] || chmod 755 build/DEBIAN/postinst; } &&
            dpkg-deb -b build repo && rm -r build && cd repo && dpkg-scanpackages -m . >../Packages && mv ../Packages Packages
            """)
    }

    /// Installs the version that the update starts from.
    private func start(_ version: String = "1:1.4.0-1") async throws {
        try await publish(version)
        try await rig.need(source.refreshCommand)
        try await rig.need("apt-get install bellerophon-sample=\(version)")
    }

    @Test func anUpdateIsInstalledAndReadAgain() async throws {
        try await start()
        // The repository has a newer version, which the lists of this machine don't have yet.
        try await publish("1:1.5.0-1")
        let before = try await rig.findings(source)
        #expect(before.installed == "1.4.0")
        #expect(before.names == ["1:1.4.0-1"], "the version is not there yet")
        try await rig.need(source.refreshCommand)
        let findings = try await rig.findings(source)
        #expect(findings.names == ["1:1.5.0-1", "1:1.4.0-1"])
        #expect(!findings.isPinned)

        try await rig.need(source.command(for: findings.candidate("1:1.5.0-1"), isDefault: true))
        #expect(try await rig.installed(source).installed == "1.5.0")
        #expect(try await rig.run("/bin/sh \(source.installation.path)").standardOutput == "sample 1:1.5.0-1\n")

        // An older version is installed by its name.
        try await rig.need(source.command(for: findings.candidate("1:1.4.0-1"), isDefault: false))
        #expect(try await rig.installed(source).installed == "1.4.0")
    }

    @Test func aStrangersPackageOfTheSameNameIsNotOffered() async throws {
        try await start()
        try await rig.need("rm '\(rig.root)/repo/'*.deb")
        try await publish("1:1.5.0-1")
        try await rig.need(source.refreshCommand)
        #expect(try await rig.findings(source).names == ["1:1.5.0-1"], "the repository has dropped the installed version")
        try await publish("1:1.6.0-1", by: "Stranger")
        try await rig.need(source.refreshCommand)
        guard case .elsewhere(let problem) = try await rig.findings(source).available else {
            Issue.record("a stranger's package is offered")
            return
        }
        #expect(problem.english.contains("Stranger <sample@example.com>: it is another package"))
    }

    @Test func aHeldPackageStays() async throws {
        try await start()
        try await publish("1:1.5.0-1")
        try await rig.need("\(source.refreshCommand ?? "") && apt-mark hold bellerophon-sample")
        let findings = try await rig.findings(source)
        #expect(findings.isPinned)
        #expect(findings.names == ["1:1.5.0-1", "1:1.4.0-1"])
        #expect(try await rig.run(source.command(for: nil, isDefault: true)).status != .exited(0))
        let after = try await rig.installed(source)
        #expect(after.installed == "1.4.0")
        #expect(after.isPinned)
        try await rig.need(source.unpinCommand)
        #expect(try await !rig.installed(source).isPinned)
    }

    @Test func aCommandThatFailsOrDoesNothingChangesNothing() async throws {
        try await start()
        let missing = UpdateCandidate(version: "1.9.0", name: "1:1.9.0-1")
        #expect(try await rig.run(source.command(for: missing, isDefault: false)).status == .exited(100))
        #expect(try await rig.installed(source).installed == "1.4.0")
        try await rig.need("true")
        #expect(try await rig.installed(source).installed == "1.4.0")
    }

    @Test func anInstallationThatWasKilledIsNotCalledInstalled() async throws {
        try await start()
        // dpkg is killed after it has unpacked the files and before the package is configured.
        try await publish("1:1.5.0-1", afterwards: "kill -9 $PPID")
        try await rig.need(source.refreshCommand)
        #expect(try await rig.run(source.command(for: nil, isDefault: true)).status != .exited(0))
        let after = try await rig.installed(source)
        #expect(after.installed == nil)
        #expect(after.installedProblem == "says that the installation of bellerophon-sample has not finished")
    }

    @Test func whatIsMissingIsSaid() async throws {
        try await publish("1:1.4.0-1")
        let empty = try await rig.findings(source)
        #expect(empty.available == .nothing, "the lists are empty")
        #expect(empty.installed == nil)
        #expect(empty.installedProblem == "says that bellerophon-sample is not installed")
        try rig.folder.write("nonsense\n", to: "etc/sources.list")
        guard case .failed(let problem) = try await rig.findings(source).available else {
            Issue.record("apt could be asked")
            return
        }
        #expect(problem.english.hasPrefix("could not be asked: apt-cache failed with exit code 100 (E: "))
    }
}
