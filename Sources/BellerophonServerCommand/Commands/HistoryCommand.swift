import ArgumentParser
import BellerophonBase
import BellerophonServer
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
              bellerophon-server history --since 2h --follow
              bellerophon-server history --app notes --channel beta --json
              bellerophon-server history export > journal.jsonl
              bellerophon-server history verify --head DIGEST
            """,
        subcommands: [HistoryListCommand.self, HistoryExportCommand.self, HistoryVerifyCommand.self, HistoryCompareCommand.self],
        defaultSubcommand: HistoryListCommand.self
    )
}

/// The options that select rows of the journal.
struct HistoryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only this app.", valueName: "name"))
    var app: String?
    @Option(help: ArgumentHelp("Only this channel.", valueName: "name"))
    var channel: String?
    @Option(help: ArgumentHelp("Only this resource.", valueName: "name"))
    var resource: String?
    @Option(
        help: ArgumentHelp(
            "Only rows from this time on.",
            discussion: "A time in UTC such as 2026-11-21 or 2026-11-21T14:02, or a length such as 2h.",
            valueName: "time"))
    var since: String?
    @Flag(help: "Wait for further rows, and print each as it comes, until Control-C.")
    var follow = false

    func filter() throws -> JournalFilter {
        _ = try Scope(app: app ?? Scope.defaultApp, channel: channel ?? Scope.mainChannel)
        return JournalFilter(
            app: app, channel: channel, resource: resource, since: try since.map { try Self.time($0, now: Date()) },
            limit: JournalFilter.limits.upperBound)
    }

    static func time(_ text: String, now: Date) throws -> Date {
        // A number without a unit is a year.
        if text.contains(where: \.isLetter), let length = Duration(written: text) {
            return now.addingTimeInterval(-Double(length.components.seconds))
        }
        // A shorter form is the beginning of a complete one.
        let start = text.hasSuffix("Z") ? String(text.dropLast()) : text
        for form in [text, start + "0000-01-01T00:00:00".dropFirst(start.count) + "Z"] {
            if let time = try? Date(form, strategy: .iso8601) { return time }
        }
        throw CommandError.usage(
            "--since: expected a time such as 2026-11-21T14:02 or a length such as 2h, found \(JSONText.quoted(text))")
    }
}

extension OperatorTarget {
    /// Passes on all rows of the journal after one, the oldest first, page by page.
    /// - Parameter follows: whether to wait for further rows, without end. A failure that may pass is named once.
    func readJournal(
        _ filter: JournalFilter, after row: Int64, follows: Bool, _ work: (JournalEntry) throws -> Void
    ) async throws {
        var (filter, isFailing) = (filter, false)
        filter.after = row
        while true {
            do {
                let rows = try await journal(filter)
                isFailing = false
                for row in rows {
                    try work(row)
                    filter.after = row.id
                }
                if rows.count == filter.limit { continue }
                guard follows else { return }
            } catch let failure as CommandError
                where follows && [SystemExit.temporary, SystemExit.unavailable].contains(failure.exitCode)
            {
                if !isFailing { Output.writeError("bellerophon-server: \(Output.line("\(failure)")); trying again") }
                isFailing = true
            }
            try await Task.sleep(for: .seconds(1))
        }
    }
}

/// `bellerophon-server history list`, the default of `history`.
struct HistoryListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show who did what, when and why; the newest first, or with --follow the newest last."
    )

    @OptionGroup var selection: HistoryOptions
    @Option(help: ArgumentHelp("Rows, 1 to 1000. Default: 50, and with --since all.", valueName: "count"))
    var limit: Int?
    @OptionGroup var reply: ReplyOptions

    func run() async throws {
        if let limit, !JournalFilter.limits.contains(limit) {
            throw CommandError.usage("--limit: expected 1 to 1000, found \(limit)")
        }
        let target = try await reply.target.open()
        // Of the rows that come in between, none is missed.
        let newest = selection.follow ? try await target.journal(JournalFilter(limit: 1)).first?.id : nil
        let rows = try await rows(of: target)
        guard selection.follow else {
            return try reply.output.write(rows, Self.titles, none: "no rows", cells: Self.cells)
        }
        // Each row is on its own, since the widths of later ones are unknown.
        func show(_ row: JournalEntry) throws {
            try reply.output.write(row, Output.line(Self.cells(row).joined(separator: "  ")))
        }
        for row in rows.reversed() { try show(row) }
        var filter = try selection.filter()
        // Further rows are new also if the clock was set back.
        filter.since = nil
        try await target.readJournal(filter, after: rows.first?.id ?? newest ?? 0, follows: true, show)
    }

    /// Newest first.
    private func rows(of target: OperatorTarget) async throws -> [JournalEntry] {
        var filter = try selection.filter()
        let count = limit ?? (filter.since == nil ? 50 : Int.max)
        var found: [JournalEntry] = []
        while found.count < count {
            filter.limit = min(count - found.count, JournalFilter.limits.upperBound)
            let page = try await target.journal(filter)
            found += page
            guard page.count == filter.limit, let last = page.last else { break }
            filter.before = last.id
        }
        return found
    }

    static let titles = ["ROW", "TIME", "WHO", "WHAT", "SCOPE", "WHY"]

    static func cells(_ row: JournalEntry) -> [String] {
        [
            "#\(row.id)", TimeText.text(row.at), row.who + (row.proposedBy.map { ", proposed by \($0)" } ?? ""), what(row),
            subject(row), row.reason ?? "-",
        ]
    }

    private static func what(_ row: JournalEntry) -> String {
        if let unread = row.unread { return "\(row.action) (\(unread))" }
        if let subject = row.subject {
            return "\(row.action) \(row.proposal.map { "#\($0)" } ?? String(subject.split(separator: " ").last ?? ""))"
        }
        if row.breakGlass == true { return "\(row.action), alone (break glass)" }
        if let change = row.plan?.change { return "\(row.action) \(change.text)" }
        if row.action == JournalEntry.phaseAction { return row.action }
        if let end = row.ownEnd { return "\(row.action) for \(DurationText.text(.seconds(end.timeIntervalSince(row.at))))" }
        if let from = row.fromVersion { return "\(row.action) to v\(from)" }
        return row.action
    }

    private static func subject(_ row: JournalEntry) -> String {
        if let scope = row.subjectScope { return scope.description }
        if let name = row.resource { return row.version.map { "\(name) v\($0)" } ?? name }
        return row.token.map { "token \($0)" } ?? "-"
    }
}

/// `bellerophon-server history export`.
struct HistoryExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print the journal as JSON, a row on each line, the oldest first.",
        discussion: """
            For an archive, or for a system that collects logs. Each row has its digest, so that what was exported shows later \
            whether the journal was changed.

            EXAMPLE
              bellerophon-server history export --after 4711 --follow | logger -t bellerophon
            """
    )

    @OptionGroup var selection: HistoryOptions
    @Option(help: ArgumentHelp("Only rows newer than this one.", valueName: "row"))
    var after: Int64 = 0
    @OptionGroup var target: TargetOptions

    func run() async throws {
        guard after >= 0 else { throw CommandError.usage("--after: expected the number of a row, found \(after)") }
        try await target.open().readJournal(try selection.filter(), after: after, follows: selection.follow) {
            try Output.write(json: $0)
        }
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
            """
    )

    @Option(help: ArgumentHelp("A digest that was the newest row's once, in full.", valueName: "digest"))
    var head: String?
    @OptionGroup var storing: StoreOptions
    @OptionGroup var output: JSONOptions

    func run() async throws {
        if let head, head.utf8.count != 64 || !head.allSatisfy(\.isHexDigit) {
            throw CommandError.usage("--head: expected 64 hexadecimal digits, found \(JSONText.quoted(head))")
        }
        let report = try await storing.open().verifyChain(expected: head)
        let newest = report.newest.flatMap { row in report.head.map { "\(report.rows) rows\nhead #\(row) \($0)" } }
        try output.write(report, newest ?? "the journal has no rows")
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
