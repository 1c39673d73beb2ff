import Foundation
import TestSupport
import Testing

/// The documentation of the libraries links to declarations that exist.
@Suite struct SymbolLinkTests {
    private static let catalogs = Repository.modules.filter {
        FileManager.default.fileExists(atPath: $0.value.appendingPathComponent("\($0.key).docc").path)
    }.keys.sorted()

    /// The compiler writes the declarations of a module only once for both kinds of link.
    @Test(
        "Every link in a catalog and in the documentation of a public declaration leads to a public declaration",
        arguments: catalogs)
    func everySymbolExists(module: String) async throws {
        let symbols = try await SymbolGraph.withExports(of: module).flatMap(\.symbols)
        try expectLinksOfCatalog(of: module, in: symbols)
        expectLinksOfComments(in: symbols)
    }

    /// They lead to declarations of the module or of one that it exports.
    private func expectLinksOfCatalog(of module: String, in symbols: [SymbolGraph.Symbol]) throws {
        let paths = Set(symbols.map(\.path))
        let folder = Repository.root.appendingPathComponent("Sources/\(module)/\(module).docc")
        var count = 0
        for document in try Repository.files(in: folder, ending: ".md") {
            for link in SymbolGraph.links(in: try String(contentsOf: document, encoding: .utf8)) {
                count += 1
                let isFound = link == module || paths.contains(link)
                #expect(isFound, "\(module).docc/\(document.lastPathComponent): \(link)")
            }
        }
        #expect(count > 3)
    }

    /// A link begins at the declaration that is documented, or at one around it; it is enough that its end is found.
    private func expectLinksOfComments(in symbols: [SymbolGraph.Symbol]) {
        let ends = Set(symbols.flatMap { symbol in symbol.pathComponents.indices.map { symbol.path(from: $0) } })
        var count = 0
        for symbol in symbols {
            for link in SymbolGraph.links(in: symbol.comment) {
                count += 1
                let isFound = ends.contains(link)
                #expect(isFound, "\(symbol.path): \(link)")
            }
        }
        #expect(count > 3)
    }
}
