import Foundation
import TestSupport
import Testing

/// ARCHITECTURE.md and Package.swift match the sources.
@Suite struct ModuleTests {
    @Test func theMapOfModulesIsWhatTheSourcesImport() throws {
        var map: [String: Set<String>] = [:]
        let row = /\| (.+?) \| .* \| (.+?) \|/
        let text = try Repository.text("ARCHITECTURE.md")
        let table = try #require(text.range(of: "| module | what lives there | uses |"))
        for line in text[table.upperBound...].split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2) {
            guard let match = line.wholeMatch(of: row) else { break }
            for module in Self.names(match.1) { map[module] = Set(Self.names(match.2)) }
        }
        #expect(Set(map.keys) == Set(Repository.modules.keys))
        for (module, folder) in Repository.modules {
            let found = try Repository.imports(of: folder)
            #expect(map[module] == found, "\(module) imports \(found.sorted().joined(separator: ", "))")
        }
    }

    @Test func aTargetDependsOnWhatItImports() throws {
        let manifest = try Repository.text("Package.swift")
        for (module, folder) in Repository.modules {
            let start = try #require(
                manifest.range(of: #"arget(\#n            name: "\#(module)""#)
                    ?? manifest.range(of: #"arget(name: "\#(module)""#))
            let rest = manifest[start.upperBound...]
            let target = rest[..<(rest.firstRange(of: "arget(")?.lowerBound ?? rest.endIndex)]
            let list = target.firstRange(of: "dependencies: [").map { target[$0.upperBound...] } ?? ""
            let listed = Set(list.matches(of: /"(\w+)"/).map { String($0.1) }).intersection(Repository.modules.keys)
            #expect(listed == (try Repository.imports(of: folder)), "\(module)")
        }
    }

    @Test func aFolderHasAtMostFifteenFiles() throws {
        for (_, folder) in Repository.modules {
            let files = try Repository.files(in: folder, ending: ".swift")
            for (folder, files) in Dictionary(grouping: files, by: { $0.deletingLastPathComponent().path }) {
                #expect(files.count <= 15, "\(folder) has \(files.count)")
            }
        }
    }

    private static func names(_ cell: Substring) -> [String] {
        cell.matches(of: /`(\w+)`/).map { String($0.1) }
    }
}
