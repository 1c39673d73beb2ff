import Foundation
import TestSupport

/// The documents with code for readers.
enum Documents {
    /// The paths of the README, of all guides, and of the documents beside the sources, below the repository.
    static func paths() throws -> [String] {
        let folders = ["docs", "Sources", "deploy", "Benchmarks", "Tests"]
        let files = try folders.flatMap { try Repository.files(in: Repository.root.appendingPathComponent($0), ending: ".md") }
        let paths = files.map { path(of: $0) }.filter { !$0.contains("/.build/") }
        return ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "CHANGELOG.md"] + paths.sorted()
    }

    static func blocks() throws -> [CodeBlock] { try blocksOfPaths.get() }

    private static let blocksOfPaths = Result { try paths().flatMap { try CodeBlock.all(in: Repository.text($0), of: $0) } }

    /// The documents with which somebody adds the package to a program.
    private static let first = ["README.md", "docs/embedding.md"]

    /// The programs in the documents that somebody reads first.
    static func firstPrograms() throws -> [CodeProgram] { try programs(first) }

    /// The programs in all other documents.
    static func furtherPrograms() throws -> [CodeProgram] { try programs(paths().filter { !first.contains($0) }) }

    private static func programs(_ paths: [String]) throws -> [CodeProgram] {
        try paths.flatMap { path in
            try CodeProgram.all(of: CodeBlock.all(in: Repository.text(path), of: path), catalog: catalog(of: path))
        }
    }

    /// The programs in the documentation comments of what apps can import: one for each module, with each block in a function.
    static func commentPrograms() throws -> [CodeProgram] {
        try libraries().compactMap { module in
            let blocks = try commentBlocks(of: module).filter { $0.language == "swift" }
            guard !blocks.isEmpty else { return nil }
            var program = CodeProgram(blocks)
            program.imports = [module, "Foundation"]
            program.prelude = preludes[module] ?? ""
            program.isInFunctions = true
            return program
        }
    }

    /// The blocks in the documentation comments of what apps can import.
    static func commentBlocks() throws -> [CodeBlock] { try blocksOfComments.get() }

    private static let blocksOfComments = Result { try libraries().flatMap { try commentBlocks(of: $0) } }

    private static func commentBlocks(of module: String) throws -> [CodeBlock] {
        let files = try Repository.files(in: Repository.root.appendingPathComponent("Sources/\(module)"), ending: ".swift")
        return try files.sorted { $0.path < $1.path }.flatMap { file in
            try CodeBlock.all(inCommentsOf: String(contentsOf: file, encoding: .utf8), of: path(of: file))
        }
    }

    /// The library products, and the modules that they export.
    private static func libraries() throws -> [String] {
        let manifest = try Repository.text("Package.swift")
        let products = manifest.matches(of: /\.library\(name: "(\w+)"/).map { String($0.1) }
        return Set(products + products.flatMap { exports(of: $0) }).sorted()
    }

    /// The modules that a module exports, and those that they export.
    static func exports(of module: String) -> Set<String> {
        let text = (try? Repository.text("Sources/\(module)/Exports.swift")) ?? ""
        let names = text.matches(of: /@_exported public import (\w+)/).map { String($0.1) }
        return names.reduce(into: Set(names)) { $0.formUnion(exports(of: $1)) }
    }

    /// What the comments of a module use without declaring it: a comment shows a few lines, and is no place for more.
    private static let preludes = [
        "Barricade": """
        #if canImport(FoundationNetworking)
        import FoundationNetworking
        #endif
        let statusURL = URL(string: "https://status.example.com/status")!
        let live = Response("live", json: ["apiInactive": false]), killed = Response("killed", json: ["apiInactive": true])
        """,
        "Bellerophon": """
        actor Job { func run() throws {}; func save() {} }
        struct Journal: Sendable { func save() {} }
        let url = URL(string: "https://status.example.com/status")!
        let job = Job(), journal = Journal()
        func convert(_ line: String) -> String { line }
        """,
        "BellerophonCurses": """
        import CNcurses
        @MainActor protocol App { func handle(_ key: Key); func draw(); func serveSockets() }
        @MainActor var app: any App { fatalError() }
        @MainActor var window: CursesOverlayWindow { fatalError() }
        let frame = Frame(Size(columns: 80, rows: 24))
        """,
        // It has no product: an app gets it with this module.
        "BellerophonViews": "import BellerophonCurses",
        "CloudBox": """
        struct Texts: Decodable, Sendable {}
        func draw(_ texts: Texts) {}
        let folder = URL(fileURLWithPath: "/tmp"), server = URL(string: "https://content.example.com")!
        let shipped = folder
        nonisolated(unsafe) var configuration = CloudBoxConfiguration(folder: folder, servers: [server])
        let box = CloudBoxClient(configuration)
        """,
    ]

    private static func path(of file: URL) -> String { String(file.path.dropFirst(Repository.root.path.count + 1)) }

    /// The module of the catalog that a document is in; nil outside of catalogs.
    static func catalog(of path: String) -> String? {
        path.firstMatch(of: /\/(\w+)\.docc\//).map { String($0.1) }
    }
}
