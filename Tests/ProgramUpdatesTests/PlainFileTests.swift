import Bellerophon
import Foundation
import TestSupport
import Testing

@testable import ProgramUpdates

/// A program that is one file, which the app's own command replaces.
@Suite("Updates of a plain file")
struct PlainFileTests {
    private var rig: ManagerRig
    private var path: String { "\(rig.root)/bin/notes" }
    /// Writes the new version beside the program and gives it the name, as installers do.
    private static let replace =
        #"printf '#!/bin/sh\necho notes %s\n' "${BELLEROPHON_UPDATE_VERSION:-1.5.0}" >bin/.notes.new && mv bin/.notes.new bin/notes"#

    init() throws {
        rig = try ManagerRig()
        try rig.folder.write("#!/bin/sh\necho notes 1.4.0\n", to: "bin/notes")
        try rig.folder.write("1.4.0\n", to: "versions")
        rig.variables = ["PATH": "\(rig.root)/first:\(rig.root)/bin:\(rig.root)/last:/usr/bin:/bin"]
    }

    private func source(_ command: String = Self.replace) -> UpdateSource {
        var options = UpdateOptions()
        options.command = "cd '\(rig.root)' && \(command)"
        options.versionCommand = ["/bin/sh", path, "--version"]
        options.availableCommand = ["cat", "\(rig.root)/versions"]
        return .of(path: path, options: options, environment: rig.folder.environment(rig.variables))
    }

    @Test func anUpdateIsInstalledAndReadAgain() async throws {
        let source = source()
        #expect(source.installation == Installation(source: "file", path: path, file: path))
        #expect(source.installedName == "/bin/sh \(path) --version")
        let before = try await rig.findings(source)
        #expect(before.installed == "1.4.0")
        #expect(before.names == ["1.4.0"], "the version is not there yet")
        try rig.folder.write("1.4.0\n1.5.0\n", to: "versions")
        let findings = try await rig.findings(source)
        #expect(findings.names == ["1.5.0", "1.4.0"])
        try await rig.need(source.command(for: findings.candidate("1.5.0"), isDefault: true))
        #expect(try await rig.installed(source).installed == "1.5.0")
        try await rig.need("BELLEROPHON_UPDATE_VERSION=1.4.0; \(source.command(for: nil, isDefault: false) ?? "")")
        #expect(try await rig.installed(source).installed == "1.4.0")
    }

    @Test(
        "A command that fails, does nothing or is killed leaves the version",
        arguments: [
            ("false", false), ("true", true), ("echo half >bin/.notes.new; kill -9 $$", false),
        ]) func noUpdate(command: String, succeeds: Bool) async throws
    {
        let source = source(command)
        let result = try await rig.run(source.command(for: nil, isDefault: true))
        #expect((result.status == .exited(0)) == succeeds)
        let after = try await rig.installed(source)
        #expect(after.installed == "1.4.0")
        #expect(after.installedProblem == nil)
        #expect(after.available == .notAsked)
    }

    @Test func aQuestionThatFailsIsSaid() async throws {
        var source = source()
        source.options.availableCommand = ["/bin/sh", "-c", "echo no network >&2; exit 7"]
        source.options.versionCommand = ["/bin/sh", "-c", "echo none"]
        let findings = try await rig.findings(source)
        #expect(findings.available == .failed("could not be asked: /bin/sh failed with exit code 7 (no network)"))
        #expect(findings.installed == nil)
        #expect(findings.installedProblem == "printed no version")
        source.options.versionCommand = ["\(rig.root)/gone"]
        source.options.availableCommand = []
        let missing = try await rig.findings(source)
        #expect(missing.installedProblem == "can't be started: No such file or directory")
        #expect(missing.available == .failed("could not be asked: the command for it is empty"))
    }

    @Test func otherCopiesInThePathAreNamed() async throws {
        let source = source()
        for folder in ["first", "last"] {
            chmod(try rig.folder.write("#!/bin/sh\necho notes 1.3.0\n", to: "\(folder)/notes"), 0o755)
        }
        // A link to the program is no copy, and neither is a file that can't be started.
        try FileManager.default.createDirectory(atPath: "\(rig.root)/links", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: "\(rig.root)/links/notes", withDestinationPath: path)
        chmod(try rig.folder.write("text", to: "text/notes"), 0o644)
        var rig = rig
        rig.variables["PATH"] = "relative:\(rig.root)/text:\(rig.root)/first:\(rig.root)/links:\(rig.root)/bin:\(rig.root)/last"
        let copies = try await rig.installed(source).copies
        let wanted: [UpdateReport.Copy] = [
            .init(path: "\(rig.root)/first/notes", isFirst: true), .init(path: "\(rig.root)/last/notes", isFirst: false),
        ]
        // Whoever may do everything still may not execute a file without a permission to.
        #expect(copies == wanted)
    }
}
