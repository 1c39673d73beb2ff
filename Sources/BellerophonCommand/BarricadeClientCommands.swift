import ArgumentParser
import Barricade
import ScenarioKit

extension BarricadeCommands {
    struct Client: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "client",
            abstract: "Change what the simulated app says of itself.",
            discussion: """
                The status is decided again at once for the changed app. Without options it prints what the app is, and the \
                time.

                EXAMPLES
                  bellerophon barricade client --app-version 1.5.2 --fact os=macos
                  bellerophon barricade client --forget version
                """
        )

        @OptionGroup var options: ControlOptions

        @Option(name: .long, help: ArgumentHelp("The installed version.", valueName: "version"))
        var appVersion: String?

        @Option(name: .long, help: ArgumentHelp("The version of the operating system.", valueName: "version"))
        var osVersion: String?

        @Option(
            name: .long,
            help: ArgumentHelp("The id that decides to which shares the installation belongs.", valueName: "text"))
        var installID: String?

        @Option(name: .long, help: ArgumentHelp("Another fact. This option can be repeated.", valueName: "name=value"))
        var fact: [String] = []

        @Option(
            name: .long,
            help: ArgumentHelp(
                "What the app does not know any more: version, osVersion, installID, or the name of a fact.", valueName: "name"),
            completion: .list(["version", "osVersion", "installID", "os", "arch", "ci", "terminal", "source"]))
        var forget: [String] = []

        @Flag(name: .long, help: "Make the app and the time the real ones again.")
        var real = false

        func run() throws {
            try options.ask(try wanted(), text: ControlText.world)
        }

        private func wanted() throws -> ControlRequest {
            var change = ClientChange(
                version: appVersion.map { .known($0) }, osVersion: osVersion.map { .known($0) },
                installID: installID.map { .known($0) })
            for text in fact {
                guard let split = text.firstIndex(of: "="), split > text.startIndex else {
                    throw ValidationError("--fact: expected name=value, found \(text)")
                }
                let (name, value) = (String(text[..<split]), String(text[text.index(after: split)...]))
                // As for the flags of other commands, this is no fact like the others.
                if name == "osVersion" { change.osVersion = .known(value) } else { change.facts[name] = .known(value) }
            }
            change.forget(forget)
            if real, !change.isEmpty { throw ValidationError("give --real without other changes") }
            if real { return .tell(.resetClient) }
            return change.isEmpty ? .status : .tell(.client(change))
        }
    }

    struct Time: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "time",
            abstract: "Move the time of the simulated server and the app.",
            discussion: """
                The time goes on from there. A step forward is like a machine that has slept. After a step back the app knows no \
                time until the next reply, as after its start.

                EXAMPLES
                  bellerophon barricade time +2h
                  bellerophon barricade time 2026-12-05T21:55:00Z
                  bellerophon barricade time next
                """
        )

        @OptionGroup var options: ControlOptions

        @Argument(
            parsing: .allUnrecognized,
            help: "A step such as +2h, -30m, +1d or +90s; a time in UTC; or next, for the next change that a rule causes.",
            completion: .list(["next", "+1m", "+1h", "+1d"]))
        var step: [String]

        func run() throws {
            try options.ask(try wanted(), text: ControlText.world)
        }

        private func wanted() throws -> ControlRequest {
            guard step.count == 1, let step = TimeStep(step[0]) else {
                throw ValidationError("expected \(TimeStep.forms), found \(step.joined(separator: " "))")
            }
            return step.request
        }
    }
}
