import Bellerophon
import Processes
import TestSupport
import Testing

@testable import ProgramUpdates

/// What the managers of Debian 12 print, and pip 18.1 to 24.2.
@Suite("What a source prints")
struct UpdateOutputTests {
    private func run(_ text: String, _ outcome: CommandOutput.Outcome = .ended(.exit(0))) -> CommandOutput {
        CommandOutput(bytes: Array(text.utf8), outcome: outcome)
    }

    private func versions(_ pairs: [(String, String)]) -> UpdateFindings.Availability {
        .versions(pairs.map { UpdateCandidate(version: $0.0, name: $0.1) })
    }

    // MARK: apt

    private static let policy = """
        bash:
          Installed: 5.2.15-2+b8
          Candidate: 5.2.15-2+b13
          Version table:
             5.3.1-1 100
                100 http://deb.debian.org/debian bookworm-backports/main amd64 Packages
             5.2.15-2+b13 500
                500 http://deb.debian.org/debian bookworm/main amd64 Packages
         *** 5.2.15-2+b8 100
                100 /var/lib/dpkg/status

        """

    @Test func aptNamesItsChoiceAndWhatElseItHas() {
        #expect(
            AptPolicy.availability(Self.policy) == versions([("5.2.15", "5.2.15-2+b13"), ("5.3.1", "5.3.1-1")]),
            "a version that only this machine has can't be had")
        let upToDate = """
            notes:
              Installed: 1:1.4.0-1
              Candidate: 1:1.4.0-1
              Package pin: 1:1.4.0-1
              Version table:
                 1:1.5.0~rc1-1 500
                    500 file:/srv/repo ./ Packages
             *** 1:1.4.0-1 1001
                    500 file:/srv/repo ./ Packages
                    100 /var/lib/dpkg/status
                 1:1.3.0-1 500
                    500 file:/srv/repo ./ Packages

            """
        #expect(
            AptPolicy.availability(upToDate)
                == versions([("1.4.0", "1:1.4.0-1"), ("1.5.0-rc1", "1:1.5.0~rc1-1"), ("1.3.0", "1:1.3.0-1")]))
    }

    @Test(
        "apt has nothing of a package",
        arguments: [
            "", "notes:\n  Installed: (none)\n  Candidate: (none)\n  Version table:\n",
            "notes:\n  Installed: 1.4-1\n  Candidate: (none)\n  Version table:\n     1.5-1 -1\n        500 file:/srv/repo ./ Packages\n",
            "notes:\n  Installed: 1.4-1\n  Candidate: 1.4-1\n  Version table:\n *** 1.4-1 100\n        100 /var/lib/dpkg/status\n",
        ]) func aptHasNothing(text: String)
    {
        #expect(AptPolicy.availability(text) == .nothing)
    }

    @Test func aVersionThatNoPlaceOfAptHasIsKnown() {
        #expect(AptPolicy.unlistedVersion(Self.policy) == "5.2.15-2+b8")
        #expect(AptPolicy.unlistedVersion(Self.policy.replacing("100 /var", with: "500 http://a.example")) == nil)
        #expect(AptPolicy.unlistedVersion("notes:\n  Installed: (none)\n  Version table:\n     1.5-1 500\n") == nil)
    }

    @Test func theMaintainerOfAPackageIsRead() {
        #expect(
            AptOrigin.maintainers("Package: a\nMaintainer: Ada <a@a.example>\nDescription: b\n Maintainer: x\n") == [
                "Ada <a@a.example>"
            ])
    }

    @Test func aChoiceThatCantBeComparedIsSaid() {
        let text = "ssh:\n  Candidate: 1:9.2p1-2\n  Version table:\n     1:9.2p1-2 500\n        500 http://x ./ Packages\n"
        #expect(AptPolicy.availability(text) == .failed("names a version that can't be compared: 1:9.2p1-2"))
    }

    @Test(
        "dpkg says what is installed",
        arguments: [
            ("ii |1:1.5.2-1\n", "1.5.2", nil, false), ("hi |1:1.5.2-1\n", "1.5.2", nil, true),
            ("rc |1.5.2\n", nil, "says that notes is not installed", false),
            ("un |\n", nil, "printed nothing that is understood", false),
            ("iU |1.5.2\n", nil, "says that the installation of notes has not finished", false),
            ("iF |1.5.2\n", nil, "says that the installation of notes has not finished", false),
            ("iiR|1.5.2\n", nil, "says that the installation of notes has not finished", false),
            ("hH |1.5.2\n", nil, "says that the installation of notes has not finished", true),
            ("ii |1:9.2p1-2\n", nil, "names a version that can't be compared: 1:9.2p1-2", false),
            ("", nil, "printed nothing that is understood", false),
        ] as [(String, String?, LocalizedText?, Bool)]) func dpkg(
            text: String, version: String?, problem: LocalizedText?, isPinned: Bool
        )
    {
        var wanted = UpdateFindings(installed: version, problem)
        wanted.isPinned = isPinned
        #expect(DpkgStatus.reading(run(text), "notes") == wanted)
    }

    @Test func dpkgHasNoSuchPackage() {
        func problem(_ output: CommandOutput) -> LocalizedText? { DpkgStatus.reading(output, "notes").installedProblem }
        let unknown = Array("dpkg-query: no packages found matching notes\n".utf8)
        #expect(
            problem(CommandOutput(bytes: [], errorBytes: unknown, outcome: .ended(.exit(1))))
                == "says that notes is not installed")
        #expect(
            problem(run("dpkg-query: error: parsing file '/var/lib/dpkg/status'\n", .ended(.exit(2))))
                == "failed with exit code 2 (dpkg-query: error: parsing file '/var/lib/dpkg/status')")
        #expect(problem(run("", .late)) == "did not end in time")
        #expect(problem(run("", .notStarted(StartError(code: 2)))) == "can't be started: No such file or directory")
    }

    // MARK: pip

    private static let warning =
        "WARNING: pip index is currently an experimental command. It may be removed/changed in a future release without prior warning.\n"
    private static let none = "ERROR: No matching distribution found for notes\n"

    @Test func pipNamesVersions() {
        let text =
            Self.warning
            + "notes (1.5.0)\nAvailable versions: 1.5.0, 1.4.0.post1, 1.4.0\n  INSTALLED: 1.4.0\n  LATEST:    1.5.0\n"
        let wanted = versions([("1.5.0", "1.5.0"), ("1.4.0+post1", "1.4.0.post1"), ("1.4.0", "1.4.0")])
        #expect(PipIndex.reading(run(text)) == .known(wanted))
        let epoch = "notes (1!2.0)\nAvailable versions: 1!2.0, 1.4.0\n"
        #expect(PipIndex.reading(run(epoch)) == .known(.failed("names a version that can't be compared: 1!2.0")))
    }

    @Test func pipSaysNothingOfAnIndexThatRefuses() {
        #expect(PipIndex.reading(run(Self.warning + Self.none, .ended(.exit(1)))) == .none)
        let broken = """
            WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by \
            'NewConnectionError('<pip._vendor.urllib3.connection.HTTPConnection object at 0x7f2700324150>: Failed to establish a new \
            connection: [Errno 111] Connection refused')': /simple/notes/

            """
        #expect(
            PipIndex.reading(run(Self.warning + broken + Self.none, .ended(.exit(1))))
                == .known(.failed("could not be asked: the package index can't be reached")))
        let url = "http://127.0.0.1:8403/simple/notes/"
        #expect(PipIndex.problem(in: "Could not fetch URL \(url): 404 Client Error: Not Found for url: \(url) - skipping") == nil)
        #expect(
            PipIndex.problem(in: "Could not fetch URL \(url): 403 Client Error: Forbidden for url: \(url) - skipping")
                == "the package index replied with 403")
        #expect(
            PipIndex.problem(
                in: "Could not fetch URL \(url): HTTPConnectionPool(host='127.0.0.1', port=8500): Max retries exceeded - skipping"
            )
                == "the package index can't be reached")
    }

    @Test func anOlderPipNamesVersionsInAnError() {
        let unknown = run("ERROR: unknown command \"index\"\n", .ended(.exit(1)))
        #expect(PipIndex.reading(unknown) == .noIndexCommand)
        let text = """
            Collecting notes==
              Could not find a version that satisfies the requirement notes== (from versions: 1.4.0, 1.5.0, 1.6.0rc1)
            No matching distribution found for notes==

            """
        #expect(
            PipIndex.olderReading(run(text, .ended(.exit(1)))) == versions([("1.5.0", "1.5.0"), ("1.4.0", "1.4.0")]))
        let empty = text.replacing("1.4.0, 1.5.0, 1.6.0rc1", with: "none")
        #expect(PipIndex.olderReading(run(empty, .ended(.exit(1)))) == .nothing)
        #expect(PipIndex.olderReading(run("", .late)) == .failed("could not be asked: pip did not end in time"))
    }

    @Test func aPythonWithoutPipIsSaid() {
        let output = run("/usr/bin/python3: No module named pip\n", .ended(.exit(1)))
        #expect(
            PipIndex.reading(output)
                == .known(.failed("could not be asked: pip failed with exit code 1 (/usr/bin/python3: No module named pip)")))
        #expect(
            PipIndex.reading(run("\u{1B}[31mno\u{7}", .ended(.exit(2))))
                == .known(.failed("could not be asked: pip failed with exit code 2 (␛[31mno␇)")), "it is drawn")
    }

    @Test(
        "A version of PEP 440 in the form of rules",
        arguments: [
            ("1.5.0", "1.5.0"), ("1.5.0rc1", "1.5.0-rc.1"), ("1.5.0a2", "1.5.0-a.2"), ("1.5-beta.3", "1.5-b.3"),
            ("1.5.0.dev4", "1.5.0-0.dev.4"), ("1.5.0.post1", "1.5.0+post1"), ("1.5.0-2", "1.5.0+post2"),
            ("2024.1.15", "2024.1.15"),
            ("1.5.0+local.7", "1.5.0+local.7"), ("1.5.0c1", "1.5.0-rc.1"), ("1!1.5", nil), ("1.2.3.4.5", nil),
            ("1.5rc1.dev2", nil), ("x", nil), ("", nil),
        ] as [(String, String?)]) func pythonVersion(text: String, version: String?)
    {
        #expect(PipText.ruleVersion(text) == version)
    }

    // MARK: An app's own command

    @Test func eachLineBeginsWithAVersion() {
        let text = "# versions\n1.4.0 stable\n\nv1.5.0\t2026-01-02\r\n1:1.5.1-1\n  1.4.0\n"
        #expect(
            StatedVersions.availability(text)
                == versions([("1.5.1", "1:1.5.1-1"), ("v1.5.0", "v1.5.0"), ("1.4.0", "1.4.0")]))
        #expect(StatedVersions.availability("\n  \n") == .nothing)
        #expect(
            StatedVersions.availability("1.5.0-\u{1B}[31m\n1.4.0-1;x\n1.3.0\n") == versions([("1.3.0", "1.3.0")]),
            "what is no version's text is left out")
        #expect(
            StatedVersions.availability("none yet\n") == .failed("could not be asked: the command for it printed no version"))
    }
}
