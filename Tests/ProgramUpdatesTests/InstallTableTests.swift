import Bellerophon
import BellerophonViews
import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import ProgramUpdates

/// Every kind of installation against every kind of requirement: what the person is told first, and what the key does.
///
/// Nobody is covered without being told how to get the version or that it can't be had yet, and nothing is started again and again.
@Suite("Installations and requirements") struct InstallTableTests {
    private struct Install {
        var name: String
        var source = "apt"
        var findings = UpdateFindings()
        var command: String?

        init(
            _ name: String, source: String = "apt", has available: [String]? = nil, failing problem: LocalizedText? = nil,
            installed: String? = "1.4.0", isPinned: Bool = false, copy: String? = nil, command: String? = nil
        ) {
            (self.name, self.source, self.command) = (name, source, command)
            findings.installed = installed
            findings.isPinned = isPinned
            if let available {
                let candidates = available.map { UpdateCandidate(version: $0, name: $0) }
                findings.available = candidates.isEmpty ? .nothing : .versions(candidates)
            }
            if let problem { findings.available = .failed(problem) }
            if let copy { findings.copies = [.init(path: copy, isFirst: true)] }
        }
    }

    private static let installs = [
        Install("apt, ready", has: ["1.5.2", "1.4.0"]),
        Install("apt, newer than required", has: ["1.7.0", "1.4.0"]),
        Install("apt, not there yet", has: ["1.4.9", "1.4.0"]),
        Install("apt, package unknown", has: []),
        Install("apt, pinned", has: ["1.5.2", "1.4.0"], isPinned: true),
        Install("apt, second copy", has: ["1.5.2", "1.4.0"], copy: "/usr/local/bin/notes"),
        Install("pip, ready", source: "pip", has: ["1.5.2", "1.4.0"]),
        Install("pip, offline", source: "pip", failing: "could not be asked: no network"),
        Install("pipx, ready", source: "pipx", has: ["1.5.2"]),
        Install("pipx, not there yet", source: "pipx", has: ["1.4.0"]),
        Install("file, own command", source: "file", command: "get-notes"),
        Install("file, nothing stated", source: "file"),
        Install("file, version unknown", source: "file", installed: nil, command: "get-notes"),
        Install("homebrew", source: "homebrew"),
        Install("unknown", source: "unknown", installed: nil),
    ]

    private static let requirements = [
        ("1.5.2 or later", #""forceUpdate":true,"requiredVersion":"1.5.2""#),
        ("any newer", #""forceUpdate":true"#),
        (
            "not 1.4, to 1.5.2",
            #""forceUpdate":false,"rules":[{"id":"r","effect":"update","only":{"versions":[{"below":"1.5.0"}]},"to":"1.5.2"}]"#
        ),
        (
            "back to 1.3.0",
            #""forceUpdate":false,"rules":[{"id":"r","effect":"update","only":{"versions":[{"from":"1.4.0"}]},"to":"1.3.0"}]"#
        ),
    ]

    private func machine(_ install: Install, _ document: String) throws -> (UpdateMachine, AppFacts) {
        var options = UpdateOptions()
        options.command = install.command
        let root = ["pip": "/home/ada/venv", "pipx": "/home/ada/.local/share/pipx/venvs/notes"][install.source]
        let installation = Installation(
            source: install.source, package: "notes", path: "\(root ?? "/usr")/bin/notes", file: "\(root ?? "/usr")/bin/notes",
            interpreter: root.map { "\($0)/bin/python3" })
        let app = AppFacts(version: "1.4.0")
        var machine = UpdateMachine(
            UpdateSource(installation, options, privilege: .sudo), target: .program(goesOn: true))
        let json = Data(#"{"apiInactive":false,"retryInterval":60,\#(document)}"#.utf8)
        let requirement = try #require(UpdateRequirement(json: json, app, at: nil))
        _ = machine.handle(.required(requirement))
        _ = machine.handle(.found(install.findings, runs: true))
        return (machine, app)
    }

    private func sentence(_ machine: UpdateMachine, _ wanted: String?) throws -> (text: String, report: UpdateReport) {
        let report = try #require(machine.report)
        var content = OverlayContent(
            stage: .updateRequired, app: AppInfo(name: "notes", version: "1.4.0"), source: "demo.local/status",
            host: "demo.local",
            requiredVersion: wanted)
        content.update = report
        return (try #require(UpdateWords.line(content)), report)
    }

    @Test("Each installation is told the truth about each requirement")
    func table() throws {
        var lines: [String] = []
        for (name, document) in Self.requirements {
            lines += ["", "\(name)", String(repeating: "-", count: name.count)]
            for install in Self.installs {
                let (machine, app) = try machine(install, document)
                let (text, report) = try sentence(machine, machine.requirement?.version)
                lines.append("\(CellText.padded(install.name, columns: 26)) \(text)")
                // What is offered is enough, and what is not there is not offered.
                if case .ready(let version) = report.state {
                    #expect(machine.requirement?.isMet(by: version) == true, "\(name), \(install.name)")
                    #expect(!UpdateRequirement.isSame(version, app.version ?? ""))
                }
                #expect(!text.isEmpty)
            }
        }
        expectGolden(lines.dropFirst().joined(separator: "\n") + "\n", file: "installs.txt")
    }

    @Test("A command that changes nothing is never followed by a restart, however often it is run")
    func nobodyLoops() throws {
        for (_, document) in Self.requirements {
            for install in Self.installs {
                var (machine, _) = try machine(install, document)
                for _ in 0..<5 {
                    guard case .run(let command)? = machine.report?.action else { break }
                    let attempt = UpdateReport.Attempt(command: command.text, end: "finished", lines: [])
                    let actions = machine.handle(
                        .ran(.init(command: command, hasSucceeded: true, attempt: attempt, findings: install.findings)))
                    #expect(!actions.contains { if case .restart = $0 { true } else { false } }, "\(install.name)")
                    _ = machine.handle(.found(install.findings, runs: true))
                }
            }
        }
    }
}
