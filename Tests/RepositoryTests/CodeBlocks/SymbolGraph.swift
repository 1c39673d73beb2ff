import Foundation
import TestSupport

/// The public declarations of a module, as far as links need them.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        let pathComponents: [String]
        private let docComment: Comment?

        private struct Comment: Decodable {
            struct Line: Decodable { let text: String }
            let lines: [Line]
        }

        /// As links have it: `KillSwitch/close()`.
        var path: String { path(from: 0) }
        /// The text of the documentation; empty without one.
        var comment: String { docComment?.lines.map(\.text).joined(separator: "\n") ?? "" }

        func path(from index: Int) -> String { pathComponents[index...].joined(separator: "/") }
    }

    let symbols: [Symbol]

    /// The links to symbols in a text, such as `KillSwitch/close()`, without the kind of declaration that tells two of one name
    /// apart: `-swift.enum`.
    static func links(in text: String) -> [String] {
        text.matches(of: /(?:^|[^`])``([^`\n]+)``/).map { String($0.1.replacing(/-swift(\.\w+)+/, with: "")) }
    }

    /// The graphs of a module and of all modules that it exports: documentation has them as one.
    static func withExports(of module: String) async throws -> [SymbolGraph] {
        let folder = try TestFolder()
        let information = try await runCommand(Toolchain.tool("swiftc"), ["-print-target-info"])
        guard let triple = information.standardOutput.firstMatch(of: /"triple": *"([^"]+)"/)?.1 else {
            throw TestError("no target", detail: information.standardError)
        }
        let common = ["-target", String(triple), "-minimum-access-level", "public", "-output-dir", folder.url.path]
        for name in Documents.exports(of: module).union([module]) {
            let flags = try ["-module-name", name] + common + Toolchain.moduleFlags()
            let result = try await runCommand(Toolchain.tool("swift-symbolgraph-extract"), flags)
            guard result.status == .exited(0) else { throw TestError("no symbol graph of \(name)", detail: result.standardError) }
        }
        return try Repository.files(in: folder.url, ending: ".symbols.json").map {
            try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: $0))
        }
    }
}
