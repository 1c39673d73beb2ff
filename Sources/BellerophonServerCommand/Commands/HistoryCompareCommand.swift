import ArgumentParser
import BellerophonBase
import BellerophonStore
import Foundation

/// `bellerophon-server history compare`.
struct HistoryCompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Name the last row that several stores have in common, and what each has after it.",
        discussion: """
            For servers whose database was brought back from a backup: their copies and the database may have different rows \
            then. Nothing is changed.

            EXAMPLE
              bellerophon-server history compare /var/lib/bellerophon/copy b/copy postgresql://db.example.com/bellerophon
            """
    )

    @Argument(help: ArgumentHelp("The folders or the databases, at least two.", valueName: "place"), completion: .directory)
    var stores: [String]
    @OptionGroup var output: JSONOptions

    private struct Part: Encodable {
        let store: String
        let common: Int64?
        let after: [JournalEntry]
    }

    func run() async throws {
        guard stores.count > 1 else { throw CommandError.usage("history compare: name at least two stores") }
        let copies = FileManager.default.temporaryDirectory.appendingPathComponent("bellerophon-\(UUID().uuidString)")
        try FileCalls.makeFolder(copies)
        defer { try? FileManager.default.removeItem(at: copies) }
        var opened: [Store] = []
        for (number, text) in stores.enumerated() {
            // What a database has is read into a copy of its own.
            let copy = copies.appendingPathComponent("\(number)", isDirectory: true)
            opened.append(try await StoreLocation(text, copy: copy, content: nil).open(asItIs: true))
        }
        let comparison = try StoreComparison(opened)
        let names = stores.map { StoreLocation.isAddress($0) ? StoreLocation.withoutPassword($0) : $0 }
        if output.json {
            return try Output.write(
                json: zip(names, comparison.after).map { Part(store: $0, common: comparison.common?.id, after: $1) })
        }
        let common = comparison.common.map { "the last row that all have is #\($0.id), with the digest \($0.digest.prefix(16))" }
        try Output.write(common ?? "they have no row in common")
        for (name, rows) in zip(names, comparison.after) {
            try Output.write("\n" + Output.line(rows.isEmpty ? "\(name) has no row after it" : "\(name) has after it:"))
            guard !rows.isEmpty else { continue }
            try Output.write(TextTable.text(HistoryListCommand.titles, rows.map(HistoryListCommand.cells)))
        }
    }
}
