import ArgumentParser
import Bellerophon
import BellerophonBase
import Foundation
import ScenarioKit

/// `bellerophon barricade`: drives the simulated server of a running demonstration.
struct BarricadeCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "barricade",
        abstract: "Drive the simulated server of a running demo or guard, from a script.",
        discussion: """
            Speaks to a running `bellerophon demo`, or to a `bellerophon guard` with a simulated server, through a socket \
            that only its owner reaches. When several run, --pid says which.

            The reply comes when the check has ended that the command has caused, after two seconds at most, so that its \
            stage is the one after the command. --wait also waits for a stage.

            Exits 0 when it is done; 1 when no such program runs, it can't be reached, or the stage does not come in time; \
            64 when a name is unknown, a number is out of range, or several run and none is chosen.

            EXAMPLES
              bellerophon barricade play "planned maintenance"
              bellerophon barricade speed 10
              bellerophon barricade select status paused --wait paused --timeout 5s
              bellerophon barricade client --app-version 1.5.2 --fact os=macos
              bellerophon barricade time +2h
              bellerophon barricade status --json
            """,
        subcommands: [
            Status.self, Select.self, Play.self, Pause.self, Step.self, Jump.self, Speed.self, Reset.self, Client.self, Time.self,
        ]
    )
}

/// Selects the running demo and the output format.
struct ControlOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The demo in this process, when several run.", valueName: "number"))
    var pid: Int32?

    @Option(
        name: .long, help: ArgumentHelp("The demo behind this socket, wherever it is.", valueName: "path"), completion: .file())
    var socket: String?

    @Flag(name: .long, help: "Print one JSON object in place of text.")
    var json = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Wait until the app has this stage: live, paused, update or unknown.", valueName: "stage"))
    var wait: Stage?

    @Option(
        name: .long, help: ArgumentHelp("How long to wait for the stage.", discussion: "Default: 5.", valueName: "seconds"),
        transform: Duration.init(validating:))
    var timeout: Duration?

    func ask(_ request: @autoclosure () throws -> ControlRequest, text: (ControlState) -> String = ControlText.text) throws {
        try reportingProblems {
            let request = try request()
            if pid != nil, socket != nil { throw ValidationError("give --pid or --socket, not both") }
            if timeout != nil, wait == nil { throw ValidationError("--timeout: give --wait too") }
            let state = try client().ask(request, awaiting: wait, within: timeout ?? .seconds(5))
            StandardOutput.print(json ? state.json : text(state))
        }
    }

    private func client() throws -> ControlClient {
        if let socket { return ControlClient(path: socket) }
        return try ControlClient(in: ControlFolders.usual(Environment.variables), pid: pid)
    }
}

extension Stage: ExpressibleByArgument {
    /// The words for people and the names of JSON are accepted.
    public init?(argument: String) { self.init(name: argument) }

    public static var allValueStrings: [String] { names }
}

extension Duration {
    /// A duration of at most an hour on the command line: `5`, `0.5`, `90s`, `5m`.
    init(validating text: String) throws {
        guard let duration = Duration(written: text) else { throw ValidationError("expected \(Duration.writtenForms)") }
        guard duration <= .seconds(3600) else { throw ValidationError("expected at most an hour") }
        self = duration
    }
}

extension BarricadeCommands {
    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Print the present response, what plays, and the app's stage.",
            discussion: "With --json also the name of every response and timeline."
        )

        @OptionGroup var options: ControlOptions

        func run() throws { try options.ask(.status) }
    }

    struct Select: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "select",
            abstract: "Select the response from now on.",
            discussion: "A timeline for the same requests is held where it stands; `play` continues it."
        )

        @OptionGroup var options: ControlOptions

        @Argument(help: "The kind of request, such as status.", completion: Completions.runningRequests) var request: String
        @Argument(help: "The response's name.", completion: Completions.runningResponses) var response: String

        func run() throws { try options.ask(.tell(.select(request: request, response: response))) }
    }

    struct Play: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "play",
            abstract: "Play a timeline, or go on with the one that is held."
        )

        @OptionGroup var options: ControlOptions

        @Argument(
            help: "The timeline's name; without it the one that is held continues.", completion: Completions.runningTimelines)
        var name: String?

        func run() throws { try options.ask(.tell(name.map { .play($0) } ?? .resume(request: nil))) }
    }

    struct Pause: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pause",
            abstract: "Hold the timeline where it stands; its response stays in effect."
        )

        @OptionGroup var options: ControlOptions

        func run() throws { try options.ask(.tell(.pause(request: nil))) }
    }

    struct Step: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "step", abstract: "Go to the timeline's next step.")

        @OptionGroup var options: ControlOptions

        func run() throws { try options.ask(.tell(.step(request: nil))) }
    }

    struct Jump: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "jump", abstract: "Go to a step of the timeline.")

        @OptionGroup var options: ControlOptions

        @Argument(help: "The step, counted from 1.") var step: Int

        func run() throws {
            try options.ask(try wanted())
        }

        private func wanted() throws -> ControlRequest {
            guard step >= 1 else { throw ValidationError("steps are counted from 1") }
            return .tell(.jump(to: step - 1, request: nil))
        }
    }

    struct Speed: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "speed", abstract: "Play at the clock's speed, or faster.")

        @OptionGroup var options: ControlOptions

        @Argument(help: "How many times as fast as the clock: 1, 10, up to 1000.") var factor: Int

        func run() throws { try options.ask(try .speed(factor)) }
    }

    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset",
            abstract: "End the timeline and return to the default response."
        )

        @OptionGroup var options: ControlOptions

        @Argument(help: "The kind of request; without it all of them.", completion: Completions.runningRequests) var request:
            String?

        func run() throws { try options.ask(.tell(.reset(request: request))) }
    }
}
