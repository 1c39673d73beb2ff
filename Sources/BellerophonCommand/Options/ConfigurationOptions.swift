import ArgumentParser
import Barricade
import Bellerophon
import BellerophonBase
import Foundation
import ProgramKit
import ScenarioKit
import TerminalGuard

/// The flags that name the configuration file, and those that override its settings.
struct ConfigurationOptions: ParsableArguments {
    @OptionGroup var request: RequestOptions

    @OptionGroup var facts: FactOptions

    @Option(name: .long, help: ArgumentHelp("Ask for the status at this http or https address.", valueName: "url"))
    var statusURL: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Use only this one of the configuration's services.", discussion: "By its name.", valueName: "name"),
        completion: Completions.services)
    var service: String?

    /// The statuses to watch: `status.url` and the services of the configuration, or the one that a flag names.
    ///
    /// Flags override the environment, the environment the file, the file the defaults.
    /// - Returns: the settings of the program as a whole, and at least one configuration with a status URL.
    func resolveAll(for use: SettingsUse = .all) throws -> (general: Configuration, services: [Configuration]) {
        var (configuration, origin) = try chosen(use)
        var services = configuration.services.map { configuration.configuration(of: $0) }
        configuration.services = []
        if configuration.statusURL != nil { services.insert(configuration, at: 0) }
        guard !services.isEmpty else { throw Self.noStatus }
        if facts.appVersion != nil, services.count > 1 {
            let names = services.map(\.app.name).joined(separator: ", ")
            throw ValidationError("--app-version: is the version of one app; give --service NAME (\(names))")
        }
        try apply(to: &configuration, origin)
        for index in services.indices { try apply(to: &services[index], origin) }
        return (configuration, services)
    }

    /// The configuration and its status URL, for a command that asks for one status.
    func resolveWithStatusURL(for use: SettingsUse = .all) throws -> (configuration: Configuration, url: URL) {
        var (configuration, origin) = try chosen(use)
        guard let url = configuration.statusURL else {
            let names = configuration.services.map(\.name)
            guard !names.isEmpty else { throw Self.noStatus }
            throw ValidationError(
                "the configuration has services and no status.url: give --service NAME (\(names.joined(separator: ", ")))")
        }
        configuration.services = []
        try apply(to: &configuration, origin)
        return (configuration, url)
    }

    /// The configuration of the file and the environment with the flags that choose a status.
    private func chosen(_ use: SettingsUse) throws -> (configuration: Configuration, origin: String) {
        var (configuration, origin) = try Self.loaded(request.config, for: use)
        if let service { configuration = try Self.only(service, of: configuration) }
        guard let statusURL else { return (configuration, origin) }
        guard service == nil else { throw ValidationError("give --service or --status-url, not both") }
        configuration.services = []
        try configuration.apply(flag: "status.url", text: statusURL)
        return (configuration, origin)
    }

    private static var noStatus: ValidationError {
        let usual = ConfigurationFile.usualPlace(Environment.variables).path
        return ValidationError(
            "no status URL: give --status-url URL or --config FILE, or write \(usual) (or try `bellerophon demo`)")
    }

    private static func only(_ name: String, of configuration: Configuration) throws -> Configuration {
        let names = configuration.services.map(\.name)
        if let service = configuration.services.first(where: { $0.name == name }) {
            return configuration.configuration(of: service)
        }
        let hint = EditDistance.suggestion(for: name, among: names)
        throw ValidationError(
            "--service: "
                + (names.isEmpty ? "the configuration has no services" : "there is no service \"\(name)\"\(hint)"))
    }

    private func apply(to configuration: inout Configuration, _ origin: String) throws {
        try facts.apply(to: &configuration)
        try request.apply(to: &configuration, origin)
    }

    /// A configuration with the settings of a person's own that have nothing to do with a status, for programs that have another
    /// source of it: the screen, the alerts and the hooks.
    static func personal() throws -> Configuration {
        let (own, origin) = try loaded(nil, for: .only("display", "alerts", "hooks"))
        try own.checkTheme(origin: origin)
        var configuration = Configuration()
        (configuration.display, configuration.alerts, configuration.hook) = (own.display, own.alerts, own.hook)
        return configuration
    }

    /// The settings of the file and the environment, and the file's name for errors.
    static func loaded(_ file: String?, for use: SettingsUse = .all) throws -> (configuration: Configuration, origin: String) {
        let environment = Environment.variables
        warnOfUnknownVariables(environment)
        var configuration = Configuration()
        configuration.use = use
        let path = file ?? filePath(environment)
        if let path { try configuration.apply(file: ConfigurationFile.read(path), origin: path) }
        try configuration.apply(environment: environment)
        let origin = path ?? "configuration"
        for problem in configuration.warnings(origin: origin) { StandardError.print("bellerophon: warning: \(problem)") }
        return (configuration, origin)
    }

    /// The file in which a person keeps their settings, which need not exist yet.
    /// - Parameter file: the one that a flag names.
    static func place(_ file: String?) -> String {
        file ?? filePath(Environment.variables) ?? ConfigurationFile.usualPlace(Environment.variables).path
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
}

/// Runs a command's work. Prints the project's own errors as one message and replaces them with an exit code: that of a
/// ``ControlError`` or of a ``GuardInstallError``, else 64.
/// - Parameter isForAdministrator: whether a lack of permission means that root must run the command.
func reportingProblems<Result>(isForAdministrator: Bool = false, _ work: () throws -> Result) throws -> Result {
    do {
        return try work()
    } catch {
        let (problems, code): ([String], Int32) =
            switch error {
            case let error as ConfigurationError: (error.problems.map { "\(error.origin): \($0)" }, 64)
            case let error as ScenarioFileError: (error.problems.map { "\($0)" }, 64)
            case let error as ControlError: (["\(error)"], error.exitCode)
            case let error as OutputFileError: (["\(error)"], 64)
            case let error as ValidationError: ([error.message], 64)
            case let error as GuardInstallError: (error.problems, error.exitCode)
            default: throw error
            }
        let isRefused = (error as? GuardInstallError)?.kind == .notPermitted
        let advice = isForAdministrator && isRefused ? "; run the command as root" : ""
        StandardError.print(problems.map { "bellerophon: \($0)\(advice)" }.joined(separator: "\n"))
        throw ExitCode(code)
    }
}

extension SettingsUse {
    /// What a command without a screen needs to ask for one status.
    static let asking = except("display", "alerts", "hooks", "content")
    /// What a command needs that prints lines in place of a screen.
    static let printing = except(
        "alerts", "display.color", "display.theme", "display.themes", "display.glyphs", "display.motion", "display.titles",
        "display.mouse", "display.hyperlinks", "display.keys")
    /// What the guard needs.
    static let guarding = except("alerts", "content")
}
