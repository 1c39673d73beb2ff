import Testing

/// Blocks of Swift that are compiled as one file.
struct CodeProgram: Sendable, CustomTestStringConvertible {
    private(set) var blocks: [CodeBlock]
    /// Modules that are imported although no line says so.
    var imports: [String] = []
    /// Code in front of all blocks, such as the declarations that the comments of a module take for granted.
    var prelude = ""
    /// Whether each block is the body of a function of its own.
    var isInFunctions = false

    init(_ blocks: [CodeBlock]) { self.blocks = blocks }

    /// The programs of a document.
    ///
    /// A block with an `import`, in its context or in itself, begins a program, and a block without one continues the program
    /// above it. If the first block has none, it gets the imports of its catalog.
    static func all(of blocks: [CodeBlock], catalog: String?) -> [CodeProgram] {
        var programs: [CodeProgram] = []
        for block in blocks where block.language == "swift" {
            if programs.isEmpty || block.hasImport {
                var program = CodeProgram([block])
                if !block.hasImport, let catalog { program.imports = [catalog, "Foundation"] }
                programs.append(program)
            } else {
                programs[programs.count - 1].blocks.append(block)
            }
        }
        return programs
    }

    var testDescription: String { blocks.first?.place ?? "no block" }

    /// The compiler's name for errors has the document and the line.
    var source: String {
        var parts = (imports.map { "import \($0)" } + [prelude]).filter { !$0.isEmpty }
        for (index, block) in blocks.enumerated() {
            if let context = block.context { parts.append(Self.located(context.code, block.document, context.line)) }
            if isInFunctions { parts.append("@MainActor func example\(index + 1)() async throws {") }
            parts.append(Self.located(block.code, block.document, block.line + 1))
            if isInFunctions { parts.append("}") }
        }
        return parts.joined(separator: "\n") + "\n"
    }

    /// Whether the file has no statements of its own. Global variables are then initialized when they are used.
    var isLibrary: Bool { source.contains(/(?m)^ *@(main|Test|Suite)\b/) || isInFunctions }

    /// The version of `swift-tools-version` in a package manifest; nil for other code.
    var toolsVersion: String? {
        guard source.contains(/(?m)^import PackageDescription$/) else { return nil }
        return source.firstMatch(of: /\/\/ swift-tools-version: ?([0-9.]+)/).map { String($0.1) } ?? ""
    }

    private static func located(_ code: String, _ document: String, _ line: Int) -> String {
        "#sourceLocation(file: \"\(document)\", line: \(line))\n\(code)\n#sourceLocation()"
    }
}

extension CodeBlock {
    var hasImport: Bool {
        [context?.code ?? "", code].contains { $0.contains(/(?m)^(@testable )?import \w+/) }
    }
}
