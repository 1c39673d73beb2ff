import ArgumentParser
import Bellerophon
import BellerophonBase
import Foundation
import Processes
import ProgramUpdates

/// `bellerophon update`: updates `bellerophon` itself from where it was installed.
struct UpdateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Update bellerophon itself, or say how.",
        discussion: """
            Finds out how this program was installed, asks that source which versions it has, shows the command that installs \
            the newest one, and runs it after a y. Then it reads the installed version again and says what it has found: a \
            command that ends well proves nothing. apt, pip and pipx are asked. Of other sources only the name and the path \
            are told.

            The settings update.* are about the app that is watched. This command does not read them.

               0  up to date, or updated
               1  the command failed, nothing newer is installed after it, or the answer was not y
              10  with --check: a newer version can be had or is installed already
              64  usage, or no terminal for the question
              69  it can't be told what can be had, or this source is not updated here

            EXAMPLES
              bellerophon update
              bellerophon update --check
              bellerophon update --check --json | jq -r .newest
            """
    )

    @Flag(name: .long, help: "Only say which versions can be had, by the exit code too.")
    var check = false

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Print one JSON object instead of text.",
            discussion: "Without --check it comes after the command, whose output goes to standard error."))
    var json = false

    @Flag(name: .long, help: "Run the command without a question.")
    var yes = false

    func validate() throws {
        if check, yes { throw ValidationError("--check runs no command; leave out --yes") }
    }

    func run() throws {
        var choices = OwnUpdate.Choices()
        (choices.onlyChecks, choices.usesJSON, choices.isConfirmed) = (check, json, yes)
        var source = Self.source
        source.assumesYes = yes
        let update = OwnUpdate(
            name: "bellerophon", running: PackageVersion.text, SystemUpdateInspector(source), choices, edge)
        let code = update.perform()
        if code != 0 { throw ExitCode(code) }
    }

    /// How this program was installed. A package manager knows it by its name, also if its lists do not say which package has the file.
    private static var source: UpdateSource {
        var source = UpdateSource.ofThisProcess(environment: Environment.variables)
        if source.package == nil, source.hasManager { source.options.package = "bellerophon" }
        return source
    }

    // MARK: The terminal

    private var edge: OwnUpdate.Edge {
        let json = json
        return OwnUpdate.Edge(
            hasTerminal: isatty(0) == 1 && isatty(2) == 1,
            confirms: { question in
                FileHandle.standardError.write(Data(question.utf8))
                return ["y", "yes"].contains(readLine()?.trimmingCharacters(in: .whitespaces).lowercased())
            },
            run: { Self.run($0, $1, outputToError: json) },
            print: { StandardOutput.print($0) },
            reportProblem: { StandardError.print("bellerophon: \($0)") })
    }

    /// Runs a shell command with the terminal. Control-C ends the command, and this process says what it has led to.
    private static func run(_ command: String, _ variables: [String: String], outputToError: Bool) -> String? {
        let former = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, action) in former { signal(number, action) } }
        var start = ChildStart(["/bin/sh", "-c", command])
        start.environment = ProcessVariables.current.changed(by: variables)
        if outputToError { start.descriptors = [.init(2, as: 1)] }
        fflush(nil)
        let loan = TerminalLoan()
        defer { loan?.end(resetting: true) }
        do throws(StartError) {
            let end = try ChildProcess(start).reap()
            return end == .exit(0) ? nil : end.description
        } catch {
            return "can't be started: \(error.reason)"
        }
    }
}
