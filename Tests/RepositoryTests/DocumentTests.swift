import Foundation
import TestSupport
import Testing

/// What the documents refer to is there.
@Suite struct DocumentTests {
    private static let documents: [URL] = {
        let manager = FileManager.default
        let folders = ["", "docs", "docs/decisions", "deploy", "Benchmarks"].map { Repository.root.appendingPathComponent($0) }
        return folders.flatMap { folder in
            ((try? manager.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".md") }
                .map { folder.appendingPathComponent($0) }
        }
    }()

    @Test func everyRelativeLinkLeadsSomewhere() throws {
        #expect(Self.documents.count > 10)
        for document in Self.documents {
            let text = try String(contentsOf: document, encoding: .utf8)
            for match in text.matches(of: /\]\(([^)\s]+)\)/) {
                let parts = match.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard let path = parts.first, !path.contains("://"), !path.hasPrefix("mailto:") else { continue }
                let target = path.isEmpty ? document : document.deletingLastPathComponent().appendingPathComponent(path)
                let isThere = FileManager.default.fileExists(atPath: target.path)
                #expect(isThere, "\(document.lastPathComponent): \(match.1)")
                guard isThere, parts.count == 2, target.pathExtension == "md" else { continue }
                #expect(try Self.anchors(target).contains(parts[1]), "\(document.lastPathComponent): \(match.1)")
            }
        }
    }

    /// The anchors that GitHub makes of a document's headings.
    private static func anchors(_ document: URL) throws -> Set<String> {
        let text = try String(contentsOf: document, encoding: .utf8)
        return Set(
            text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
                let title = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
                return String(
                    title.compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : nil })
            })
    }
}
