import Foundation
import TestSupport

/// The compiler that has built the tests, and what it has built.
enum Toolchain {
    /// The folder with the tools of the toolchain whose standard library the tests run on, else of the one on `PATH`: another
    /// compiler can't read the modules.
    private static func tools() throws -> URL {
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        if let library = maps.firstMatch(of: /(?m)(\/\S+)\/lib\/swift\/linux\/libswiftCore\.so$/) {
            let tools = URL(fileURLWithPath: "\(library.1)/bin")
            if FileManager.default.isExecutableFile(atPath: tools.appendingPathComponent("swiftc").path) { return tools }
        }
        guard let found = Products.find("swiftc") else { throw TestError("swiftc is not on PATH") }
        return URL(fileURLWithPath: found).resolvingSymlinksInPath().deletingLastPathComponent()
    }

    /// The path of a tool of the toolchain.
    static func tool(_ name: String) throws -> String { try tools().appendingPathComponent(name).path }

    /// The flags with which the modules of this package can be imported, Swift's and C's.
    static func moduleFlags() throws -> [String] {
        let products = try Products.folder()
        let targets = try FileManager.default.contentsOfDirectory(atPath: products.path).filter { $0.hasSuffix(".build") }
            .sorted()
        let maps = targets.map { products.appendingPathComponent("\($0)/module.modulemap").path }
            .filter { FileManager.default.fileExists(atPath: $0) }
        return ["-I", products.appendingPathComponent("Modules").path]
            + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
            + ["-module-cache-path", products.appendingPathComponent("ModuleCache").path]
    }

    /// Type-checks a program.
    /// - Returns: what the compiler says against it; nil if it compiles without a deprecated name.
    static func complaint(about program: CodeProgram) async throws -> String? {
        let folder = try TestFolder()
        let file = try folder.write(program.source, to: "Example.swift")
        var flags = [
            "-typecheck", file, "-module-name", "Example", "-swift-version", "6", "-Werror", "DeprecatedDeclaration",
            "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "MemberImportVisibility",
        ]
        if program.isLibrary { flags.append("-parse-as-library") }
        if let version = program.toolsVersion {
            let manifests = try tools().deletingLastPathComponent().appendingPathComponent("lib/swift/pm/ManifestAPI")
            flags += ["-I", manifests.path, "-package-description-version", version]
        } else {
            flags += try moduleFlags()
        }
        let result = try await runCommand(tool("swiftc"), flags, home: folder)
        return result.status == .exited(0) ? nil : result.standardOutput + result.standardError
    }
}
