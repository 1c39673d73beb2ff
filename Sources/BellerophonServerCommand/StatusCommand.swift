#if Server
import ArgumentParser
import BellerophonStore
import Foundation

/// `bellerophon-server status`: what clients are told.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what clients are told, since when, by whom and why.",
        discussion: """
            Against a server it works without a token, and then says neither who nor why.

            EXAMPLES
              bellerophon-server status --all
              bellerophon-server status --app notes --json | jq -r .state
            """
    )

    @OptionGroup var scope: ScopeOptions
    @Flag(name: .long, help: "Show every app and channel that something was published for.")
    var all = false
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: JSONOptions

    func run() async throws {
        try await reportingFailures {
            let target = try target.open()
            if all { return try await showAll(target) }
            let scope = try scope.scope()
            guard let report = try await target.status(scope) else {
                throw CommandFailure(
                    "nothing was published for the app \(scope.app) yet", hint: "--all shows those there are",
                    exitCode: SystemExit.noInput
                )
            }
            try output.json ? Output.write(json: report) : Output.write(report.text(at: Date()))
        }
    }

    private func showAll(_ target: any OperatorTarget) async throws {
        var reports: [StatusReport] = []
        for scope in try await target.scopes() {
            if let report = try await target.status(scope) { reports.append(report) }
        }
        if output.json { return try Output.write(json: reports) }
        try Output.write(reports.map { $0.text(at: Date()) }.joined(separator: "\n\n"))
    }
}

/// `bellerophon-server history`: who did what, when and why.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show who did what, when and why; the newest first.",
        discussion: """
            EXAMPLES
              bellerophon-server history --limit 20
              bellerophon-server history --app notes --channel beta --json
            """
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
            guard JournalFilter.limits.contains(limit) else { throw CommandFailure.usage("--limit: expected 1 to 1000, found \(limit)") }
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
#endif
