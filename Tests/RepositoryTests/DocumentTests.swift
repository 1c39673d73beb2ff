import BellerophonBase
import Foundation
import StatusModel
import TestSupport
import Testing

/// The targets of the documents' references exist.
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

    @Test("The README describes every optional field of the status document", arguments: StatusField.allCases)
    func everyFieldIsDescribed(field: StatusField) throws {
        let rows = try Repository.text("README.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.contains { $0.split(separator: "|")[0].contains("`\(field.documentName)`") })
    }

    /// The quick start matches the built example: the example contains every line of it, in the same order.
    @Test func theQuickStartCompiles() throws {
        let readme = try Repository.text("README.md")
        let sample = try #require(
            readme.components(separatedBy: "## Quick start").last?.firstMatch(of: /```swift\n(?<code>[^`]+)```/)?.code)
        let example = try Repository.text("Examples/QuickStart/main.swift").split(separator: "\n").map { Self.withoutComment($0) }
        var rest = example[...]
        for line in sample.split(separator: "\n").map({ Self.withoutComment($0) }) {
            let found = rest.firstIndex(of: line)
            #expect(found != nil, "not in the example, or in another order: \(line)")
            rest = found.map { rest[($0 + 1)...] } ?? rest
        }
    }

    @Test func theChangelogBeginsWithTheVersionOfThePackage() throws {
        let changelog = try Repository.text("CHANGELOG.md")
        let released = try #require(changelog.firstMatch(of: /\n## \[(?<version>[0-9]+\.[0-9]+\.[0-9]+)\] - [0-9-]{10}\n/))
        #expect(released.version == PackageVersion.text)
    }

    private static func withoutComment(_ line: Substring) -> String {
        line.components(separatedBy: "//")[0].trimmingCharacters(in: .whitespaces)
    }

    /// The anchors that GitHub generates for a document's headings.
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
