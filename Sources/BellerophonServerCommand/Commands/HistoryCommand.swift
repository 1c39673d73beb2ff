#if Server
import ArgumentParser
import BellerophonBase
import BellerophonStore
import Foundation

/// `bellerophon-server history`: shows who did what, when and why.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show who did what, when and why; the newest first.",
        discussion: """
            Each row has a digest of itself and of the row before it: `history verify` says whether any was changed since.

            EXAMPLES
              bellerophon-server history --limit 20
              bellerophon-server history --app notes --channel beta --json
              bellerophon-server history verify --head DIGEST
            """,
        subcommands: [HistoryListCommand.self, HistoryVerifyCommand.self],
        defaultSubcommand: HistoryListCommand.self
    )
}

/// `bellerophon-server history list`, the default of `history`.
struct HistoryListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show who did what, when and why; the newest first."
    )

    @Option(name: .long, help: ArgumentHelp("Only this app.", valueName: "name"))
    var app: String?
    @Option(name: .long, help: ArgumentHelp("Only this channel.", valueName: "name"))
    var channel: String?
    @Option(name: .long, help: ArgumentHelp("Only this resource.", valueName: "name"))
    var resource: String?
    @Option(name: .long, help: ArgumentHelp("Rows, 1 to 1000.", valueName: "count"))
    var limit = 50
    @Option(name: .long, help: ArgumentHelp("Only rows older than this one.", valueName: "row"))
    var before: Int64?
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: JSONOptions

    func run() async throws {
        try await reportingFailures {
            guard JournalFilter.limits.contains(limit) else {
                throw CommandError.usage("--limit: expected 1 to 1000, found \(limit)")
            }
            _ = try Scope(app: app ?? Scope.defaultApp, channel: channel ?? Scope.mainChannel)
            let filter = JournalFilter(app: app, channel: channel, resource: resource, before: before, limit: limit)
            let rows = try await target.open().journal(filter)
            if output.json { return try Output.write(json: rows) }
            guard !rows.isEmpty else { return Output.note("no rows") }
            try Output.write(Self.table(rows).text)
        }
    }

    private static func table(_ rows: [JournalEntry]) -> TextTable {
        var table = TextTable("ROW", "TIME", "WHO", "WHAT", "SCOPE", "WHY")
        for row in rows {
            table.append([
                "#\(row.id)", TimeText.text(row.at), row.who, what(row), subject(row), row.reason ?? "-",
            ])
        }
        return table
    }

    private static func what(_ row: JournalEntry) -> String {
        if let end = row.endsAt { return "\(row.action) for \(DurationText.text(.seconds(end.timeIntervalSince(row.at))))" }
        if let from = row.fromVersion { return "\(row.action) to v\(from)" }
        return row.action
    }

    private static func subject(_ row: JournalEntry) -> String {
        if let scope = row.scope { return scope.description }
        if let name = row.resource { return row.version.map { "\(name) v\($0)" } ?? name }
        return row.token.map { "token \($0)" } ?? "-"
    }
}

/// `bellerophon-server history verify`.
struct HistoryVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Say whether any row of the journal was changed, added or removed.",
        discussion: """
            A program that can write the store can also recompute the digests. Keep the head elsewhere, such as in the \
            server's log, which has it for every publish: with --head, a journal that does not contain it is reported.

            EXAMPLE
              bellerophon-server history verify --head 9f86d081884c7d65…
            """
    )

    @Option(name: .long, help: ArgumentHelp("A digest that was the newest row's once, in full.", valueName: "digest"))
    var head: String?
    @OptionGroup var storing: StoreOptions
    @OptionGroup var output: JSONOptions

    func run() async throws {
        try await reportingFailures {
            if let head, head.utf8.count != 64 || !head.allSatisfy(\.isHexDigit) {
                throw CommandError.usage("--head: expected 64 hexadecimal digits, found \(JSONText.quoted(head))")
            }
            let report = try storing.open().verifyChain(expected: head)
            if output.json { try Output.write(json: report) } else { try Output.write(Self.text(report)) }
            try check(report)
        }
    }

    private static func text(_ report: ChainReport) -> String {
        guard let newest = report.newest else { return "the journal has no rows" }
        guard let first = report.firstChained, let head = report.head else {
            return "\(report.rows) rows, none with a digest: they are older than the digests"
        }
        let older = first > 1 ? "; what is older has no digest" : ""
        return "\(report.rows) rows, chained from #\(first)\(older)\nhead #\(newest) \(head)"
    }

    private func check(_ report: ChainReport) throws {
        if let problem = report.problem {
            throw CommandError("row #\(problem.row): \(problem.what)", exitCode: SystemExit.dataError)
        }
        guard let head else { return }
        guard let row = report.expectedRow else {
            throw CommandError(
                "no row has the digest \(head)", hint: "the journal is another one, or rows up to that one were changed",
                exitCode: SystemExit.dataError
            )
        }
        if !output.json { try Output.write("nothing up to row #\(row) was changed since that was the head") }
    }
}
#endif
