import Testing

@testable import Bellerophon

@Suite("What is found out about the machine")
struct MachineFactsTests {
    private func facts(_ change: (inout MachineFacts) -> Void) -> MachineFacts {
        var facts = MachineFacts()
        change(&facts)
        return facts
    }

    // MARK: The system

    @Test(
        "The version of the system is its numbers",
        arguments: [
            ("Linux", "6.1.0-18-amd64", "", "linux", "6.1.0"),
            ("Linux", "5.15.167.4-microsoft-standard-WSL2", "", "linux", "5.15.167.4"),
            ("Linux", "6.9.3.1.2-x", "", "linux", "6.9.3.1"), ("Linux", "6-rc", "", "linux", "6"),
            ("Linux", "rolling", "", "linux", nil),
            ("Linux", "6.1.", "", "linux", "6.1"), ("Darwin", "23.5.0", "14.5.0", "macos", "14.5.0"),
            ("Darwin", "23.5.0", "", "macos", nil), ("FreeBSD", "14.1-RELEASE", "", "freebsd", "14.1"),
            ("", "", "", "unknown", nil),
        ]) func system(system: String, release: String, product: String, os: String, version: String?)
    {
        let found = facts { ($0.system, $0.release, $0.productVersion) = (system, release, product) }
        #expect(found.os == os)
        #expect(found.osVersion == version)
    }

    @Test(
        "A processor has one name on all systems",
        arguments: [
            ("x86_64", "x86_64"), ("amd64", "x86_64"), ("aarch64", "arm64"), ("arm64", "arm64"), ("i686", "x86"),
            ("armv7l", "arm"),
            ("riscv64", "riscv64"), ("ppc64le", "ppc64le"), ("", "unknown"),
        ]) func processor(machine: String, arch: String)
    {
        #expect(facts { $0.machine = machine }.arch == arch)
    }

    // MARK: A build service

    @Test(
        "The environment of a build service is recognised",
        arguments: [
            ["CI": "true"], ["CI": "1"], ["CI": "yes"], ["CONTINUOUS_INTEGRATION": "true"],
            ["GITHUB_ACTIONS": "true", "CI": "true"],
            ["GITLAB_CI": "true"], ["BUILDKITE": "true"], ["JENKINS_URL": "https://ci.example/", "BUILD_ID": "17"],
            ["TEAMCITY_VERSION": "2023.05"], ["TF_BUILD": "True"], ["CI": "", "GITHUB_ACTIONS": "true"],
            ["CODEBUILD_BUILD_ARN": "arn:aws:x"], ["bamboo_planKey": "A-B"],
        ]) func buildService(environment: [String: String])
    {
        #expect(facts { $0.environment = environment }.values["ci"] == "true")
    }

    @Test(
        "Another environment is none",
        arguments: [
            [:], ["CI": ""], ["CI": "false"], ["CI": "0"], ["CI": "False"], ["CI": "false", "GITHUB_ACTIONS": "true"],
            ["GITHUB_ACTIONS": "false"], ["BUILD_ID": "17"], ["BUILD_NUMBER": "3"], ["TERM": "xterm"],
        ]) func noBuildService(environment: [String: String])
    {
        #expect(facts { $0.environment = environment }.values["ci"] == "false")
    }

    // MARK: The terminal

    @Test(
        "A terminal is known by its own variable first",
        arguments: [
            (["TERM_PROGRAM": "Apple_Terminal", "TERM": "xterm-256color"], "apple_terminal"),
            (["TERM_PROGRAM": "iTerm.app"], "iterm.app"), (["TERM_PROGRAM": "vscode", "KITTY_WINDOW_ID": "1"], "vscode"),
            (["KITTY_WINDOW_ID": "1", "TERM": "xterm-kitty"], "kitty"), (["TMUX": "/tmp/x,1,0", "KITTY_WINDOW_ID": "1"], "tmux"),
            (["WT_SESSION": "b7", "TERM": "xterm-256color"], "windows-terminal"), (["VTE_VERSION": "7600"], "vte"),
            (["TERM": "xterm-256color"], "xterm"), (["TERM": "xterm-kitty"], "kitty"), (["TERM": "linux"], "linux"),
            (["TERM": "rxvt-unicode-256color"], "rxvt-unicode"), (["TERM": "screen-256color-bce"], "screen"),
            (["TERM": "foot"], "foot"), (["TERM": "dumb"], "dumb"), ([:], "unknown"), (["TERM": ""], "unknown"),
            (["TERM_PROGRAM": "", "TERM": "foot"], "foot"), (["TERM_PROGRAM": "\u{1B}\u{7}", "TERM": "foot"], "foot"),
            (["TERM_PROGRAM": "My Term\n2"], "my-term-2"),
            (["TERM_PROGRAM": String(repeating: "x", count: 200)], String(repeating: "x", count: 64)),
        ]) func terminal(environment: [String: String], name: String)
    {
        #expect(facts { $0.environment = environment }.values["terminal"] == name)
    }

    // MARK: The source

    @Test(
        "The path of an executable says how it was installed",
        arguments: [
            ("/snap/notes/17/bin/notes", "snap"), ("/var/lib/snapd/snap/notes/17/bin/notes", "snap"),
            ("/nix/store/0c1y-notes-1.4.0/bin/notes", "nix"), ("/gnu/store/0c1y-notes-1.4.0/bin/notes", "guix"),
            ("/opt/homebrew/Cellar/notes/1.4.0/bin/notes", "homebrew"), ("/usr/local/Cellar/notes/1.4.0/bin/notes", "homebrew"),
            ("/home/linuxbrew/.linuxbrew/Cellar/notes/1.4.0/bin/notes", "homebrew"), ("/opt/local/bin/notes", "macports"),
            ("/home/a/.cargo/bin/notes", "cargo"), ("/home/a/go/bin/notes", "go"),
            ("/usr/lib/node_modules/notes/bin/notes.js", "npm"), ("/opt/homebrew/lib/node_modules/notes/notes.js", "npm"),
            ("/home/a/.local/share/pnpm/global/5/node_modules/notes/notes.js", "pnpm"),
            ("/home/a/.bun/install/global/node_modules/notes/notes.js", "bun"),
            ("/home/a/.local/share/pipx/venvs/notes/bin/notes", "pipx"), ("/home/a/.local/share/uv/tools/notes/bin/notes", "uv"),
            ("/usr/lib/python3/dist-packages/notes/notes", "pip"), ("/home/a/miniconda3/bin/notes", "conda"),
            ("/home/a/.local/share/flatpak/app/org.notes/x86_64/stable/files/bin/notes", "flatpak"),
            ("/usr/bin/notes", "unknown"), ("/usr/local/bin/notes", "unknown"), ("/home/a/bin/notes", "unknown"),
            ("/usr/local/go/bin/go", "unknown"), ("/app/bin/notes", "unknown"), ("/snap", "unknown"),
            ("/home/a/snap/notes", "unknown"),
            ("/home/a/Cellar", "unknown"), ("notes", "unknown"), ("", "unknown"), ("/", "unknown"),
        ]) func source(path: String, source: String)
    {
        #expect(InstallSource.of(path, ["HOME": "/home/a"]) == source)
        #expect(facts { $0.source = source }.values["source"] == source)
    }

    @Test(
        "The environment says it where a path is not enough",
        arguments: [
            ("/app/bin/notes", ["FLATPAK_ID": "org.notes"], "flatpak"),
            ("/tmp/.mount_noteAb/notes", ["APPIMAGE": "/home/a/n"], "appimage"),
            ("/tmp/.mount_noteAb/notes", [:], "unknown"), ("/srv/rust/bin/notes", ["CARGO_HOME": "/srv/rust"], "cargo"),
            ("/srv/go/bin/notes", ["GOPATH": "/srv/go"], "go"), ("/srv/b/notes", ["GOBIN": "/srv/b"], "go"),
            ("/srv/b/notes", ["GOBIN": ""], "unknown"), ("/usr/bin/notes", ["GOBIN": "/"], "unknown"),
        ]) func sourceOfEnvironment(path: String, environment: [String: String], source: String)
    {
        #expect(InstallSource.of(path, environment) == source)
    }

    @Test func thisProcessHasEveryFact() {
        let found = MachineFacts.complete
        #expect(Set(found.values.keys) == ["os", "arch", "ci", "terminal", "source"])
        #expect(!found.values.values.contains(""))
        #expect(["linux", "macos"].contains(found.os))
        #expect(found.osVersion != nil)
        #expect(found.arch != "unknown")
    }

    // MARK: The app's own word

    @Test func theAppsOwnWordReplacesWhatWasFound() {
        let machine = facts { ($0.system, $0.release, $0.machine) = ("Linux", "6.1.0-18-amd64", "aarch64") }
        var app = AppInfo(name: "notes", version: "1.4.0")
        #expect(
            app.appFacts(machine)
                == AppFacts(
                    version: "1.4.0", osVersion: "6.1.0",
                    values: ["os": "linux", "arch": "arm64", "ci": "false", "terminal": "unknown"]))
        app.facts = ["source": "apt", "ci": "true", "region": "eu"]
        let own = app.appFacts(machine)
        #expect(own.values["source"] == "apt")
        #expect(own.values["ci"] == "true")
        #expect(own.values["region"] == "eu")
        #expect(own.values["arch"] == "arm64")
        #expect(own.osVersion == "6.1.0")
    }

    @Test func anotherSystemHasNoVersionUnlessTheAppStatesIt() {
        let machine = facts { ($0.system, $0.release) = ("Linux", "6.1.0") }
        var app = AppInfo(name: "notes")
        app.facts = ["os": "haiku"]
        #expect(app.appFacts(machine).osVersion == nil)
        app.facts["osVersion"] = "1.0"
        #expect(app.appFacts(machine).osVersion == "1.0")
        #expect(app.appFacts(machine).values["osVersion"] == nil)
    }
}

@Suite("The version in what a program prints")
struct ProgramVersionTests {
    @Test(
        "The first version counts",
        arguments: [
            ("psql (PostgreSQL) 16.3 (Debian 16.3-1.pgdg120+1)\n", "16.3"), ("git version 2.39.2\n", "2.39.2"),
            ("v20.11.1\n", "20.11.1"),
            ("Python 3.11.2", "3.11.2"), ("VIM - Vi IMproved 9.0 (2022 Jun 28, compiled May 04 2023)", "9.0"),
            ("curl 8.5.0 (x86_64-pc-linux-gnu) libcurl/8.5.0", "8.5.0"), ("nginx version: nginx/1.22.1", "1.22.1"),
            ("go version go1.21.3 linux/amd64", "1.21.3"), ("jq-1.6", "1.6"), ("systemd 252 (252.19-1~deb12u1)", "252.19"),
            ("tool 2:1.5.2-1", "1.5.2"), ("tool 1.5.2~rc1-1", "1.5.2-rc1"), ("tool 1.5.0-rc.1+linux.x86", "1.5.0-rc.1+linux.x86"),
            ("tool version 1.2.3.", "1.2.3"), ("\"1.2.3\",", "1.2.3"), ("Chrome 120.0.6099.109", "120.0.6099.109"),
            ("tool 1.2.3.4.5 is not 1.2", "1.2"), ("tool V2.0", "2.0"), ("tool 2024.01.15", "2024.01.15"),
            ("error 17, see 3.1", "3.1"), ("\u{1B}]0;x\u{7} tool 1.2.3\r\n", "1.2.3"),
            ("\u{1B}[38;2;1.5m\u{1B}[1mtool\u{1B}[0m \u{1B}[32m1.\u{1B}[1m5.2\u{1B}[m", "1.5.2"), ("\u{9B}1.2m tool 3.4", "3.4"),
            ("\u{1B}]8;;https://a.example/9.9\u{1B}\\1.5.2\u{1B}]8;;\u{1B}\\", "1.5.2"), ("\u{1B}(B tool 1.2", "1.2"),
            ("版本1.2", "1.2"),
        ]) func first(output: String, version: String)
    {
        #expect(ProgramVersion.first(in: output) == version)
    }

    @Test(
        "What is no version is none",
        arguments: [
            "", "\n", "no version", "less 590", "2024-01-15", "1.", ".1", "1..2", "1.2x", "libc.so.6", "v", "12:30", "１.２",
            "１1.2",
            "1.\u{200B}5.0", "1.\u{A0}5.0 or 1.4", "\u{AD}1.5", "1.5\u{301}", "1\u{8}1.5", "1.5\u{FFFD}", "\u{1B}[1.5m",
            "1." + String(repeating: "0", count: 80),
        ]) func none(output: String)
    {
        #expect(ProgramVersion.first(in: output) == nil)
    }

    @Test(
        "A package's version loses epoch and revision",
        arguments: [
            ("2:1.5.2-1", "1.5.2"), ("1.5.2-4.el9", "1.5.2"), ("1.5.2-r0", "1.5.2"), ("1.5.2~rc1-1", "1.5.2-rc1"),
            ("1.5.2", "1.5.2"),
            ("1.5.2+dfsg+git7-1", "1.5.2+dfsg.git7"), ("9.2p1-2", nil), ("", nil), ("1:", nil),
        ]) func package(text: String, version: String?)
    {
        #expect(ProgramVersion.ofPackage(text) == version)
    }
}
