import ArgumentParser
import Bellerophon
import BellerophonBase
import Foundation
import ProgramKit

/// `bellerophon preview`: says what a status means for a client at a time, and why.
struct PreviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Say what a status and its rules mean for a client, at any time.",
        discussion: """
            Prints the stage and why, what is shown, when that changes next, and every rule with its state and the reason. \
            Without --this-machine nothing is taken from this machine: a fact of the client that no flag gives is not known, \
            and a rule that asks for it does not match. Times are in UTC.

            With --matrix it prints tables of all versions and times, cut wherever a rule compares one. Facts that rules ask \
            for are cut too; equal tables are one. What a flag gives is not cut.

            The exit code is that of check:

               0  active           the client may run; with --matrix always
              10  paused
              11  update required
              12  unknown          unreachable, no status document, or not signed by a trusted key
              64  usage            a flag, the configuration or the file is wrong

            EXAMPLES
              bellerophon preview --status rules.json --app-version 1.4.0 --fact os=linux --at 2026-12-15T00:00:00Z
              bellerophon preview --status rules.json --matrix
              bellerophon preview --status https://status.example.com/status --matrix --json
            """
    )

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The status document: a JSON file, or an http or https address; - reads standard input.", valueName: "file-or-url"),
        completion: .file(extensions: ["json", "jws"]))
    var status: String

    @OptionGroup var client: ClientOptions

    @Option(name: .long, help: ArgumentHelp("The time to decide for, as ISO 8601 in UTC. Default: now.", valueName: "time"))
    var at: String?

    @Flag(name: .long, help: "Print tables of all versions and times in place of one client and one time.")
    var matrix = false

    @Flag(name: .long, help: "Print one JSON object instead of text.")
    var json = false

    @OptionGroup var request: RequestOptions

    func run() throws {
        let (facts, time, result, policy) = try reportingProblems {
            let (facts, time) = (try client.facts(), try ClientOptions.time(at))
            let (result, configuration) = try StatusOrigin.fetch(status, request)
            return (facts, time, result, configuration.policy)
        }
        // Without a time, what check says of the same reply.
        let now = Date()
        guard case .success(let reply) = time == nil ? result.withEarly(for: facts, at: now) : result else {
            let report = CheckReport(result, policy: policy, app: facts, at: now)
            StandardOutput.print(json ? report.json : report.text)
            throw ExitCode(report.exitCode)
        }
        if matrix {
            let matrix = RuleMatrix(reply.document, .init(facts: facts, time: time))
            return StandardOutput.print(json ? JSONText.sanitized(encoding: matrix) ?? "" : MatrixText(matrix).text)
        }
        let report = PreviewReport(reply.document, client: facts, at: time ?? reply.planDate(at: now))
        StandardOutput.print(json ? report.json : report.text)
        if report.stage != .active { throw ExitCode(report.stage.exitCode) }
    }
}
