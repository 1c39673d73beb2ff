import ArgumentParser
import Bellerophon
import BellerophonBase
import Dashboard
import Foundation

/// `bellerophon config`: checks a configuration file or lists the settings.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check a configuration file, or list the settings.",
        subcommands: [Check.self, List.self]
    )

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Say whether a configuration file is right, without starting anything.",
            discussion: """
                Every problem is named with its key's path and what was expected there. Exits 0 when the file is \
                valid and 64 when it is not.
                """
        )

        @Argument(help: "The configuration file.", completion: .file(extensions: ["json"]))
        var file: String

        /// The status URL, without user name and password, which must not appear in logs.
        private static func source(of configuration: Dashboard.Configuration) -> String {
            guard let url = configuration.statusURL else { return "status.url is not set" }
            return "the status URL is \(URLSessionStatusSource(url: url).name)"
        }

        func run() throws {
            try reportingProblems {
                var configuration = Dashboard.Configuration()
                try configuration.apply(file: ConfigurationFile.read(file), origin: file)
                try configuration.validate(origin: file)
                StandardOutput.print("\(file): valid; \(Self.source(of: configuration))")
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List every setting: its path in the file, its variable, its flag, what it takes and does.",
            discussion: "Flags beat the environment, the environment beats the file, and the file beats the defaults."
        )

        func run() {
            for setting in Configuration.settings {
                StandardOutput.print("\(setting.path)\n    \(setting.help)\n    takes \(setting.expected)")
                if let variable = setting.variable { StandardOutput.print("    variable \(variable)") }
                if let flag = setting.flag { StandardOutput.print("    flag \(flag)") }
            }
        }
    }
}
