import ArgumentParser
import Barricade
import BellerophonBase
import Dashboard
import Foundation

/// The flags that name the configuration file, and those that override its settings.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read this configuration file.",
            discussion:
                "Default: $BELLEROPHON_CONFIG, else $XDG_CONFIG_HOME/bellerophon/config.json, else ~/.config/bellerophon/config.json. `config.example.json` shows every field.",
            valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var config: String?

    @Option(name: .long, help: ArgumentHelp("Ask for the status at this http or https address.", valueName: "url"))
    var statusURL: String?

    @Option(
        name: .long, help: ArgumentHelp("Seconds that one check may take, from its start to the last byte.", valueName: "seconds")
    )
    var timeout: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Accept only statuses signed by this key.",
            discussion: "As bellerophon-server keygen prints it; may be given several times. The status URL ends in .jws then.",
            valueName: "key")
    )
    var trustKey: [String] = []

    @Flag(name: .customLong("require-tls"), help: "Refuse plain http except to this machine.")
    var requiresTLS = false

    /// The merged configuration. Flags override the environment, the environment the file, the file the defaults.
    func resolve() throws -> Configuration {
        var (configuration, origin) = try Self.loaded(config)
        if let statusURL { try configuration.apply(flag: "status.url", text: statusURL) }
        if let timeout { try configuration.apply(flag: "status.timeout", text: timeout) }
        if !trustKey.isEmpty {
            try configuration.apply(flag: "trust.keys", text: trustKey.joined(separator: " "))
        }
        if requiresTLS { configuration.requiresTLS = true }
        try configuration.validate(origin: origin)
        return configuration
    }

    /// The display settings of the person's configuration, for programs that have another source of the status.
    static func displaySettings() throws -> DisplaySettings {
        try loaded(nil).configuration.display
    }

    /// The settings of the file and the environment, and the file's name for errors.
    private static func loaded(_ file: String?) throws -> (configuration: Configuration, origin: String) {
        let environment = Environment.variables
        warnOfUnknownVariables(environment)
        var configuration = Configuration()
        let path = file ?? filePath(environment)
        if let path { try configuration.apply(file: ConfigurationFile.read(path), origin: path) }
        try configuration.apply(environment: environment)
        return (configuration, path ?? "configuration")
    }

    /// Tells a person who has mistyped a variable.
    static func warnOfUnknownVariables(_ environment: [String: String]) {
        for problem in Configuration.unknownVariables(in: environment) { StandardError.print("bellerophon: warning: \(problem)") }
    }

    /// The file that is read if no flag names one; nil if there is none.
    static func filePath(_ environment: [String: String]) -> String? {
        if let named = environment["BELLEROPHON_CONFIG"], !named.isEmpty { return named }
        let usual = ConfigurationFile.usualPlace(environment).path
        return FileManager.default.fileExists(atPath: usual) ? usual : nil
    }

    /// The configuration and its status URL.
    func resolveWithStatusURL() throws -> (configuration: Configuration, url: URL) {
        let configuration = try resolve()
        guard let url = configuration.statusURL else {
            let usual = ConfigurationFile.usualPlace(Environment.variables).path
            throw ValidationError(
                "no status URL: give --status-url URL or --config FILE, or write \(usual) (or try `bellerophon demo`)"
            )
        }
        return (configuration, url)
    }
}

/// Runs a command's work. Prints the project's own errors as one message and replaces them with an exit code: that of a
/// ``ControlError``, else 64.
func reportingProblems<Result>(_ work: () throws -> Result) throws -> Result {
    do {
        return try work()
    } catch let error as ConfigurationError {
        StandardError.print(error.problems.map { "bellerophon: \(error.origin): \($0)" }.joined(separator: "\n"))
        throw ExitCode(64)
    } catch let error as ScenarioFileError {
        StandardError.print(error.problems.map { "bellerophon: \($0)" }.joined(separator: "\n"))
        throw ExitCode(64)
    } catch let error as ControlError {
        StandardError.print("bellerophon: \(error)")
        throw ExitCode(error.exitCode)
    } catch let error as OutputFileError {
        StandardError.print("bellerophon: \(error)")
        throw ExitCode(64)
    } catch let error as ValidationError {
        StandardError.print("bellerophon: \(error.message)")
        throw ExitCode(64)
    }
}
