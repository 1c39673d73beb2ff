import Foundation
import Testing

/// Blocks are found with their lines, and nothing is missed.
@Suite struct CodeBlockReaderTests {
    private func blocks(_ lines: String...) throws -> [CodeBlock] {
        try CodeBlock.all(in: lines.joined(separator: "\n"), of: "a.md")
    }

    @Test func aBlockHasItsPlaceAndItsCode() throws {
        let found = try blocks("# A", "", "```swift", "let a = 1", "", "  b()", "```", "text", "```json", "{}", "```")
        #expect(
            found == [
                CodeBlock(document: "a.md", line: 3, language: "swift", code: "let a = 1\n\n  b()"),
                CodeBlock(document: "a.md", line: 9, language: "json", code: "{}"),
            ])
    }

    @Test("The indentation of a block in a list is taken from its code")
    func indentedBlock() throws {
        #expect(try blocks("- a", "  ```sh", "  ls \\", "    -l", " x", "  ```").map(\.code) == ["ls \\\n  -l\nx"])
    }

    @Test("A longer fence has a shorter one as text")
    func longFence() throws {
        #expect(try blocks("````text", "```swift", "```", "````").map(\.code) == ["```swift\n```"])
    }

    @Test func aCommentAboveABlockIsItsContext() throws {
        let found = try blocks("<!-- compiled with:", "import A", "let b = 1", "-->", "", "```swift", "c()", "```")
        #expect(found.map(\.context) == [CodeBlock.Context(line: 2, code: "import A\nlet b = 1")])
    }

    @Test(
        "A block without an end or with another beginning, and a context without a block, are errors",
        arguments: [
            (["a", "```swift", "b()"], 2), (["<!-- compiled with:", "b()"], 1),
            (["<!-- compiled with:", "b()", "-->", "text", "```swift", "```"], 1), (["", "<!-- compiled with:", "-->"], 2),
            (["<!-- compiled with:", "-->", "<!-- compiled with:", "-->", "```swift", "```"], 1),
            (["", "> ```swift"], 2), (["- ```swift"], 1), (["1. ```swift"], 1), (["~~~swift"], 1),
        ])
    func incomplete(lines: [String], line: Int) {
        #expect {
            try CodeBlock.all(in: lines.joined(separator: "\n"), of: "a.md")
        } throws: {
            ($0 as? CodeBlock.Complaint)?.line == line
        }
    }

    @Test func commentsOfASwiftFileHaveBlocks() throws {
        let comment = ["/// Does it.", "/// ```swift", "/// if a {", "///     b()", "/// }", "/// ```"]
        let source = (["import A", ""] + comment.map { "    " + $0 } + ["    func b() {}"]).joined(separator: "\n")
        let found = try CodeBlock.all(inCommentsOf: source, of: "a.swift")
        #expect(found == [CodeBlock(document: "a.swift", line: 4, language: "swift", code: "if a {\n    b()\n}")])
    }

    // MARK: Programs

    private func programs(_ codes: String..., catalog: String? = nil) -> [CodeProgram] {
        CodeProgram.all(
            of: codes.enumerated().map { CodeBlock(document: "a.md", line: $0, language: "swift", code: $1) }, catalog: catalog)
    }

    @Test("A block without an import continues the program above it")
    func continuation() {
        let found = programs("import A\na()", "b()", "// c\nimport C", "d()")
        #expect(found.map { $0.blocks.map(\.code) } == [["import A\na()", "b()"], ["// c\nimport C", "d()"]])
    }

    @Test("The first block gets the imports of its catalog, unless it has its own")
    func catalogImports() {
        #expect(programs("a()", "b()", catalog: "A").map(\.imports) == [["A", "Foundation"]])
        #expect(programs("import B", catalog: "A").map(\.imports) == [[]])
        #expect(programs("a()").map(\.imports) == [[]])
        #expect(Documents.catalog(of: "Sources/A/A.docc/B.md") == "A")
        #expect(Documents.catalog(of: "docs/a.md") == nil)
    }

    @Test("Other languages are in no program")
    func otherLanguages() {
        #expect(CodeProgram.all(of: [CodeBlock(document: "a.md", line: 1, language: "json", code: "")], catalog: nil).isEmpty)
    }

    @Test("An error names the document and the line, and a right program has none")
    func errorsHaveTheirPlace() async throws {
        let right = CodeBlock(
            document: "docs/a.md", line: 10, language: "swift", code: "import Bellerophon\nlet a = Stage.active")
        #expect(try await Toolchain.complaint(about: CodeProgram([right])) == nil)
        var wrong = right
        wrong.code += "\nlet b = a.renamed"
        let complaint = try #require(try await Toolchain.complaint(about: CodeProgram([wrong])))
        #expect(complaint.contains("docs/a.md:13:"))
    }

    @Test("A deprecated name is an error")
    func deprecatedNames() async throws {
        let code = "@available(*, deprecated) func former() {}\nfunc use() { former() }"
        let block = CodeBlock(document: "a.md", line: 1, language: "swift", code: code)
        #expect(try await Toolchain.complaint(about: CodeProgram([block]))?.contains("deprecated") == true)
    }

    @Test("What only the package can see is an error in a document")
    func packageAccess() async throws {
        let code = "import Bellerophon\nfunc tree(_ content: OverlayContent) { _ = content.tree }"
        let program = CodeProgram([CodeBlock(document: "a.md", line: 1, language: "swift", code: code)])
        #expect(try await Toolchain.complaint(about: program)?.contains("'tree' is inaccessible") == true)
    }

    @Test("Links to symbols are found, without the kind of a declaration; words in code are none")
    func symbolLinks() {
        let text = "``A`` and ``B/c(_:)``, `d`\n``E-swift.struct/F-swift.type.method``\n```swift\nd()\n```"
        #expect(SymbolGraph.links(in: text) == ["A", "B/c(_:)", "E/F"])
    }
}
