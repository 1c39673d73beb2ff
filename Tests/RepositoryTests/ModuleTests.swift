import Foundation
import TestSupport
import Testing

/// ARCHITECTURE.md and Package.swift match the sources.
@Suite struct ModuleTests {
    @Test("The map has a row for every module, below the modules that it uses")
    func theMapIsComplete() throws {
        let text = try Repository.text("ARCHITECTURE.md")
        let table = try #require(text.range(of: "| module | what lives there |"))
        let rows = text[table.upperBound...].split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
            .prefix { $0.hasPrefix("|") }
        let modules = rows.compactMap { $0.firstMatch(of: /\| `(\w+)` \|/).map { String($0.1) } }
        #expect(modules.count == Set(modules).count)
        #expect(Set(modules) == Set(Repository.modules.keys))
        for (index, module) in modules.enumerated() {
            guard let folder = Repository.modules[module] else { continue }
            let above = Set(modules[..<index])
            #expect(try Repository.imports(of: folder).subtracting(above).isEmpty, "\(module)")
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
}
