import ArgumentParser
import BellerophonServer
import BellerophonStore
import Foundation

/// `bellerophon-server status`: shows the status that clients get.
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
    @Flag(help: "Show every app and channel that something was published for.")
    var all = false
    @OptionGroup var reply: ReplyOptions

    func run() async throws {
        let target = try await reply.target.open()
        if all {
            let reports = try await target.statuses(of: nil)
            return try reply.output.write(reports, reports.map { $0.text(at: Date()) }.joined(separator: "\n\n"))
        }
        let scope = try scope.scope()
        guard let report = try await target.status(scope) else {
            throw CommandError(
                "nothing was published for the app \(scope.app) yet", hint: "--all shows those there are",
                exitCode: SystemExit.noInput
            )
        }
        try reply.output.write(report, report.text(at: Date()))
    }
}
