import ArgumentParser
import Bellerophon
import Foundation
import ProgramKit
import TerminalUI

/// `bellerophon check`: makes one check, without a terminal.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the status once, for scripts and CI.",
        discussion: """
            Prints the stage, the message, the interval, the reason and what rules announce, and says the stage by its exit code:

               0  live             the program may run
              10  paused           apiInactive is true, or a rule pauses this app
              11  update required  forceUpdate is true and the app is below requiredVersion, or a rule; it outranks a pause
              12  unknown          unreachable, no status document, or not signed by a trusted key
              64  usage            a flag or the configuration is wrong

            EXAMPLES
              bellerophon check http://127.0.0.1:8080/status
              bellerophon check URL --json | jq -r .stage
            """
    )

    @OptionGroup var address: AddressArgument
    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var language: LanguageOptions

    @Flag(name: .long, help: "Print one JSON object instead of text.")
    var json = false

    func run() throws {
        let (configuration, url) = try reportingProblems {
            var (configuration, url) = try address.applied(to: options).resolveWithStatusURL(for: .asking)
            try language.apply(to: &configuration)
            return (configuration, url)
        }
        let result = StatusFetch.results(of: [configuration.source(at: url)])[0]
        let store = configuration.remembersStatus ? StateFile.store(for: url, trust: configuration.trust) : nil
        let app = configuration.app.appFacts(keptIn: store)
        // What programs read has the default message.
        let languages = json ? LanguagePreference([]) : configuration.display.language ?? .current
        let report = CheckReport(result, policy: configuration.policy, app: app, languages: languages, at: Date())
        StandardOutput.print(json ? report.json : report.text)
        if report.exitCode != 0 { throw ExitCode(report.exitCode) }
    }
}
