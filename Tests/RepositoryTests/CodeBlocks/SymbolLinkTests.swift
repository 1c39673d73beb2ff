import Foundation
import TestSupport
import Testing

/// The catalogs link to declarations that exist.
@Suite struct SymbolLinkTests {
    /// A module's symbol graph, as far as links need it.
    private struct Graph: Decodable {
        struct Symbol: Decodable {
            let pathComponents: [String]
        }
        let symbols: [Symbol]
    }

    private static let catalogs = Repository.modules.filter {
        FileManager.default.fileExists(atPath: $0.value.appendingPathComponent("\($0.key).docc").path)
    }.keys.sorted()

    @Test("Every link to a symbol in a catalog leads to a public declaration of its module", arguments: catalogs)
    func everySymbolExists(module: String) async throws {
        let symbols = try await Self.publicSymbols(of: module)
        let folder = Repository.root.appendingPathComponent("Sources/\(module)/\(module).docc")
        var count = 0
        for document in try Repository.files(in: folder, ending: ".md") {
            for match in try String(contentsOf: document, encoding: .utf8).matches(of: /``([^`\n]+)``/) {
                count += 1
                let link = String(match.1)
                #expect(link == module || symbols.contains(link), "\(module).docc/\(document.lastPathComponent): \(link)")
            }
        }
        #expect(count > 3)
    }

    /// The paths of the public declarations of a module, as links have them: `KillSwitch/close()`.
    private static func publicSymbols(of module: String) async throws -> Set<String> {
        let folder = try TestFolder()
        let information = try await runCommand(Toolchain.tool("swiftc"), ["-print-target-info"])
        let triple = try #require(information.standardOutput.firstMatch(of: /"triple": *"([^"]+)"/)?.1)
        let flags = ["-module-name", module, "-target", String(triple), "-output-dir", folder.url.path]
        let result = try await runCommand(
            Toolchain.tool("swift-symbolgraph-extract"), flags + ["-minimum-access-level", "public"] + Toolchain.moduleFlags())
        guard result.status == .exited(0) else { throw TestError("no symbol graph of \(module)", detail: result.standardError) }
        let files = try Repository.files(in: folder.url, ending: ".symbols.json")
        let graphs = try files.map { try JSONDecoder().decode(Graph.self, from: Data(contentsOf: $0)) }
        return Set(graphs.flatMap(\.symbols).map { $0.pathComponents.joined(separator: "/") })
    }
}
