import ArgumentParser
import Bellerophon
import Dashboard
import ProgramKit

/// `bellerophon watch`: reports every change of a status, without a screen.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Report every change of the status in a line, for logs and scripts.",
        discussion: """
            Checks the status as `bellerophon run` does, and prints a line for every change, link and warning, until a signal \
            ends it. With --json each line is a JSON object: start, transition, plan, message, failure, recovery, stream, \
            warning and end, with the names of the journal.

            EXAMPLES
              bellerophon watch --status-url URL
              bellerophon watch --status-url URL --json | jq -r 'select(.event == "transition") | .to'
            """
    )

    @OptionGroup var watching: WatchingOptions
    @OptionGroup var language: LanguageOptions

    @Flag(name: .long, help: "Print one JSON object on each line in place of text.")
    var json = false

    func run() throws {
        var setup = try watching.setup(display: nil, language: language)
        // What programs read has the default message.
        if json { setup.configuration.display.language = LanguagePreference([]) }
        try PlainLauncher.run(setup, json ? .json : .text, linesFrom: nil)
    }
}
