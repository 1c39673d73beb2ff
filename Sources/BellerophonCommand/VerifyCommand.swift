import ArgumentParser
import Barricade
import Bellerophon
import BellerophonBase
import Foundation
import ProgramKit
import ScenarioKit

/// `bellerophon verify`: plays a timeline without a terminal and compares the result with the file's expectations.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Play a timeline at full speed and compare what it leads to with what its file expects.",
        discussion: """
            Plays a timeline of a scenario file headless: no terminal, no network, no real time, so that an outage of \
            two hours takes a moment. The changes of state that a person would see are compared with the timeline's \
            "expect". The same file always gives the same result: jitter is half of its maximum, and a step without \
            a duration ends after its first reply.

               0  as expected
               1  not as expected; the difference is printed, a line for each change
              64  usage, a broken file, or a timeline that expects nothing

            EXAMPLES
              bellerophon verify --scenarios outage.json --play maintenance
              bellerophon verify --scenarios outage.json --json | jq .asExpected
            """
    )

    @Option(name: .long, help: ArgumentHelp("The scenario file.", valueName: "file"), completion: .file(extensions: ["json"]))
    var scenarios: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The timeline to play.", discussion: "Default: every timeline that expects something.", valueName: "name"),
        completion: Completions.timelines)
    var play: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Seconds between checks while nothing is wrong.", discussion: "Default: the status's own retryInterval.",
            valueName: "seconds"))
    var interval: String?

    @Flag(name: .long, help: "Print one JSON object for each timeline instead of text.")
    var json = false

    /// The largest scenario file in bytes. A recording with the largest bodies is smaller.
    private static let sizeLimit = 64 << 20

    func run() throws {
        let verifications = try reportingProblems {
            var configuration = ProgramKit.Configuration()
            if let interval { try configuration.apply(flag: "status.interval", text: interval) }
            let file = try ScenarioFile(json: ConfigurationFile.read(scenarios, limit: Self.sizeLimit), file: scenarios)
            return try timelines(of: file).map { try verify($0, of: file, configuration) }
        }
        for verification in verifications { StandardOutput.print(json ? verification.json : verification.text) }
        if let silent = verifications.first(where: { !$0.isClaimed }) { throw Self.nothingExpected(silent, scenarios) }
        guard verifications.allSatisfy(\.isAsExpected) else { throw ExitCode(1) }
    }

    private func timelines(of file: ScenarioFile) throws -> [Timeline] {
        if let play {
            if let timeline = file.timeline(play) { return [timeline] }
            let error = BarricadeError.unknownTimeline(play, known: file.timelines.map(\.name))
            throw ConfigurationError(origin: scenarios, error.description)
        }
        let timelines = file.timelines.filter { !$0.expectations.isEmpty }
        guard timelines.isEmpty else { return timelines }
        throw ConfigurationError(origin: scenarios, "no timeline has an \"expect\" to compare with; name one with --play")
    }

    private func verify(
        _ timeline: Timeline, of file: ScenarioFile, _ configuration: ProgramKit.Configuration
    ) throws -> TimelineVerification {
        let folder = URL(fileURLWithPath: scenarios).deletingLastPathComponent()
        do {
            let run = try MainActor.assumeIsolated {
                try TimelineRun(
                    timeline, of: file, folder: folder, policy: configuration.policy, timeout: configuration.timeout
                )
            }
            return TimelineVerification(timeline, run)
        } catch let error as BarricadeError {
            throw ConfigurationError(origin: scenarios, "\(error)")
        }
    }

    /// Reports a timeline without expectations. A comparison with no expectations would accept any result.
    private static func nothingExpected(_ verification: TimelineVerification, _ file: String) -> ExitCode {
        StandardError.print(
            """
            bellerophon: \(file): the timeline "\(verification.timeline.name)" expects nothing. If what it led to is right, add:
            \(verification.expectation)
            """
        )
        return ExitCode(64)
    }
}
