import ArgumentParser
import BellerophonBase
import Dispatch
import Foundation
import ReadyScenarios

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The program `bellerophon`.
@main
struct BellerophonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bellerophon",
        abstract: "A kill switch and forced update for terminal programs.",
        discussion: """
            A remote status document says whether a program may run:

              {"apiInactive": false, "forceUpdate": false, "retryInterval": 60, "userMessage": null}

            While apiInactive is true, a full-screen view covers the program; while forceUpdate is true, an update \
            prompt does. Both go when the status clears.

            EXAMPLES
              bellerophon init                        write a first configuration
              bellerophon demo                        try every status, no server needed
              bellerophon barricade play STORY        drive a running demo from a script
              bellerophon URL                         be covered when the status says so
              bellerophon guard -- vim notes.txt      cover any program when the status says so
              bellerophon check URL                   one check, for scripts
              bellerophon watch --status-url URL      every change in a line
              bellerophon render --status kill.json   what a person would see, as text
              bellerophon preview --status rules.json what each rule means for a client, and why
              bellerophon verify --scenarios FILE     does an outage lead to what it should
              bellerophon update                      a newer bellerophon, or how to get it

            Without a command, bellerophon is `bellerophon run`. `bellerophon help COMMAND` tells more of each.
            """,
        version: PackageVersion.text,
        subcommands: [
            RunCommand.self, DemoCommand.self, GuardCommand.self, BarricadeCommands.self, CheckCommand.self, WatchCommand.self,
            RenderCommand.self, PreviewCommand.self, VerifyCommand.self, UpdateCommand.self, InitCommand.self,
            ConfigCommand.self, ContractCommand.self,
        ],
        defaultSubcommand: RunCommand.self
    )

    /// Runs the command. Error messages quote the arguments and are therefore sanitised by ``StandardError``.
    static func main() {
        fillStandardDescriptors()
        do {
            if let help = GuardHelp.text(for: Array(CommandLine.arguments.dropFirst())) { return Swift.print(help) }
            var command = try command(CommandLine.arguments.dropFirst())
            if connected.contains(where: { $0 == type(of: command) }) { try SystemLimits.verify() }
            try command.run()
        } catch {
            let code = exitCode(for: error)
            let unknown = code.isSuccess ? nil : UnknownCommand.problem(CommandLine.arguments.dropFirst(), of: Self.self)
            let text = unknown ?? fullMessage(for: error)
            if code.isSuccess { Swift.print(text) } else if !text.isEmpty { StandardError.print(text) }
            Foundation.exit(code.rawValue)
        }
    }
}

extension BellerophonCommand {
    /// The commands with a network and an event loop.
    private static let connected: [any ParsableCommand.Type] = [
        RunCommand.self, DemoCommand.self, GuardRunCommand.self, CheckCommand.self, WatchCommand.self,
        PreviewCommand.self,
    ]

    /// Parses the command line.
    ///
    /// The two full-screen commands are parsed alone, because the tables of the other commands would delay their first
    /// frame. If that fails, the root parser takes the arguments; its errors and help name the program.
    private static func command(_ arguments: ArraySlice<String>) throws -> any ParsableCommand {
        if arguments.count == 1, ["-v", "-V", "version"].contains(arguments.first) { return try parseAsRoot(["--version"]) }
        let fullScreen: [any ParsableCommand.Type] = [RunCommand.self, DemoCommand.self]
        guard let type = fullScreen.first(where: { $0.configuration.commandName == arguments.first }) else {
            return try parseAsRoot(Array(arguments))
        }
        try SystemLimits.verify()
        prepareFirstFrame(isSimulated: type == DemoCommand.self)
        if let command = try? type.parse(Array(arguments.dropFirst())) { return command }
        return try parseAsRoot(Array(arguments))
    }

    /// Prepares on another thread, during parsing, what every first frame needs regardless of the other arguments.
    private static func prepareFirstFrame(isSimulated: Bool) {
        DispatchQueue.global(qos: .userInteractive).async {
            if isSimulated { _ = ReadyScenarios.all }
            _ = URLSessionConfiguration.ephemeral
        }
    }

    /// Opens closed ones of the file descriptors 0, 1 and 2 on `/dev/null`. Otherwise the next opened file would get such a
    /// number and receive what the program prints.
    private static func fillStandardDescriptors() {
        var descriptor: Int32
        repeat { descriptor = open("/dev/null", O_RDWR) } while (0...2).contains(descriptor)
        if descriptor > 2 { close(descriptor) }
    }
}
