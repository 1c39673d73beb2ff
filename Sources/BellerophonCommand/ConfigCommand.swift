import ArgumentParser
import Bellerophon
import BellerophonBase
import Foundation
import ProgramKit

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
        private static func source(of configuration: ProgramKit.Configuration) -> String {
            let services = configuration.services.compactMap { service in
                configuration.configuration(of: service).statusURL.map {
                    "\(service.name) is at \(URLSessionStatusSource(url: $0).name)"
                }
            }
            let own = configuration.statusURL.map { "the status URL is \(URLSessionStatusSource(url: $0).name)" }
            let parts = (own.map { [$0] } ?? []) + services
            return parts.isEmpty ? "status.url is not set" : parts.joined(separator: "; ")
        }

        func run() throws {
            try reportingProblems {
                var configuration = ProgramKit.Configuration()
                try configuration.apply(file: ConfigurationFile.read(file), origin: file)
                try configuration.validate(origin: file)
                StandardOutput.print("\(file): valid; \(Self.source(of: configuration))")
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List every setting: what it takes and does, its default, and the value in effect.",
            discussion: "Flags beat the environment, the environment beats the file, and the file beats the defaults."
        )

        @Option(
            name: .long,
            help: ArgumentHelp(
                "Show the values of this configuration file.", discussion: "Default: the file that `bellerophon run` reads.",
                valueName: "file"),
            completion: .file(extensions: ["json"]))
        var config: String?

        func run() throws {
            let environment = Environment.variables
            ConfigurationOptions.warnOfUnknownVariables(environment)
            let path = config ?? ConfigurationOptions.filePath(environment)
            let (file, variables) = try reportingProblems {
                (
                    try path.map { try Configuration.values(ofFile: ConfigurationFile.read($0), origin: $0) } ?? [:],
                    try Configuration.values(ofEnvironment: environment)
                )
            }
            for setting in Configuration.settings {
                var lines = [setting.path, setting.help, "takes \(setting.expected)"]
                if let text = setting.defaultText { lines.append("default \(text)") }
                if let value = variables[setting.path] {
                    lines.append("is \(Self.text(value, of: setting)), set by \(setting.variable ?? "the environment")")
                } else if let value = file[setting.path] {
                    lines.append("is \(Self.text(value, of: setting)), set in \(path ?? "the file")")
                }
                if let variable = setting.variable { lines.append("variable \(variable)") }
                if let flag = setting.flag { lines.append("flag \(flag)") }
                StandardOutput.print(lines.joined(separator: "\n    "))
            }
        }

        /// A value as JSON. A user name in an address and the values of header fields do not appear in logs.
        private static func text(_ value: JSONValue, of setting: Setting<Configuration>) -> String {
            if setting.path == "status.headers" { return "set" }
            if setting.path == "services", case .array(let services) = value { return "a list of \(services.count)" }
            if case .string(let text) = value, let url = URLComponents(string: text), url.user != nil || url.password != nil {
                return "an address with a user name"
            }
            return value.compactText
        }
    }
}
