import ArgumentParser
import Dashboard
import ProgramKit
import ScenarioKit

/// `bellerophon run`: the dashboard against a real server.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Watch a status endpoint, and be covered by its kill and update views.",
        discussion: """
            Opens the dashboard and asks the status endpoint again and again. When the status says so, the kill \
            view or the update view covers the screen until the status clears. Every key is on the help page (?).

            A blocked status is remembered: a restart goes on where a kill left off (--forget turns that off).

            With --plain, and where there is no terminal, every change, link and action is a line in place of a screen.

            EXAMPLES
              bellerophon run --config config.json
              bellerophon run --status-url http://127.0.0.1:8080/status --interval 5
              bellerophon run --status-url URL --journal journal.jsonl --record outage.json
            """
    )

    @OptionGroup var watching: WatchingOptions
    @OptionGroup var display: DisplayOptions
    @OptionGroup var taping: TapeOptions

    func run() throws {
        var setup = try watching.setup(display: display)
        do {
            setup.tape = try reportingProblems {
                try taping.open(
                    "bellerophon run", setup.configuration.display,
                    others: [watching.journaling.journal, watching.recording.record])
            }
        } catch {
            // Removes the empty file that reserved the recording's name.
            setup.recorder?.finish()
            throw error
        }
        try DashboardLauncher.run(setup)
    }
}
