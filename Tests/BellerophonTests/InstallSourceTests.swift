import Bellerophon
import Foundation
import TestSupport
import Testing

/// Layouts as Debian 12, pip 23 and pipx 1.1 and 1.7 leave them.
@Suite("How an installed program is found")
struct InstallSourceTests {
    private static let environment = ["HOME": "/home/a", "PATH": "/home/a/.local/bin:/usr/local/bin:/usr/bin:/bin"]

    private func find(_ path: String, _ files: RecordedFiles) -> Installation {
        InstallSource.find(path: path, environment: Self.environment, reader: files)
    }

    // MARK: apt

    /// A Debian system whose /bin is a link to /usr/bin.
    private static let debian: RecordedFiles = [
        "/bin": .link("usr/bin"), "/lib": .link("usr/lib"),
        "/usr/bin/dash": .file("\u{7F}ELF"), "/usr/bin/sh": .link("dash"),
        "/usr/bin/less": .file("\u{7F}ELF"), "/usr/bin/pager": .link("/etc/alternatives/pager"),
        "/etc/alternatives/pager": .link("/usr/bin/less"),
        "/usr/bin/vim.basic": .file("\u{7F}ELF"), "/usr/bin/vim": .link("/etc/alternatives/vim"),
        "/etc/alternatives/vim": .link("/usr/bin/vim.basic"),
        "/usr/bin/pipx": .file("#!/usr/bin/python3\nimport re\n"),
        "/usr/bin/python3": .link("python3.11"), "/usr/bin/python3.11": .file("\u{7F}ELF"),
        "/usr/local/bin/notes": .file("\u{7F}ELF"), "/usr/bin/mine": .file("#!/bin/sh\n"),
        "/var/lib/dpkg/info/dash.list": .file("/.\n/bin\n/bin/dash\n/bin/sh\n/usr\n/usr/share\n/usr/share/doc/dash\n"),
        "/var/lib/dpkg/info/less.list": .file("/.\n/bin\n/usr\n/usr/bin\n/usr/bin/less\n/usr/bin/lessecho\n"),
        "/var/lib/dpkg/info/vim.list": .file("/.\n/usr\n/usr/bin\n/usr/bin/vim.basic\n"),
        "/var/lib/dpkg/info/vim-common.list": .file("/.\n/usr\n/usr/bin\n/usr/bin/vim.basic.old\n"),
        "/var/lib/dpkg/info/pipx.list": .file("/.\n/usr\n/usr/bin\n/usr/bin/pipx\n"),
        "/var/lib/dpkg/info/python3.11-minimal.list": .file("/.\n/usr\n/usr/bin\n/usr/bin/python3.11\n"),
        "/var/lib/dpkg/info/libc6:amd64.list": .file("/.\n/lib\n/usr/share/doc/libc6\n/usr/bin/ldd\n"),
        "/var/lib/dpkg/info/less.md5sums": .file("0 usr/bin/less\n"),
        "/usr/bin/ldd": .file("#!/bin/bash\n"),
        "/opt/tool/bin/tool": .file("\u{7F}ELF"),
        "/var/lib/dpkg/info/vendor-tool.list": .file("/.\n/opt\n/opt/tool\n/opt/tool/bin\n/opt/tool/bin/tool\n"),
        "/opt/other/tool": .file("\u{7F}ELF"), "/home/a/bin/tool": .file("\u{7F}ELF"),
        "/home/a/bin/dangling": .link("/opt/gone/tool"), "/home/a/bin/pager": .link("/usr/bin/less"),
    ]

    @Test(
        "dpkg's lists say whose a program is",
        arguments: [
            ("/bin/sh", "apt", "dash", "/usr/bin/dash"), ("/usr/bin/sh", "apt", "dash", "/usr/bin/dash"),
            ("/usr/bin/dash", "apt", "dash", "/usr/bin/dash"), ("/usr/bin/pager", "apt", "less", "/usr/bin/less"),
            ("/home/a/bin/pager", "apt", "less", "/usr/bin/less"), ("/usr/bin/vim", "apt", "vim", "/usr/bin/vim.basic"),
            ("/usr/bin/pipx", "apt", "pipx", "/usr/bin/pipx"), ("/usr/bin/ldd", "apt", "libc6", "/usr/bin/ldd"),
            ("/usr/bin/python3", "apt", "python3.11-minimal", "/usr/bin/python3.11"),
            ("/opt/tool/bin/tool", "apt", "vendor-tool", "/opt/tool/bin/tool"),
            ("/usr/local/bin/notes", "file", nil, "/usr/local/bin/notes"), ("/usr/bin/mine", "file", nil, "/usr/bin/mine"),
            ("/opt/other/tool", "file", nil, "/opt/other/tool"), ("/home/a/bin/tool", "file", nil, "/home/a/bin/tool"),
            ("/home/a/bin/dangling", "unknown", nil, "/home/a/bin/dangling"), ("/usr/bin/gone", "unknown", nil, "/usr/bin/gone"),
            ("/usr/bin", "unknown", nil, "/usr/bin"), ("less", "unknown", nil, "less"), ("", "unknown", nil, ""),
        ] as [(String, String, String?, String)]) func debian(path: String, source: String, package: String?, file: String)
    {
        #expect(find(path, Self.debian) == Installation(source: source, package: package, path: path, file: file))
    }

    @Test func aMachineWithSeveralArchitecturesNamesThem() {
        let files = Self.debian.adding(["/var/lib/dpkg/arch": .file("amd64\ni386\n")])
        #expect(find("/usr/bin/ldd", files).package == "libc6:amd64")
        #expect(find("/usr/bin/less", files).package == "less")
    }

    @Test func aDivertedFileBelongsToThePackageThatHasIt() {
        let files = Self.debian.adding([
            "/usr/bin/pg_config": .file("#!/bin/sh\n"), "/usr/bin/pg_config.libpq-dev": .file("\u{7F}ELF"),
            "/usr/bin/mine.real": .file("\u{7F}ELF"),
            "/var/lib/dpkg/diversions": .file(
                "/usr/bin/pg_config\n/usr/bin/pg_config.libpq-dev\npostgresql-common\n/usr/bin/less\n/usr/bin/mine.real\n:\n"),
            "/var/lib/dpkg/info/libpq-dev.list": .file("/.\n/usr/bin\n/usr/bin/pg_config\n"),
            "/var/lib/dpkg/info/postgresql-common.list": .file("/.\n/usr/bin\n/usr/bin/pg_config\n"),
        ])
        #expect(find("/usr/bin/pg_config", files).package == "postgresql-common")
        #expect(find("/usr/bin/pg_config.libpq-dev", files).package == "libpq-dev")
        #expect(find("/usr/bin/mine.real", files).package == "less")
        #expect(find("/usr/bin/less", files).source == "file", "the administrator has put another file there")
    }

    @Test func withoutListsTheSystemsFilesAreNobodysWeKnow() {
        let closed = Self.debian.adding(["/var/lib/dpkg/info": .closedFolder])
        #expect(find("/usr/bin/less", closed).source == "unknown")
        #expect(find("/opt/other/tool", closed).source == "file")
        let fedora: RecordedFiles = ["/usr/bin/less": .file("\u{7F}ELF"), "/usr/local/bin/notes": .file("\u{7F}ELF")]
        #expect(find("/usr/bin/less", fedora).source == "unknown")
        #expect(find("/usr/local/bin/notes", fedora).source == "file")
    }

    @Test func noListIsReadForAPathOutsideTheSystem() {
        for path in ["/home/a/bin/tool", "/usr/local/bin/notes"] {
            let fresh = ([:] as RecordedFiles).adding(Self.debian)
            #expect(find(path, fresh).source == "file")
            #expect(!fresh.reads.contains { $0.hasPrefix("/var/lib/dpkg") })
        }
        let files = ([:] as RecordedFiles).adding(Self.debian)
        #expect(find("/usr/bin/less", files).source == "apt")
        #expect(files.reads.filter { $0.hasSuffix(".list") } == ["/var/lib/dpkg/info/less.list"], "its name is tried first")
        #expect(!files.reads.contains("/var/lib/dpkg/info"))
    }

    // MARK: pip

    private static let record = """
        ../../../bin/notes,sha256=1YLTWVj4KQtuNRUunsi4onbwIFQcm0_qfCND5h_oAFY,218
        notes_app-1.4.0.dist-info/METADATA,sha256=Da4k,54
        notes_app-1.4.0.dist-info/RECORD,,
        notes.py,sha256=gF6a,42

        """
    private static let metadata = "Metadata-Version: 2.1\nName: notes-app\nVersion: 1.4.0\n\nName: wrong\n"

    /// The files of a package in a site, with a script.
    private static func package(_ site: String, _ script: String, _ line: String) -> RecordedFiles {
        [
            script: .file("\(line)\nimport sys\n"), "\(site)/notes_app-1.4.0.dist-info/RECORD": .file(record),
            "\(site)/notes_app-1.4.0.dist-info/METADATA": .file(metadata),
            "\(site)/~otes_app-1.3.0.dist-info/RECORD": .file(record),
            "\(site)/other-2.0.dist-info/RECORD": .file("other.py,,\n../../../bin/notes2,,\n"),
            "\(site)/other-2.0.dist-info/METADATA": .file("Name: other\nVersion: 2.0\n"),
        ]
    }

    @Test(
        "pip's lists say whose a script is",
        arguments: [
            // A venv.
            (
                "/srv/venv/lib/python3.11/site-packages", "/srv/venv/bin/notes", "#!/srv/venv/bin/python3",
                "/srv/venv/bin/python3"
            ),
            // pip install --user
            (
                "/home/a/.local/lib/python3.11/site-packages", "/home/a/.local/bin/notes", "#!/usr/bin/python3",
                "/usr/bin/python3"
            ),
            // Debian's pip as root
            (
                "/usr/local/lib/python3.11/dist-packages", "/usr/local/bin/notes", "#!/usr/bin/python3", "/usr/bin/python3"
            ),
            // A script of `python3 -m venv` on a path that is too long for the kernel.
            (
                "/srv/venv/lib/python3.11/site-packages", "/srv/venv/bin/notes",
                "#!/bin/sh\n'''exec' /srv/venv/bin/python3 \"$0\" \"$@\"\n' '''", "/srv/venv/bin/python3"
            ),
            ("/srv/venv/lib/python3.11/site-packages", "/srv/venv/bin/notes", "#!/usr/bin/env python3", "/srv/venv/bin/python3"),
            // A program that is no script.
            ("/srv/venv/lib/python3.11/site-packages", "/srv/venv/bin/notes", "\u{7F}ELF", "/srv/venv/bin/python3"),
            ("/home/a/.local/lib/python3.11/site-packages", "/home/a/.local/bin/notes", "\u{7F}ELF", "/usr/bin/python3.11"),
        ]) func pip(site: String, script: String, line: String, interpreter: String)
    {
        var files = Self.debian.adding(Self.package(site, script, line))
        files = files.adding(["/srv/venv/bin/python3": .link("/usr/bin/python3"), "/srv/venv/pyvenv.cfg": .file("")])
        let wanted = Installation(source: "pip", package: "notes-app", path: script, file: script, interpreter: interpreter)
        #expect(find(script, files) == wanted)
    }

    @Test(arguments: [
        #"{"dir_info": {"editable": true}, "url": "file:///src"}"#,
        #"{"archive_info": {}, "url": "file:///a/notes_app-1.4.0.whl"}"#,
        #"{"archive_info": {"hash": "sha256=0"}, "url": "https://a.example/notes_app-1.4.0.whl"}"#,
        #"{"vcs_info": {"vcs": "git", "commit_id": "0"}, "url": "https://a.example/notes"}"#, "", "broken",
    ]) func aPackageFromAnAddressOrAFileHasNoneInAnIndex(origin: String) {
        let site = "/srv/venv/lib/python3.11/site-packages"
        let files = Self.package(site, "/srv/venv/bin/notes", "#!/srv/venv/bin/python").adding([
            "\(site)/notes_app-1.4.0.dist-info/direct_url.json": .file(origin)
        ])
        let found = find("/srv/venv/bin/notes", files)
        #expect(found.source == "pip")
        #expect(found.package == nil)
    }

    @Test func aScriptOfAPersonBelongsToNobody() {
        let files = Self.debian.adding(Self.package("/usr/lib/python3/dist-packages", "/usr/bin/x", "#!/usr/bin/python3")).adding(
            [
                "/home/a/bin/notes": .file("#!/usr/bin/python3\nprint(1)\n")
            ])
        #expect(find("/home/a/bin/notes", files).source == "file")
    }

    // MARK: pipx

    private static func pipx(_ home: String, origin: String = "notes-app", suffix: String = "") -> RecordedFiles {
        let root = "\(home)/venvs/notes-app"
        return package("\(root)/lib/python3.11/site-packages", "\(root)/bin/notes", "#!\(root)/bin/python").adding([
            "\(root)/bin/python": .link("/usr/bin/python3"), "\(root)/pyvenv.cfg": .file(""),
            "\(root)/bin/notes2": .file("#!\(root)/bin/python\n"),
            "\(root)/pipx_metadata.json": .file(
                """
                {"injected_packages": {}, "main_package": {"apps": ["notes"], "package": "notes-app",
                 "package_or_url": "\(origin)", "package_version": "1.4.0", "suffix": "\(suffix)"},
                 "pipx_metadata_version": "0.2", "python_version": "Python 3.11.2", "venv_args": []}
                """),
            "/home/a/.local/bin/notes": .link("\(root)/bin/notes"),
        ])
    }

    @Test(
        "pipx's environments are known by their file, wherever they are",
        arguments: ["/home/a/.local/share/pipx", "/home/a/.local/pipx", "/opt/pipx", "/srv/elsewhere"])
    func pipx(home: String) {
        let files = Self.debian.adding(Self.pipx(home))
        let root = "\(home)/venvs/notes-app"
        let wanted = Installation(
            source: "pipx", package: "notes-app", path: "/home/a/.local/bin/notes", file: "\(root)/bin/notes",
            interpreter: "\(root)/bin/python")
        #expect(find("/home/a/.local/bin/notes", files) == wanted)
        #expect(find("\(root)/bin/notes2", files).package == nil, "the script of another package in it")
    }

    @Test func aCopyBesideTheEnvironmentIsTheSameProgram() {
        let root = "/home/a/.local/share/pipx/venvs/notes-app"
        let files = Self.pipx("/home/a/.local/share/pipx")
            .adding(["/home/a/.local/bin/notes": .file("#!\(root)/bin/python\n")])
        let found = find("/home/a/.local/bin/notes", files)
        #expect(found.source == "pipx")
        #expect(found.package == "notes-app")
        #expect(found.interpreter == "\(root)/bin/python")
    }

    @Test(arguments: [
        ("notes-app", "", true), ("notes-app==1.4.0", "", true), ("Notes_App[tui]>=1", "", true),
        ("git+https://example.com/notes-app.git", "", false), ("/src/notes-app", "", false),
        ("notes-app @ https://example.com/x.whl", "", false), ("notes-app", "-beta", false),
    ]) func onlyAPackageByItsNameIsInAnIndex(origin: String, suffix: String, isFromIndex: Bool) throws {
        let files = Self.pipx("/opt/pipx", origin: origin, suffix: suffix)
        let environment = try #require(PipxEnvironment(root: "/opt/pipx/venvs/notes-app", files))
        #expect(environment.isFromIndex == isFromIndex)
        #expect(!environment.isPinned)
        #expect((find("/home/a/.local/bin/notes", files).package != nil) == isFromIndex)
    }

    @Test(
        arguments: [
            ("[]", []), (#"["--pre", "--no-cache-dir"]"#, []),
            (#"["-i", "https://a.example/simple"]"#, ["--index-url=https://a.example/simple"]),
            (
                #"["--extra-index-url=https://a.example/x=1", "--no-index", "-f", "/wheels"]"#,
                ["--extra-index-url=https://a.example/x=1", "--no-index", "--find-links=/wheels"]
            ),
            (#"["--index-url"]"#, []),
        ] as [(String, [String])]) func thePlacesThatPipxHasKept(arguments: String, options: [String]) throws
    {
        let root = "/opt/pipx/venvs/notes-app"
        let text = #"{"main_package": {"package": "notes-app", "package_or_url": "notes-app", "pip_args": \#(arguments)}}"#
        let files = Self.pipx("/opt/pipx").adding(["\(root)/pipx_metadata.json": .file(text)])
        #expect(try #require(PipxEnvironment(root: root, files)).indexOptions == options)
    }

    // MARK: Others

    @Test(
        "Other sources are known by the path",
        arguments: [
            ("/opt/homebrew/bin/notes", "/opt/homebrew/Cellar/notes/1.4/bin/notes", "homebrew"),
            ("/home/a/.nix-profile/bin/notes", "/nix/store/0c1y-notes/bin/notes", "nix"),
            ("/snap/bin/notes", "/usr/bin/less", "snap"), ("/home/a/.local/share/mise/shims/notes", "/usr/bin/less", "mise"),
            ("/home/a/.local/bin/notes", "/home/a/.local/share/uv/tools/notes/bin/notes", "uv"),
        ]) func others(path: String, file: String, source: String)
    {
        let files = Self.debian.adding([path: .link(file), file: .file("\u{7F}ELF")])
        #expect(find(path, files) == Installation(source: source, path: path, file: file))
    }

    @Test func thisMachinesFilesAreRead() throws {
        let folder = try TestFolder()
        let root = try #require(SystemFiles().realPath(folder.url.path))
        try folder.write("abcdef", to: "bin/tool")
        let files = SystemFiles()
        #expect(files.bytes(of: root + "/bin/tool", limit: 4) == Array("abcd".utf8))
        #expect(files.bytes(of: root + "/bin/tool", limit: 40) == Array("abcdef".utf8))
        #expect(files.bytes(of: root + "/bin", limit: 4) == nil)
        #expect(files.bytes(of: root + "/none", limit: 4) == nil)
        #expect(files.names(in: root, limit: 9) == ["bin"])
        #expect(files.names(in: root + "/none", limit: 9) == nil)
        #expect(files.names(in: root, limit: 0) == [])
        #expect(InstallSource.find(path: root + "/bin/tool", environment: [:]).source == "file")
    }
}
