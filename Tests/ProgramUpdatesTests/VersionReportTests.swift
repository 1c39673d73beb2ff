import Bellerophon
import Foundation
import ProgramUpdates
import TestSupport
import Testing

/// What a program says of its own versions.
@Suite struct VersionReportTests {
    private let told = VersionReport(name: "tool", .sample(), running: "1.0.0", .found("1.0.0", "1.1.0"))

    private func report(_ findings: UpdateFindings, _ source: UpdateSource = .sample()) -> VersionReport {
        VersionReport(name: "tool", source, running: "1.0.0", findings)
    }

    // MARK: A check

    @Test(
        arguments: [
            (UpdateFindings.found("1.0.0", "1.0.0"), VersionReport.Standing.upToDate, 0),
            (.found(nil, "1.0.0"), .upToDate, 0), (.found("1.0.0", "0.9.0"), .upToDate, 0),
            (.found("1.0.0", "1.0"), .upToDate, 0), (.found("1.0.0", "1.0.0-rc.1"), .upToDate, 0),
            (.found("1.0.0", "1.10.0", "1.9.0"), .newer(UpdateCandidate(version: "1.10.0", name: "1.10.0")), 10),
            (.found(nil, "1.0.1"), .newer(UpdateCandidate(version: "1.0.1", name: "1.0.1")), 10),
            // The source's own choice counts, not a higher version that has to be named.
            (.found("1.0.0", "1.0.0", "2.0.0"), .upToDate, 0),
            (.found("1.1.0", "1.1.0"), .installed("1.1.0"), 10),
            (.found("1.1.0", "1.2.0"), .newer(UpdateCandidate(version: "1.2.0", name: "1.2.0")), 10),
        ] as [(UpdateFindings, VersionReport.Standing, Int32)])
    func versionsAreComparedWithWhatIsInstalled(findings: UpdateFindings, standing: VersionReport.Standing, code: Int32) {
        #expect(report(findings).standing == standing)
        #expect(report(findings).exitCode == code)
    }

    @Test(
        arguments: [
            (UpdateFindings.with(.nothing, installed: "1.0.0"), "pip has no version of tool."),
            (.with(.failed("did not reply within 30 s"), installed: "1.0.0"), "pip did not reply within 30 s."),
            (
                .with(.notAsked, installed: "1.0.0"),
                "It was installed with pip, which is not asked: look for a newer version there."
            ),
            (.with(.versions([]), installed: "1.0.0"), "pip has no version of tool."),
        ] as [(UpdateFindings, String)])
    func whatCanNotBeToldIsSaidWithItsReason(findings: UpdateFindings, reason: String) {
        #expect(report(findings).standing == .unclear(reason))
        #expect(report(findings).exitCode == 69)
        #expect(report(findings).text.hasPrefix("tool 1.0.0 runs (/opt/bin/tool). \(reason)"))
    }

    @Test(arguments: ["file", "unknown"]) func aFileOfUnknownOriginIsSaidWithItsPath(source: String) {
        let text = report(.with(.notAsked), .sample(source, command: nil)).text
        #expect(text.hasPrefix("tool 1.0.0 runs (/opt/bin/tool). It was not installed by a package manager that is known"))
    }

    @Test func aNewerVersionIsSaidWithItsCommand() {
        #expect(
            told.text == """
                tool 1.0.0 runs, and 1.1.0 can be had (pip, /opt/bin/tool).
                Get it with: make update
                """)
        #expect(told.command == "make update")
    }

    @Test func aSourceWithoutACommandIsNamed() {
        let told = report(.found("1.0.0", "1.1.0"), .sample("npm", command: nil))
        #expect(told.command == nil && told.exitCode == 10)
        #expect(told.text.hasSuffix("\ntool can't update itself there: update it with npm."))
    }

    @Test func aVersionThatIsKeptIsSaid() {
        var findings = UpdateFindings.found("1.0.0", "1.1.0")
        findings.isPinned = true
        #expect(report(findings).text.contains("\npip was told to keep the installed version, and may refuse.\n"))
    }

    @Test func nothingIsRunIfNothingIsNewerOrTheSourceFails() {
        for findings in [
            UpdateFindings.found("1.0.0", "1.0.0"), .found("1.1.0", "1.1.0"), .with(.failed("is offline"), installed: "1.0.0"),
        ] {
            #expect(report(findings).command == nil)
        }
        #expect(
            report(.with(.notAsked, installed: "1.0.0")).command == "make update", "a command without a way to ask is still one")
    }

    // MARK: JSON

    @Test func theObjectHasEveryMember() throws {
        let text = report(.found("1.0.0", "1.1.0", "1.0.0")).json
        #expect(
            text
                == #"{"available":["1.1.0","1.0.0"],"command":"make update","installed":"1.0.0","newest":"1.1.0","package":"tool","path":"/opt/bin/tool","running":"1.0.0","source":"pip"}"#
        )
    }

    @Test func whatIsNotKnownIsNull() throws {
        let object = try JSONSerialization.jsonObject(
            with: Data(report(.with(.notAsked), .sample("nix", command: nil)).json.utf8))
        let members = try #require(object as? [String: Any])
        #expect(
            Set(members.keys) == [
                "source", "package", "path", "running", "installed", "available", "newest", "command", "problem",
            ])
        #expect(members["installed"] is NSNull && members["newest"] is NSNull && members["command"] is NSNull)
        #expect(members["available"] as? [String] == [])
    }

    // MARK: After the command

    @Test func aMovedVersionIsProved() {
        let now = UpdateFindings.with(.notAsked, installed: "1.1.0")
        #expect(told.hasMoved(now))
        #expect(told.text(after: now) == "tool 1.1.0 is installed (was 1.0.0).")
    }

    @Test func aStepOnTheWayIsNoCompleteUpdate() {
        let told = report(.found("1.0.0", "1.2.0"))
        let now = UpdateFindings.with(.notAsked, installed: "1.1.0")
        #expect(
            told.text(after: now)
                == "tool 1.1.0 is installed (was 1.0.0). It is not 1.2.0, which can be had too.")
    }

    @Test(arguments: ["1.0.0", "0.9.0", "1.0"]) func aVersionThatStaysIsSaid(version: String) {
        var now = UpdateFindings.with(.notAsked, installed: version)
        now.isPinned = true
        now.copies = [.init(path: "/usr/bin/tool", isFirst: true), .init(path: "/bin/tool", isFirst: false)]
        #expect(!told.hasMoved(now))
        let text = told.text(after: now)
        #expect(
            text.hasPrefix(
                "The command has ended well, and nothing has moved: \(version) is still installed (pip, /opt/bin/tool).\n"))
        #expect(text.contains("\nAnother copy is /usr/bin/tool, and a shell starts that one: remove or update it.\n"))
        #expect(text.contains("\nAnother copy is /bin/tool, behind this one in PATH: the update may have reached that one.\n"))
        #expect(text.contains("was told to keep the installed version. Release it there"))
        #expect(text.hasSuffix("\nWhat was run: make update"))
    }

    @Test func aVersionThatIsNotReadIsNoProof() {
        var now = UpdateFindings()
        #expect(!told.hasMoved(now))
        #expect(
            told.text(after: now).contains(
                "not known which version is installed now: nothing on this machine says it."))
        now.installedProblem = "says that tool is not installed"
        let text = told.text(after: now)
        #expect(text.contains("installed now: pip says that tool is not installed."))
        #expect(text.hasSuffix("\nCompare with: /opt/bin/tool --version"))
    }
}
