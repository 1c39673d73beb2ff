import BellerophonBase
import Foundation
import TestSupport
import Testing

/// What `make dist` writes, with small programs in place of the large ones.
@Suite(.enabled(if: Packager.isThere, "\(Packager.advice)"))
struct DistTests {
    @Test func packagesAreCompleteAndTheSameEveryTime() async throws {
        let packager = try await Packager()
        let packages = try await packager.package(environment: ["TZ": "UTC"])
        try Self.checkSums(of: packages)
        try await Self.checkArchive(packages)
        try await Self.checkClient(packages)
        try await Self.checkServer(packages)
        try Self.checkBill(packages)
        try await Self.checkFormula(packages)
        try await packager.checkPaths(of: packages)

        let again = try await packager.package(environment: ["TZ": "Asia/Tokyo"], mask: "077")
        #expect(again.text("SHA256SUMS") == packages.text("SHA256SUMS"))
    }

    @Test func anotherVersionIsNotPackaged() async throws {
        let packager = try await Packager(program: "echo 0.0.9")
        let result = try await packager.run(into: "dist")
        #expect(result.status == .exited(1))
        #expect(result.standardError.contains("says that its version is 0.0.9"), "\(result.standardError)")
        #expect(packager.folder.text("dist/SHA256SUMS") == nil)
    }

    @Test func uninstallNamesWhatInstallWrites() async throws {
        let packager = try await Packager()
        let script = repository.appendingPathComponent("Scripts/install-files.sh").path
        for name in ["bellerophon", "bellerophon-server"] {
            let target = packager.folder.url.appendingPathComponent("target of \(name)")
            let installed = try await runCommand(
                script, ["install", name, packager.folder.path("programs/\(name)"), target.path], home: packager.folder)
            #expect(installed.status == .exited(0), "\(installed.standardError)")
            let listed = try await runCommand(script, ["list", name], home: packager.folder)
            let files = try #require(FileManager.default.enumerator(atPath: target.path)).compactMap { $0 as? String }
                .filter { !target.appendingPathComponent($0).hasDirectoryPath }
            let names = Set(listed.standardOutput.split(separator: "\n").map(String.init))
            #expect(names == Set(files.filter { file in !files.contains { $0.hasPrefix(file + "/") } }))
        }
    }

    private static func checkSums(of packages: Packages) throws {
        let lines = try #require(packages.text("SHA256SUMS")).split(separator: "\n").map {
            $0.suffix(from: $0.index($0.startIndex, offsetBy: 66))
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: packages.url.path).filter { $0 != "SHA256SUMS" }
        #expect(lines.map(String.init) == files.sorted())
    }

    private static func checkArchive(_ packages: Packages) async throws {
        let listed = try await packages.list("tar", ["-tvzf", packages.path(packages.archive)])
        let folder = "bellerophon-\(PackageVersion.text)-linux-\(packages.machine)"
        for file in [
            "INSTALL", "bin/bellerophon", "bin/bellerophon-server", "share/man/man1/bellerophon.1.gz",
            "share/man/man1/bellerophon-server.1.gz", "share/bash-completion/completions/bellerophon",
            "share/zsh/site-functions/_bellerophon-server", "share/fish/vendor_completions.d/bellerophon.fish",
            "share/doc/bellerophon/LICENSE", "share/doc/bellerophon/THIRD-PARTY.txt", "share/doc/bellerophon/CHANGELOG.md",
            "share/doc/bellerophon/docs/program.md", "share/doc/bellerophon/config.example.json",
            "share/doc/bellerophon/deploy/README.md", "share/doc/bellerophon/deploy/bellerophon-server.socket",
        ] {
            #expect(listed.contains { $0.hasSuffix(" \(folder)/\(file)") }, "\(file)")
        }
        #expect(listed.allSatisfy { $0.contains(" 0/0 ") })
        for line in listed where line.hasSuffix("/bin/bellerophon") { #expect(line.hasPrefix("-rwxr-xr-x ")) }
        // What the container takes from the unpacked archive.
        for line in try DeployFolder.text("Containerfile").split(separator: "\n") where line.hasPrefix("COPY ") {
            for file in line.split(separator: " ").dropFirst().dropLast() {
                #expect(listed.contains { $0.hasSuffix(" \(folder)/\(file)") }, "\(file)")
            }
        }
    }

    private static func checkClient(_ packages: Packages) async throws {
        let control = try await packages.list("dpkg-deb", ["-f", packages.path(packages.deb("bellerophon"))])
        #expect(control.contains("Version: \(PackageVersion.text)-1"))
        let depends = try #require(control.first { $0.hasPrefix("Depends: ") })
        for library in ["libc6 (>= ", "libcurl", "libncursesw6"] { #expect(depends.contains(library), "\(depends)") }
        let listed = try await packages.list("dpkg-deb", ["-c", packages.path(packages.deb("bellerophon"))])
        #expect(listed.allSatisfy { $0.contains(" root/root ") })
        for file in [
            "usr/bin/bellerophon", "usr/share/man/man1/bellerophon.1.gz", "usr/share/zsh/vendor-completions/_bellerophon",
            "usr/share/doc/bellerophon/copyright", "usr/share/doc/bellerophon/changelog.Debian.gz",
            "usr/share/doc/bellerophon/THIRD-PARTY.txt.gz",
        ] {
            #expect(listed.contains { $0.hasSuffix(" ./\(file)") }, "\(file)")
        }
        #expect(!listed.contains { $0.contains("/systemd/") })
    }

    private static func checkServer(_ packages: Packages) async throws {
        let tree = try await packages.unpack("bellerophon-server")
        let control = try #require(tree.text("DEBIAN/control"))
        #expect(control.contains("libsqlite3-0"), "\(control)")
        #expect(control.contains("systemd | systemd-standalone-sysusers | systemd-sysusers"))
        #expect(tree.text("DEBIAN/conffiles") == "/etc/bellerophon/server.config.json")
        let unit = try #require(tree.text("usr/lib/systemd/system/bellerophon-server.service"))
        #expect(unit.contains("\nExecStart=/usr/bin/bellerophon-server serve --config /etc/bellerophon/server.config.json\n"))
        #expect(!unit.contains("/usr/local"))
        #expect(tree.text("usr/lib/systemd/system/bellerophon-server.socket") != nil)
        #expect(tree.text("usr/lib/sysusers.d/bellerophon-server.conf")?.contains("u bellerophon ") == true)
        let copyright = try #require(tree.text("usr/share/doc/bellerophon-server/copyright"))
        for part in ["\nFiles: swift-nio/*\n", "\nLicense: Apache-2.0\n", "\nLicense: Unicode-3.0\n", "Swift project authors"] {
            #expect(copyright.contains(part), "\(part)")
        }
        for script in ["postinst", "prerm", "postrm"] {
            let checked = try await runCommand("/bin/sh", ["-n", tree.path("DEBIAN/\(script)")], home: tree)
            #expect(checked.status == .exited(0), "\(checked.standardError)")
        }
        // The settings that a first installation starts with.
        let settings = try await runCommand(
            "bellerophon-server",
            ["serve", "--config", tree.path("etc/bellerophon/server.config.json"), "--store", tree.path("missing")], home: tree)
        #expect(settings.standardError.contains("missing"), "\(settings.standardError)")
    }

    private static func checkBill(_ packages: Packages) throws {
        struct Bill: Decodable {
            struct Package: Decodable {
                let SPDXID: String, name: String, versionInfo: String, licenseConcluded: String, downloadLocation: String
            }
            struct Relationship: Decodable { let spdxElementId: String, relationshipType: String, relatedSpdxElement: String }
            let spdxVersion: String, dataLicense: String, documentNamespace: String
            let packages: [Package], relationships: [Relationship]
        }
        struct Resolved: Decodable {
            struct Object: Decodable { let dependencies: [Package] }
            struct Package: Decodable {
                struct Reference: Decodable { let location: String }
                struct State: Decodable { let checkoutState: Checkout }
                struct Checkout: Decodable { let version: String }
                let packageRef: Reference, state: State
            }
            let object: Object
        }
        let bill = try JSONDecoder().decode(Bill.self, from: packages.data(packages.bill))
        #expect(bill.spdxVersion == "SPDX-2.3")
        #expect(bill.dataLicense == "CC0-1.0")
        let resolved = try JSONDecoder().decode(Resolved.self, from: Packager.resolved())
        #expect(!resolved.object.dependencies.isEmpty)
        for entry in resolved.object.dependencies {
            let location = entry.packageRef.location
            let package = bill.packages.first { $0.downloadLocation.contains(location.replacing(".git", with: "") + "@") }
            #expect(package?.versionInfo == entry.state.checkoutState.version, "\(location)")
            #expect(["MIT", "Apache-2.0", "Apache-2.0 WITH Swift-exception"].contains(package?.licenseConcluded), "\(location)")
        }
        let linked = { (program: String, kind: String) in
            Set(
                bill.relationships.filter { $0.spdxElementId == "SPDXRef-Program-\(program)" && $0.relationshipType == kind }
                    .map(\.relatedSpdxElement))
        }
        #expect(
            linked("bellerophon", "STATIC_LINK") == [
                "SPDXRef-Swift-swift-argument-parser", "SPDXRef-Swift-swift", "SPDXRef-Swift-swift-foundation-icu",
            ])
        #expect(
            linked("bellerophon-server", "STATIC_LINK").isSuperset(of: ["SPDXRef-Swift-swift-nio", "SPDXRef-Swift-GRDB.swift"]))
        #expect(linked("bellerophon-server", "DYNAMIC_LINK").contains("SPDXRef-Debian-libsqlite3-0"))
        let known = Set(bill.packages.map(\.SPDXID))
        #expect(known.count == bill.packages.count)
        #expect(bill.relationships.allSatisfy { known.contains($0.relatedSpdxElement) })
    }

    private static func checkFormula(_ packages: Packages) async throws {
        let formula = try #require(packages.text("bellerophon.rb"))
        let source = "bellerophon-\(PackageVersion.text).tar.gz"
        #expect(formula.contains("url \"https://downloads.example.com/\(source)\""))
        #expect(
            try #require(packages.text("SHA256SUMS")).contains(
                try #require(formula.firstMatch(of: /sha256 "([0-9a-f]{64})"/)).1 + "  " + source))
        let named = formula.matches(of: /"((?:docs\/|config)[^"]+)"/)
        #expect(!named.isEmpty)
        for match in named {
            let file = repository.appendingPathComponent(String(match.1)).path
            #expect(FileManager.default.fileExists(atPath: file), "\(match.1)")
        }
        guard let ruby = Products.find("ruby") else { return }
        let checked = try await runCommand(ruby, ["-c", packages.path("bellerophon.rb")])
        #expect(checked.status == .exited(0), "\(checked.standardError)")
    }
}

/// The container file of `deploy/`, as text: no engine runs in the tests.
@Suite struct ContainerTests {
    @Test func theContainerRunsAsSomebodyElseThanRoot() throws {
        let text = try DeployFolder.text("Containerfile")
        let user = try #require(text.firstMatch(of: /\nUSER ([0-9]+):[0-9]+\n/)).1
        #expect(text.contains("useradd --uid \(user) "))
        #expect(text.contains("\nVOLUME /var/lib/bellerophon\n"))
        #expect(text.contains("BELLEROPHON_SERVER_STORE=/var/lib/bellerophon"))
        #expect(text.contains("\nSTOPSIGNAL SIGTERM\n"))
        let port = try #require(text.firstMatch(of: /BELLEROPHON_SERVER_PORT=([0-9]+)/)).1
        #expect(text.contains("\nEXPOSE \(port)\n"))
        #expect(text.contains("http://127.0.0.1:\(port)"))
        let settings = try DeployFolder.text("../docs/server.md")
        for match in text.matches(of: /(BELLEROPHON_SERVER_[A-Z_]+)=/) { #expect(settings.contains("`\(match.1)`")) }
    }

    @Test func theCommandsOfTheContainerExist() async throws {
        let text = try DeployFolder.text("Containerfile")
        #expect(text.contains("\nENTRYPOINT [\"bellerophon-server\"]\n"))
        #expect(text.contains("\nCMD [\"serve\"]\n"))
        let check = try #require(text.firstMatch(of: /\n +CMD \["bellerophon-server", (.*)\]\n/)).1
        let words = check.matches(of: /"([^"]+)"/).map { String($0.1) }
        let help = try await runCommand("bellerophon-server", [words[0], "--help"])
        for flag in words where flag.hasPrefix("--") {
            #expect(help.standardOutput.contains(flag + " ") || help.standardOutput.contains(flag + "\n"))
        }
    }

    @Test func theGuideNamesEveryFile() throws {
        let guide = try DeployFolder.text("README.md")
        let folder = repository.appendingPathComponent("deploy").path
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file != "README.md" {
            #expect(guide.contains("(\(file))"), "\(file)")
        }
    }
}
