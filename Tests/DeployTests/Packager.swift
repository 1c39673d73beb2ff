import Foundation
import TestSupport

/// Runs `Scripts/make-dist.py` on stand-ins: small programs that need the same libraries, and pass their arguments on to the
/// programs of the tests.
struct Packager {
    static let isThere =
        compiler != nil
        && ["python3", "dpkg-deb", "dpkg-shlibdeps", "objcopy", "readelf"].allSatisfy { Products.find($0) != nil }
    private static let compiler = Products.find("cc") ?? Products.find("clang")
    static let advice = "packages are written on Debian with python3, dpkg-dev, binutils and a C compiler"

    let folder: TestFolder
    private let products: String

    /// What SwiftPM has checked out for the build of these tests.
    static func resolved() throws -> Data {
        let program = URL(fileURLWithPath: try Products.path("bellerophon")).resolvingSymlinksInPath()
        let scratch = program.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: scratch.appendingPathComponent("workspace-state.json"))
    }

    /// - Parameter program: a shell script in place of the stand-ins.
    init(program: String? = nil) async throws {
        folder = try TestFolder()
        products = URL(fileURLWithPath: try Products.path("bellerophon")).deletingLastPathComponent().path
        try folder.write("sources", to: "sources.tar.gz")
        for (name, libraries) in [("bellerophon", ["-lncursesw", "-lcurl"]), ("bellerophon-server", ["-lsqlite3", "-lcurl"])] {
            if let program {
                // Another process writes the program. A child that this process starts meanwhile for another test would have a
                // copy of the open file, and a program that is open for writing can't be started.
                let text = try folder.write("#!/bin/sh\n\(program)\n", to: "\(name).sh")
                let target = folder.path("programs/\(name)")
                let made = try await runCommand("/usr/bin/env", ["install", "-D", "-m", "755", text, target], home: folder)
                guard made.status == .exited(0) else { throw TestError("no program", detail: made.standardError) }
            } else {
                try await compile(name, libraries)
            }
        }
    }

    private func compile(_ name: String, _ libraries: [String]) async throws {
        let source = try folder.write(
            """
            #include <unistd.h>
            int main(int count, char **arguments) { return execv(PROGRAM, arguments); }
            """, to: "programs/\(name).c")
        let result = try await runCommand(
            Self.compiler ?? "cc",
            [
                "-DPROGRAM=\"\(try Products.path(name))\"", "-Wl,--no-as-needed,--build-id", source, "-o",
                folder.path("programs/\(name)"),
            ]
                + libraries, home: folder)
        guard result.status == .exited(0) else { throw TestError("no stand-in", detail: result.standardError) }
    }

    /// Runs the script.
    /// - Parameter mask: the umask of the process.
    func run(into output: String, environment: [String: String?] = [:], mask: String = "022") async throws -> CommandResult {
        let script = repository.appendingPathComponent("Scripts/make-dist.py").path
        let changes = environment.merging(["SOURCE_DATE_EPOCH": "1700000000", "PYTHONDONTWRITEBYTECODE": "1"]) { $1 }
        return try await runCommand(
            "/bin/sh",
            [
                "-c", "umask \(mask) && exec \"$@\"", "sh", script, "--products", products, "--programs", folder.path("programs"),
                "--source", folder.path("sources.tar.gz"), "--release-url", "https://downloads.example.com/",
                "--output", folder.path(output),
            ], environment: changes, home: folder, within: .seconds(300))
    }

    func package(environment: [String: String?], mask: String = "022") async throws -> Packages {
        let output = "dist \(mask)"
        let result = try await run(into: output, environment: environment, mask: mask)
        guard result.status == .exited(0) else { throw TestError("nothing was packaged", detail: result.standardError) }
        return Packages(folder: folder, name: output)
    }

    /// No text in a package names a folder of this machine. The stand-ins do, in their code.
    func checkPaths(of packages: Packages) async throws {
        let trees = [try await packages.unpack("bellerophon"), try await packages.unpack("bellerophon-server")]
        let paths = [repository.path, folder.url.path, products]
        for place in trees.map(\.url) + [packages.url] {
            let files = FileManager.default.enumerator(at: place, includingPropertiesForKeys: [.isRegularFileKey])
            for case let file as URL in files ?? .init() {
                guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
                for path in paths where text.contains(path) { throw TestError("\(file.path) names \(path)") }
            }
        }
    }
}

/// A folder that `make dist` has written.
struct Packages {
    /// Keeps the folder.
    let folder: TestFolder
    let name: String

    var url: URL { folder.url.appendingPathComponent(name) }
    var machine: String {
        var facts = utsname()
        uname(&facts)
        return withUnsafeBytes(of: &facts.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    var archive: String { file { $0.hasSuffix("-linux-\(machine).tar.gz") } }
    var bill: String { file { $0.hasSuffix(".spdx.json") } }
    func deb(_ package: String) -> String { file { $0.hasPrefix(package + "_") && $0.hasSuffix(".deb") } }

    private func file(_ matches: (String) -> Bool) -> String {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).first(where: matches) ?? "missing"
    }

    func path(_ file: String) -> String { url.appendingPathComponent(file).path }
    func text(_ file: String) -> String? { folder.text("\(name)/\(file)") }
    func data(_ file: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(file)) }

    /// The lines of a command's output.
    func list(_ command: String, _ arguments: [String]) async throws -> [String] {
        let result = try await runCommand(Products.find(command) ?? command, arguments)
        guard result.status == .exited(0) else { throw TestError("\(command) failed", detail: result.standardError) }
        return result.standardOutput.split(separator: "\n").map(String.init)
    }

    /// Unpacks a Debian package with its control files.
    func unpack(_ package: String) async throws -> TestFolder {
        let tree = try TestFolder()
        _ = try await list("dpkg-deb", ["-R", path(deb(package)), tree.path("tree")])
        for entry in try FileManager.default.contentsOfDirectory(atPath: tree.path("tree")) {
            try FileManager.default.moveItem(atPath: tree.path("tree/\(entry)"), toPath: tree.path(entry))
        }
        return tree
    }
}
