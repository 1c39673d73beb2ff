import BellerophonBase
import Foundation
import TestSupport
import Testing

/// The code that readers copy from the documents.
///
/// Swift is compiled with the modules that the tests were built with; see ``CodeProgram/all(of:catalog:)`` for what belongs
/// together. A block that needs more than it shows has a comment directly above it:
/// ```
/// <!-- compiled with:
/// import BellerophonCurses
/// let url = URL(string: "https://status.example.com/status")!
/// -->
/// ```
@Suite("Code in documents") struct CodeBlockTests {
    @Test("Every block of Swift in the README and in the guide for programs compiles", arguments: try Documents.firstPrograms())
    func swiftCompiles(program: CodeProgram) async throws { try await expectCompiles(program) }

    @Test("Every block has a language that is checked, or that nothing can check")
    func everyLanguageIsKnown() throws {
        let checked = ["swift", "json", "sh"], unchecked = ["console", "text", "nginx"]
        let blocks = try Documents.blocks() + Documents.commentBlocks()
        for block in blocks { #expect((checked + unchecked).contains(block.language), "\(block.place)") }
        for language in checked { #expect(blocks.contains { $0.language == language }) }
        // A context in front of another block would have no effect.
        for block in blocks where block.language != "swift" { #expect(block.context == nil, "\(block.place)") }
    }

    @Test("Every block of JSON is one value")
    func jsonIsValid() throws {
        for block in try Documents.blocks() + Documents.commentBlocks() where block.language == "json" {
            #expect(throws: Never.self, "\(block.place)") { try JSONReader.read(Data(block.code.utf8)) }
        }
    }

    @Test("A shell can read every block of commands")
    func shellCanRead() async throws {
        for block in try Documents.blocks() where block.language == "sh" {
            let result = try await runCommand("/bin/sh", ["-n"], input: block.code + "\n")
            #expect(result.status == .exited(0), "\(block.place): \(result.standardError)")
        }
    }
}

/// The code of all other documents, which takes as long as everything above together.
@Suite("Code in all documents") struct CodeBlockProof {
    @Test("Every block of Swift in a document compiles", arguments: try Documents.furtherPrograms())
    func swiftCompiles(program: CodeProgram) async throws { try await expectCompiles(program) }

    @Test("Every block of Swift in a documentation comment compiles", arguments: try Documents.commentPrograms())
    func swiftOfCommentsCompiles(program: CodeProgram) async throws { try await expectCompiles(program) }
}

private func expectCompiles(_ program: CodeProgram) async throws {
    if program.toolsVersion == "" { Issue.record("\(program.testDescription): a manifest needs // swift-tools-version: 6.2") }
    let complaint = try await Toolchain.complaint(about: program)
    #expect(complaint == nil, "\(complaint ?? "")")
}
