import BellerophonBase
import Foundation
import TestSupport

@testable import TerminalGuard

/// A folder that stands for the top of a file system, with a profile `psql` and the files that it names.
struct InstallRig: Sendable {
    private let home: TestFolder
    let root: String
    let folder: GuardFolder
    let name: GuardProfileName

    init() throws {
        home = try TestFolder()
        name = try GuardProfileName(validating: "psql")
        // The checks of a path begin at this folder, so it must not contain a symbolic link.
        root = home.url.resolvingSymlinksInPath().path
        folder = GuardFolder(root: root, owner: geteuid())
        for path in ["etc/bellerophon/guard.d", "usr/bin", "usr/local/bin", "opt/bin", "var/lib"] { try makeFolder(path) }
        try write("usr/bin/psql", "#!/bin/sh\n", mode: 0o755)
        try write("usr/bin/bellerophon", "#!/bin/sh\n", mode: 0o755)
        try writeProfile()
    }

    var bellerophon: AbsolutePath { get throws { try absolute("usr/bin/bellerophon") } }
    var profilePath: String { "etc/bellerophon/guard.d/psql.json" }
    let wrapperPath = "usr/local/bin/psql"

    func path(_ name: String) -> String { "\(root)/\(name)" }

    func absolute(_ name: String) throws -> AbsolutePath {
        guard let path = AbsolutePath(path(name)) else { throw TestError("no absolute path: \(name)") }
        return path
    }

    // MARK: Files

    /// Creates a folder and its parents with the mode 0755, whatever the umask is.
    func makeFolder(_ name: String) throws {
        var path = root
        for part in name.split(separator: "/") {
            path += "/\(part)"
            guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw FileError("make the folder", path) }
            try setMode(0o755, of: String(path.dropFirst(root.count + 1)))
        }
    }

    func write(_ name: String, _ text: String, mode: mode_t = 0o644) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
        try setMode(mode, of: name)
    }

    func setMode(_ mode: mode_t, of name: String) throws {
        guard chmod(path(name), mode) == 0 else { throw FileError("chmod", path(name)) }
    }

    func link(_ name: String, to target: String) throws {
        guard symlink(target, path(name)) == 0 else { throw FileError("link", path(name)) }
    }

    func remove(_ name: String) { unlink(path(name)) }

    func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    func mode(_ name: String) -> mode_t? {
        var facts = stat()
        return lstat(path(name), &facts) == 0 ? facts.st_mode & 0o7777 : nil
    }

    /// The names in a folder, with hidden ones.
    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
    }

    /// The paths of everything in the file system, with hidden files.
    func allNames() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: root).sorted() }

    // MARK: Profiles

    /// Writes a profile that names its program and wrapper in this folder.
    func writeProfile(
        _ name: String = "psql", program: String = "usr/bin/psql", wrapper: String = "usr/local/bin/psql", more: String = ""
    ) throws {
        let config = #""config": {"status": {"url": "https://status.example.com/status"}}"#
        try write(
            "etc/bellerophon/guard.d/\(name).json",
            #"{"program": "\#(path(program))", "wrapper": "\#(path(wrapper))", \#(config)\#(more)}"#)
    }

    // MARK: Installs

    /// An installer that accepts any settings of the kill switch.
    var installer: GuardInstaller { GuardInstaller(folder) { (_, _) throws(ConfigurationError) in } }

    /// An installer that writes wrappers in another way.
    func installer(_ writer: @escaping WrapperPlace.Writer) -> GuardInstaller {
        var changed = installer
        changed.writer = writer
        return changed
    }

    /// An installer whose disk is full.
    var installerOnAFullDisk: GuardInstaller {
        installer { (_, path, _) throws(FileError) in throw FileError("write", path, code: ENOSPC) }
    }

    @discardableResult
    func install(_ profile: String = "psql") throws -> GuardInstaller.Installation {
        try installer.install(GuardProfileName(validating: profile), bellerophon: bellerophon)
    }

    /// The error of an operation; nil if it succeeds.
    func failure(_ body: () throws -> Void) throws -> GuardInstallError? {
        do {
            try body()
            return nil
        } catch let error as GuardInstallError {
            return error
        }
    }

    /// The state of the profile `psql` for a shell that finds its wrapper first.
    func state(searching folders: [String] = ["usr/local/bin", "usr/bin"]) throws -> GuardProfileStatus.State? {
        try status(searching: folders).first { $0.name == name.text }?.state
    }

    func status(searching folders: [String] = ["usr/local/bin", "usr/bin"]) throws -> [GuardProfileStatus] {
        try installer.status(searchPath: folders.map(path).joined(separator: ":"))
    }
}
