import Bellerophon
import Processes
import Testing

@testable import ProgramUpdates

@Suite("The commands of a source")
struct UpdateCommandTests {
    private static let candidate = UpdateCandidate(version: "1.5.2", name: "1:1.5.2~rc1-1+b1")

    private func source(
        _ source: String, _ package: String?, path: String = "/usr/bin/notes", file: String? = nil, interpreter: String? = nil,
        privilege: UpdateSource.Privilege = .root, _ change: (inout UpdateOptions) -> Void = { _ in }
    ) -> UpdateSource {
        var options = UpdateOptions()
        change(&options)
        let found = Installation(source: source, package: package, path: path, file: file ?? path, interpreter: interpreter)
        return UpdateSource(found, options, privilege: privilege)
    }

    // MARK: apt

    @Test func aptInstallsAsRoot() {
        let root = source("apt", "notes")
        #expect(root.command(for: nil, isDefault: true) == "apt-get install notes")
        #expect(root.command(for: Self.candidate, isDefault: true) == "apt-get install notes")
        #expect(
            root.command(for: Self.candidate, isDefault: false)
                == "apt-get install --allow-downgrades 'notes=1:1.5.2~rc1-1+b1'")
        #expect(root.refreshCommand == "apt-get update")
        let sudo = source("apt", "libc6:i386", privilege: .sudo)
        #expect(sudo.command(for: nil, isDefault: true) == "sudo apt-get install libc6:i386")
        #expect(sudo.refreshCommand == "sudo apt-get update")
        #expect(sudo.unpinCommand == "sudo apt-mark unhold libc6:i386")
        let none = source("apt", "notes", privilege: .none)
        #expect(none.command(for: nil, isDefault: true) == "su -l -c 'apt-get install notes'")
        #expect(
            none.command(for: Self.candidate, isDefault: false)
                == #"su -l -c 'apt-get install --allow-downgrades '\''notes=1:1.5.2~rc1-1+b1'\'''"#)
    }

    @Test func aptDoesNotAskAPersonWhoHasAgreed() {
        var found = source("apt", "notes", privilege: .sudo)
        found.assumesYes = true
        #expect(found.command(for: nil, isDefault: true) == "sudo apt-get install -y notes")
        #expect(
            found.command(for: Self.candidate, isDefault: false)
                == "sudo apt-get install -y --allow-downgrades 'notes=1:1.5.2~rc1-1+b1'")
    }

    @Test(
        "A name that is no package has no command",
        arguments: [
            "", "-y", "notes;reboot", "notes reboot", "$(reboot)", "`reboot`", "notes\nreboot", "Notes", "../notes", "notes=1",
            "notes:", "a", "\u{1B}[2J", "nötes", String(repeating: "a", count: 200),
        ]) func hostileName(name: String)
    {
        let found = source("apt", name)
        #expect(found.command(for: nil, isDefault: true) == nil)
        #expect(found.command(for: Self.candidate, isDefault: false) == nil)
        #expect(found.unpinCommand == nil)
        let stated = source("apt", "notes") { $0.package = name }
        #expect(stated.command(for: nil, isDefault: true) == nil)
    }

    @Test(
        "A version that is none has no command",
        arguments: ["", "-1", "1;reboot", "1 2", "$(reboot)", "1'", "1\n", "rc1", String(repeating: "1", count: 200)])
    func hostileVersion(name: String) {
        let candidate = UpdateCandidate(version: "1.5.2", name: name)
        #expect(source("apt", "notes").command(for: candidate, isDefault: false) == nil)
        #expect(source("pip", "notes").command(for: candidate, isDefault: false) == nil)
        #expect(source("pipx", "notes").command(for: candidate, isDefault: false) == nil)
    }

    // MARK: pip

    private static let version = UpdateCandidate(version: "1.5.2", name: "1.5.2")

    @Test(
        "pip installs where the program is",
        arguments: [
            ("/srv/venv/bin/notes", "/srv/venv/bin/python3", "/srv/venv/bin/python3 -m pip install"),
            ("/home/a/.local/bin/notes", "/usr/bin/python3", "/usr/bin/python3 -m pip install --user"),
            ("/usr/local/bin/notes", "/usr/bin/python3", "/usr/bin/python3 -m pip install"),
            ("/srv/x/bin/notes", "/usr/bin/python3", "/usr/bin/python3 -m pip install --prefix /srv/x"),
            ("/home/a b/v/bin/notes", "/home/a b/v/bin/python", "'/home/a b/v/bin/python' -m pip install"),
            ("/home/a/v/bin/notes", "/home/a/v/bin/python", "/home/a/v/bin/python -m pip install"),
        ]) func pip(path: String, interpreter: String, words: String)
    {
        let found = source("pip", "Notes.app", path: path, interpreter: interpreter)
        #expect(found.command(for: nil, isDefault: true) == "\(words) --upgrade Notes.app")
        #expect(found.command(for: Self.version, isDefault: false) == "\(words) Notes.app==1.5.2")
        #expect(found.refreshCommand == nil)
    }

    @Test func pipNeedsMoreWhereTheEnvironmentIsNotTheUsers() {
        var found = source("pip", "notes", path: "/usr/local/bin/notes", interpreter: "/usr/bin/python3", privilege: .sudo)
        found.isWritable = false
        found.isExternallyManaged = true
        #expect(
            found.command(for: nil, isDefault: true)
                == "sudo /usr/bin/python3 -m pip install --break-system-packages --upgrade notes")
        found.installation.interpreter = "/usr/bin/python\n3"
        #expect(found.command(for: nil, isDefault: true) == nil)
        #expect(source("pip", "notes;x").command(for: nil, isDefault: true) == nil)
        #expect(source("pip", nil).command(for: nil, isDefault: true) == nil)
        let stated = source("file", nil) { ($0.source, $0.package) = ("pip", "notes") }
        #expect(stated.command(for: nil, isDefault: true) == "python3 -m pip install --upgrade notes")
    }

    @Test func aCommandOfRootDoesNotUseTheIndexOfAUser() {
        var found = source("pip", "notes", path: "/usr/local/bin/notes", interpreter: "/usr/bin/python3", privilege: .sudo)
        (found.isWritable, found.hasOwnIndex) = (false, true)
        #expect(found.command(for: nil, isDefault: true) == nil)
        found.isWritable = true
        #expect(found.command(for: nil, isDefault: true) != nil)
    }

    // MARK: pipx

    @Test func onlyAnUpgradeUsesThePlacesThatPipxHasKept() {
        let root = "/home/a/.local/share/pipx/venvs/notes"
        var found = source(
            "pipx", "notes", path: "/home/a/.local/bin/notes", file: "\(root)/bin/notes", interpreter: "\(root)/bin/python")
        found.indexOptions = ["--index-url=https://ada:secret@a.example/simple"]
        #expect(found.command(for: nil, isDefault: true) == "pipx upgrade notes")
        #expect(found.command(for: Self.version, isDefault: false) == nil)
    }

    @Test func pipxUpgradesItsEnvironment() {
        let root = "/home/a/.local/share/pipx/venvs/notes"
        let path = "/home/a/.local/bin/notes"
        let usual = source("pipx", "notes", path: path, file: "\(root)/bin/notes", interpreter: "\(root)/bin/python")
        #expect(usual.command(for: nil, isDefault: true) == "pipx upgrade notes")
        #expect(usual.command(for: Self.version, isDefault: false) == "pipx install --force notes==1.5.2")
        #expect(usual.unpinCommand == "pipx unpin notes")
        let other = "/opt/pi px/venvs/notes"
        var global = source(
            "pipx", "notes", path: "/usr/local/bin/notes", file: "\(other)/bin/notes", interpreter: "\(other)/bin/python",
            privilege: .sudo)
        let prefix = "env 'PIPX_HOME=/opt/pi px' PIPX_BIN_DIR=/usr/local/bin"
        #expect(global.command(for: nil, isDefault: true) == "\(prefix) pipx upgrade notes")
        global.isWritable = false
        #expect(global.command(for: nil, isDefault: true) == "sudo \(prefix) pipx upgrade notes")
    }

    // MARK: Others

    @Test func anAppsOwnCommandReplacesAll() {
        for kind in ["apt", "pip", "pipx", "file", "snap", "unknown"] {
            let found = source(kind, "notes") { $0.command = "make 'update'" }
            #expect(found.command(for: nil, isDefault: true) == "make 'update'")
            #expect(found.command(for: Self.candidate, isDefault: false) == "make 'update'")
        }
    }

    @Test(arguments: [("snap", "snap"), ("homebrew", "Homebrew"), ("file", "the file"), ("own-store", "own-store")])
    func aSourceThatIsOnlyNamedHasNoCommand(kind: String, name: String) {
        let found = source(kind, "notes")
        #expect(found.name == name)
        #expect(found.command(for: nil, isDefault: true) == nil)
        #expect(found.refreshCommand == nil)
        #expect(found.installedName == nil)
        let findings = SystemUpdateInspector(found, environment: [:]).findings()
        #expect(findings == UpdateFindings())
    }

    @Test func whatTheAppStatesCountsMoreThanWhatIsFound() {
        let other = source("apt", "python3") { $0.package = "notes" }
        #expect(other.command(for: nil, isDefault: true) == "apt-get install notes")
        let moved = source("file", nil) { ($0.source, $0.package) = ("apt", "notes") }
        #expect(moved.kind == "apt")
        #expect(moved.command(for: nil, isDefault: true) == "apt-get install notes")
        // The package of another source is not this source's.
        #expect(source("pip", "notes") { $0.source = "apt" }.package == nil)
    }

    @Test func aWordForTheShellIsTakenAsItIs() {
        #expect(ShellWord.quoted("a-b_c.1/=:+,@%") == "a-b_c.1/=:+,@%")
        #expect(ShellWord.quoted("") == "''")
        #expect(ShellWord.quoted("~a") == "'~a'")
        #expect(ShellWord.quoted("it's $HOME") == #"'it'\''s $HOME'"#)
    }
}
