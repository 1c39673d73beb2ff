import Bellerophon
import Foundation
import Processes
import TestSupport
import Testing

@testable import ProgramUpdates

/// Builds wheels: a wheel is a zip file.
private let wheelScript = """
    import sys, os, zipfile
    folder, name, version = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": f"def main():\\n    print('{name} {version}')\\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\\nGenerator: sample\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
        f"{info}/entry_points.txt": f"[console_scripts]\\n{name} = {name}:main\\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{path},,\\n" for path in files) + f"{info}/RECORD,,\\n"
    with zipfile.ZipFile(f"{folder}/{name}-{version}-py3-none-any.whl", "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
    """

extension ManagerRig {
    /// A rig for Python's managers, whose only index is a folder of wheels.
    fileprivate static func python() throws -> ManagerRig {
        var rig = try ManagerRig()
        try rig.folder.write(wheelScript, to: "wheel.py")
        rig.variables = [
            "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "\(rig.root)/wheels /usr/share/python-wheels", "PIP_CONFIG_FILE": "/dev/null",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIPX_HOME": "\(rig.root)/pipx", "PIPX_BIN_DIR": "\(rig.root)/bin",
            "USE_EMOJI": "0", "PATH": "\(rig.root)/bin:/usr/bin:/bin",
        ]
        return rig
    }

    /// Puts a version into the index.
    fileprivate func publish(_ version: String, of name: String = "sampletool") async throws {
        try await need("/usr/bin/python3 '\(root)/wheel.py' '\(root)/wheels' \(name) \(version)")
    }

    /// Puts source code into the index whose build kills pip and the shell that runs it.
    fileprivate func publishThatKills(_ version: String) async throws {
        try folder.write("import os\nos.killpg(0, 9)\n", to: "sampletool-\(version)/setup.py")
        try folder.write("Metadata-Version: 1.0\nName: sampletool\nVersion: \(version)\n", to: "sampletool-\(version)/PKG-INFO")
        try await need("cd '\(root)' && tar czf wheels/sampletool-\(version).tar.gz sampletool-\(version)")
    }

    /// Whether Python can make environments: on Debian the package python3-venv does that.
    fileprivate static var hasVenv: Bool {
        let libraries = SystemFiles().names(in: "/usr/lib", limit: 10_000) ?? []
        return has("/usr/bin/python3")
            && libraries.contains { $0.hasPrefix("python3") && has("/usr/lib/\($0)/ensurepip/__init__.py") }
    }
}

@Suite(
    "Updates with pip",
    // Python is no part of every system, and Debian has venv in a package of its own.
    .enabled(if: ManagerRig.hasVenv))
struct PipProof {
    private let rig: ManagerRig
    private var path: String { "\(rig.root)/venv/bin/sampletool" }
    private var source: UpdateSource {
        .of(path: path, options: UpdateOptions(), environment: rig.folder.environment(rig.variables))
    }

    init() throws { rig = try .python() }

    /// Installs version 1.4.0 into an environment.
    private func start() async throws {
        try await rig.publish("1.4.0")
        try await rig.need("/usr/bin/python3 -m venv '\(rig.root)/venv'")
        try await rig.need("'\(rig.root)/venv/bin/python3' -m pip install sampletool")
    }

    @Test func anUpdateIsInstalledAndReadAgain() async throws {
        try await start()
        #expect(source.installation.source == "pip")
        #expect(source.installation.package == "sampletool")
        #expect(source.installation.interpreter == "\(rig.root)/venv/bin/python3")
        let before = try await rig.findings(source)
        #expect(before.installed == "1.4.0")
        #expect(before.names == ["1.4.0"], "the version is not there yet")
        // The same command has nothing to do.
        try await rig.need(source.command(for: nil, isDefault: true))
        #expect(try await rig.installed(source).installed == "1.4.0")

        for version in ["1.5.0", "1.10.0", "2.0.0rc1"] { try await rig.publish(version) }
        let findings = try await rig.findings(source)
        #expect(findings.names == ["1.10.0", "1.5.0", "1.4.0"], "a prerelease is not installed by itself")
        try await rig.need(source.command(for: findings.candidate("1.10.0"), isDefault: true))
        #expect(try await rig.installed(source).installed == "1.10.0")
        #expect(try await rig.run(path).standardOutput == "sampletool 1.10.0\n")
        try await rig.need(source.command(for: findings.candidate("1.5.0"), isDefault: false))
        #expect(try await rig.installed(source).installed == "1.5.0")
    }

    @Test func aStrangersPackageOfTheSameNameIsNotOffered() async throws {
        try await start()
        try await rig.need("rm '\(rig.root)/wheels/'*.whl")
        try await rig.publish("9.9.9")
        #expect(
            try await rig.findings(source).available
                == .elsewhere("does not have sampletool 1.4.0, which is installed: it is from another place"))
        // A prerelease that is not listed can be asked for.
        try await rig.publish("1.4.0rc1")
        try await rig.need("'\(rig.root)/venv/bin/python3' -m pip install sampletool==1.4.0rc1")
        #expect(try await rig.findings(source).names == ["9.9.9"])
        // A wheel without an index.
        try await rig.publish("1.3.0")
        try await rig.need("'\(rig.root)/venv/bin/python3' -m pip install '\(rig.root)/wheels/sampletool-1.3.0-py3-none-any.whl'")
        #expect(source.installation.package == nil)
        #expect(try await rig.findings(source).available == .notAsked)
        #expect(source.command(for: nil, isDefault: true) == nil)
    }

    @Test func whatFailsChangesNothing() async throws {
        try await start()
        let source = source
        try await rig.publishThatKills("1.6.0")
        #expect(try await rig.findings(source).names == ["1.6.0", "1.4.0"])
        #expect(try await rig.run(source.command(for: nil, isDefault: true)).status == .signalled(SIGKILL))
        #expect(try await rig.installed(source).installed == "1.4.0")
        try await rig.need("rm '\(rig.root)/wheels/sampletool-1.6.0.tar.gz'")

        let missing = UpdateCandidate(version: "1.9.0", name: "1.9.0")
        #expect(try await rig.run(source.command(for: missing, isDefault: false)).status == .exited(1))
        #expect(try await rig.installed(source).installed == "1.4.0")
        try await rig.need("rm -r '\(rig.root)/wheels'")
        #expect(try await rig.findings(source).available == .nothing)

        // An index that nobody serves.
        var other = rig
        other.variables["PIP_NO_INDEX"] = .some(nil)
        other.variables["PIP_FIND_LINKS"] = .some(nil)
        other.variables["PIP_INDEX_URL"] = "http://127.0.0.1:1/simple"
        #expect(
            try await other.findings(source).available == .failed("could not be asked: the package index can't be reached"))

        // The update was killed after the old version was set aside, as pip does it.
        let site = try #require(
            PythonPackage.installed("sampletool", for: .init(file: path, interpreter: nil), SystemFiles()).first)
        try await rig.need("cd '\(site.site)' && mv sampletool-1.4.0.dist-info '~ampletool-1.4.0.dist-info'")
        let after = try await rig.installed(source)
        #expect(after.installed == nil)
        #expect(after.installedProblem == "has no sampletool in the program's environment")
    }
}

@Suite("Where pip may not install")
struct ManagedPythonTests {
    @Test(
        "A Python of the system has a marker",
        // Python is no part of every system.
        .enabled(if: ManagerRig.has("/usr/bin/python3")))
    func marker() throws {
        let name = try #require(SystemFiles().realPath("/usr/bin/python3")?.split(separator: "/").last)
        let isMarked = ManagerRig.has("/usr/lib/\(name)/EXTERNALLY-MANAGED")
        let path = "/usr/local/bin/notes"
        var found = Installation(source: "pip", package: "notes", path: path, file: path, interpreter: "/usr/bin/python3")
        #expect(UpdateSource.of(found, options: UpdateOptions(), environment: [:]).isExternallyManaged == isMarked)
        found.interpreter = "/nowhere/bin/python3"
        #expect(!UpdateSource.of(found, options: UpdateOptions(), environment: [:]).isExternallyManaged)
    }

    @Test func anEnvironmentOfItsOwnHasNone() throws {
        let folder = try TestFolder()
        try folder.write("", to: "venv/pyvenv.cfg")
        try FileManager.default.createDirectory(atPath: folder.path("venv/bin"), withIntermediateDirectories: true)
        let interpreter = folder.path("venv/bin/python3")
        try FileManager.default.createSymbolicLink(atPath: interpreter, withDestinationPath: "/usr/bin/python3")
        let path = folder.path("venv/bin/notes")
        let found = Installation(source: "pip", package: "notes", path: path, file: path, interpreter: interpreter)
        let source = UpdateSource.of(found, options: UpdateOptions(), environment: [:])
        #expect(!source.isExternallyManaged)
        #expect(source.isWritable)
    }
}

@Suite(
    "Updates with pipx",
    // pipx is no part of every system. Its own environment is made of the wheels that Debian keeps for venv.
    .enabled(if: ManagerRig.hasVenv && ManagerRig.has("/usr/bin/pipx", "/usr/share/python-wheels")))
struct PipxProof {
    private let rig: ManagerRig

    init() throws { rig = try .python() }

    @Test func anUpdateIsInstalledAndReadAgain() async throws {
        // pipx installs this one into its own environment, whose version nobody asks for.
        try await rig.publish("99", of: "wheel")
        try await rig.publish("1.4.0")
        try await rig.need("pipx install sampletool==1.4.0")
        let path = "\(rig.root)/bin/sampletool"
        let source = UpdateSource.of(path: path, options: UpdateOptions(), environment: rig.folder.environment(rig.variables))
        #expect(source.installation.source == "pipx")
        #expect(source.installation.package == "sampletool")
        #expect(source.installation.path == path)
        #expect(source.installation.file == "\(rig.root)/pipx/venvs/sampletool/bin/sampletool")
        let before = try await rig.findings(source)
        #expect(before.installed == "1.4.0")
        #expect(before.names == ["1.4.0"], "the version is not there yet")
        #expect(!before.isPinned)
        #expect(before.copies == [])
        try await rig.need(source.command(for: nil, isDefault: true))
        #expect(try await rig.installed(source).installed == "1.4.0", "a command that has nothing to do succeeds")

        try await rig.publish("1.5.0")
        let findings = try await rig.findings(source)
        #expect(findings.names == ["1.5.0", "1.4.0"])
        try await rig.need(source.command(for: findings.candidate("1.5.0"), isDefault: true))
        #expect(try await rig.installed(source).installed == "1.5.0")
        #expect(try await rig.run(path).standardOutput == "sampletool 1.5.0\n")

        try await rig.need(source.command(for: findings.candidate("1.4.0"), isDefault: false))
        #expect(try await rig.installed(source).installed == "1.4.0")
        let missing = UpdateCandidate(version: "1.9.0", name: "1.9.0")
        #expect(try await rig.run(source.command(for: missing, isDefault: false)).status != .exited(0))
        #expect(try await rig.installed(source).installed == "1.4.0")

        // pipx 1.6 and later keep a version that was pinned, and upgrade nothing.
        try await rig.need(
            "cd '\(rig.root)/pipx/venvs/sampletool' && sed -i 's/\"suffix\"/\"pinned\": true, &/' pipx_metadata.json")
        #expect(try await rig.installed(source).isPinned)
    }

    @Test("The questions for what can be had share one end, however many there are")
    func questionsShareAnEnd() async throws {
        var probe = UpdateProbe(environment: ProcessVariables(["PATH": "/usr/bin:/bin"]))
        probe.deadline = .now
        let asked = probe
        let run = try await onOwnThread { asked.run(["sleep", "1000"], .seconds(86_400)) }
        #expect(run.outcome == .late)
    }
}
