import Foundation
import TestSupport
import Testing

/// `guard install`, `status` and `uninstall` as an administrator runs them, on file systems that only the test sees.
@Suite("Sessions: wrappers of guarded programs")
struct GuardInstallSessionTests {
    /// Whether the tests may mount file systems that no other process sees, which takes root's rights on Linux.
    private static let hasOwnMounts: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "unshare -m mount -t tmpfs none /usr/local"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Runs a shell script with an empty `/usr/local` and an empty `/var/lib`. `/etc/bellerophon/guard.d` has the profile `say`,
    /// which puts a wrapper in front of `/bin/echo`.
    private func shell(_ script: String, by status: StatusSwitch, settings: String = "") async throws -> CommandResult {
        let home = try TestFolder()
        try home.write(
            #"{"program":"/bin/echo","wrapper":"/usr/local/bin/say","config":{"status":{"url":"\#(status.url)"}}\#(settings)}"#,
            to: "profile"
        )
        let preparation = """
            umask 022; cd /
            for folder in /etc /usr/local /var/lib; do mount -t tmpfs -o mode=755 none $folder; done
            mkdir -p /etc/bellerophon/guard.d /usr/local/bin
            cp "$HOME/profile" /etc/bellerophon/guard.d/say.json
            cp '\(try Products.path("bellerophon"))' /usr/local/bin/bellerophon
            export PATH="/usr/local/bin:$PATH"

            """
        return try await runCommand(
            "/bin/sh", ["-c", "exec unshare -m /bin/sh -ec \"$1\"", "sh", preparation + script], home: home)
    }

    @Test(
        "An installed wrapper guards its program and can be removed",
        .enabled(if: hasOwnMounts, "mounting file systems is not permitted"))
    func wrapperIsInstalledAndRemoved() async throws {
        let result = try await shell(
            """
            bellerophon guard status; bellerophon guard install say; bellerophon guard install say
            bellerophon guard status; say guarded; bellerophon guard uninstall say; bellerophon guard uninstall say
            test ! -e /usr/local/bin/say
            """, by: StatusSwitch())
        #expect(result.status == .exited(0), "\(result.standardError)")
        #expect(result.standardError.isEmpty)
        let lines = result.standardOutput.split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.contains("say") && $0.contains("not installed") && $0.contains("/bin/echo") })
        #expect(lines.contains("say: installed /usr/local/bin/say in front of /bin/echo"))
        #expect(lines.contains("say: already installed, /usr/local/bin/say in front of /bin/echo"))
        #expect(lines.contains("guarded"))
        #expect(lines.suffix(2) == ["say: removed /usr/local/bin/say", "say: not installed"])
    }

    @Test(
        "An install on a full disk or into a folder that can't be written leaves nothing",
        .enabled(if: hasOwnMounts, "mounting file systems is not permitted"))
    func failedInstallLeavesNothing() async throws {
        let result = try await shell(
            """
            mkdir /usr/local/w; sed -i 's,bin/say,w/say,' /etc/bellerophon/guard.d/say.json
            find /usr/local /var/lib >/etc/before
            attempt() {
                if bellerophon guard install say; then exit 9; fi
                find /usr/local /var/lib | cmp - /etc/before
            }
            mount -t tmpfs -o mode=755,nr_inodes=1 none /usr/local/w; attempt; umount /usr/local/w
            mount -t tmpfs -o mode=755,ro none /usr/local/w; attempt; umount /usr/local/w
            mount -o remount,nr_inodes=2 /var/lib; attempt
            mount -o remount,nr_inodes=0 /var/lib; bellerophon guard install say
            """, by: StatusSwitch())
        #expect(result.status == .exited(0), "\(result.standardError)")
        #expect(result.standardOutput == "say: installed /usr/local/w/say in front of /bin/echo\n")
        let problems = result.standardError.split(separator: "\n")
        #expect(problems.count == 3 && problems[1].contains("Read-only file system"), "\(result.standardError)")
        #expect(problems.count { $0.contains("No space left on device") } == 2, "\(result.standardError)")
    }

    @Test(
        "The version command of a profile is checked at the install and asked at the start",
        .enabled(if: hasOwnMounts, "mounting file systems is not permitted"))
    func versionCommandOfAProfile() async throws {
        let missing = try await shell(
            "bellerophon guard install say", by: StatusSwitch(), settings: #","versionCommand":["/usr/bin/missing","-v"]"#)
        #expect(missing.status != .exited(0))
        #expect(missing.standardError.contains("/usr/bin/missing"))
        let failing = try await shell(
            "bellerophon guard install say; say guarded", by: StatusSwitch(), settings: #","versionCommand":["/bin/false","-v"]"#)
        #expect(failing.status == .exited(0))
        #expect(failing.standardOutput.hasSuffix("guarded\n"))
        #expect(
            failing.standardError == "bellerophon: the version of echo is not known: /bin/false -v failed with exit code 1\n")
    }

    @Test(.enabled(if: hasOwnMounts, "mounting file systems is not permitted"))
    func aKillRefusesTheStartOfAWrappedProgram() async throws {
        let status = try StatusSwitch(StatusSwitch.paused)
        let result = try await shell(
            "bellerophon guard install say >/dev/null; say guarded", by: status, settings: #","start":"exit""#)
        #expect(result.status == .exited(75))
        #expect(result.standardOutput.isEmpty)
        #expect(result.standardError.contains(StatusSwitch.message))
    }

    @Test(.enabled(if: hasOwnMounts, "mounting file systems is not permitted"))
    func anotherProgramInTheWayIsKept() async throws {
        let script =
            "echo other >/usr/local/bin/say; bellerophon guard install say || code=$?; cat /usr/local/bin/say; exit $code"
        let result = try await shell(script, by: StatusSwitch())
        #expect(result.status == .exited(73))
        #expect(result.standardOutput == "other\n")
        #expect(result.standardError.contains("/usr/local/bin/say"))
    }

    @Test(.enabled(if: hasOwnMounts, "mounting file systems is not permitted"))
    func anAddressThatGivesNoStatusIsReported() async throws {
        let status = try StatusSwitch()
        status.server.answer { _ in .html() }
        let result = try await shell(
            """
            bellerophon guard install say && exit 1
            echo "install: $?"
            bellerophon guard install say --offline
            bellerophon guard status >/dev/null && echo "status: $?"
            bellerophon guard status --check || echo "check: $?"
            say guarded
            """, by: status)
        #expect(result.status == .exited(0), "\(result.standardError)")
        for text in ["install: 69", "say: installed", "status: 0", "unreadable: ", "check: 12", "guarded"] {
            #expect(result.standardOutput.contains(text), "\(text)")
        }
        let errors = result.standardError.split(separator: "\n")
        #expect(errors.count == 2, "one line of the install and one of the start")
        #expect(errors.first?.contains("nothing was installed") == true)
        #expect(errors.last?.hasSuffix("; echo is not covered until the status can be read") == true)
    }

    @Test(arguments: ["install", "uninstall"])
    func aNameThatLeavesTheFolderIsRefused(command: String) async throws {
        let result = try await bellerophon(["guard", command, "../say"])
        #expect(result.status == .exited(64))
        #expect(result.standardError.contains("../say"))
    }
}
