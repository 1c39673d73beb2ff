import BellerophonBase
import Foundation
import StatusModel
import TestSupport
import Testing

/// The targets of the documents' references exist.
@Suite struct DocumentTests {
    private static let documents: [URL] = {
        let folders = ["", "docs", "docs/decisions", "deploy", "Benchmarks", "Contract"].map {
            Repository.root.appendingPathComponent($0)
        }
        return (folders + Repository.modules.values + [Repository.root.appendingPathComponent("Tests/FaultTests")])
            .flatMap { folder in
                ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".md") }
                    .map { folder.appendingPathComponent($0) }
            }
    }()

    /// The documents about the code: they name its files.
    private static let guides = documents.filter {
        let folder = $0.deletingLastPathComponent().path
        return ["ARCHITECTURE.md", "CONTRIBUTING.md"].contains($0.lastPathComponent)
            || folder.hasPrefix(Repository.root.path + "/Sources/")
            || folder.hasSuffix("/Tests/FaultTests")
    }

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

    /// A name without a folder is that of a file below the document's folder, or else anywhere in the repository.
    @Test("Every file and folder that a guide to the code names in backticks exists")
    func everyPathInBackticksExists() throws {
        let top = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
        let names = Set(
            try ["Sources", "Tests", "Scripts", "docs", "deploy", "Examples"].flatMap {
                try Repository.files(in: Repository.root.appendingPathComponent($0), ending: "").map(\.lastPathComponent)
            })
        var count = 0
        for guide in Self.guides {
            for match in try String(contentsOf: guide, encoding: .utf8).matches(of: /`([\w.+\/-]+)`/) {
                let path = String(match.1)
                let local = guide.deletingLastPathComponent().appendingPathComponent(path).path
                if FileManager.default.fileExists(atPath: local) {
                    count += 1
                } else if let folder = path.split(separator: "/").first.map(String.init), path.contains("/"), top.contains(folder)
                {
                    count += 1
                    let isThere = FileManager.default.fileExists(atPath: Repository.root.appendingPathComponent(path).path)
                    #expect(isThere, "\(guide.path): \(path)")
                } else if path.contains(/^[\w+-]+\.(swift|c|h|py|sh|json|css|js|html)$/) {
                    count += 1
                    #expect(names.contains(path), "\(guide.path): \(path)")
                }
            }
        }
        #expect(count > 50)
    }

    @Test("The architecture is short enough to be read: 15 KB")
    func theArchitectureIsShort() throws {
        #expect(try Repository.text("ARCHITECTURE.md").utf8.count <= 15_000)
    }

    @Test("The README describes every optional field of the status document", arguments: StatusField.allCases)
    func everyFieldIsDescribed(field: StatusField) throws {
        let rows = try Repository.text("README.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.contains { $0.split(separator: "|")[0].contains("`\(field.documentName)`") })
    }

    /// The guide to an app's own view shows the built example: both of its files contain every line of their blocks.
    @Test func theGuideToViewsShowsItsExample() throws {
        let path = "Sources/BellerophonCurses/BellerophonCurses.docc/DrawYourOwnView.md"
        let blocks = try CodeBlock.all(in: Repository.text(path), of: path).map(\.code)
        let view = try #require(blocks.firstIndex { $0.contains("class ClosedView") })
        try Self.expectLines(of: blocks[view] + "\n" + blocks[view + 1], in: "Examples/OwnView/ClosedView.swift")
        let sign = try #require(blocks.first { $0.hasPrefix("struct Sign") })
        try Self.expectLines(of: sign, in: "Examples/OwnView/Sign.swift")
    }

    /// A file contains every line of a sample, in the same order, whatever its comments are.
    private static func expectLines(of sample: String, in path: String) throws {
        var rest = try Repository.text(path).split(separator: "\n").map { withoutComment($0) }[...]
        for line in sample.split(separator: "\n").map({ withoutComment($0) }) {
            let found = rest.firstIndex(of: line)
            #expect(found != nil, "not in \(path), or in another order: \(line)")
            rest = found.map { rest[($0 + 1)...] } ?? rest
        }
    }

    @Test("The latest release in the changelog is the version of the package")
    func changelogMatchesVersion() throws {
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
