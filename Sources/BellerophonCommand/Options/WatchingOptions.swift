import ArgumentParser
import Bellerophon
import BellerophonBase
import BellerophonTrust
import CloudBox
import Dashboard
import Foundation
import ProgramKit
import ScenarioKit

/// The flags of the commands that watch a real server.
struct WatchingOptions: ParsableArguments {
    @OptionGroup var address: AddressArgument
    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var journaling: SessionLogOptions
    @OptionGroup var recording: RecordOptions
    @OptionGroup var polling: PollingOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Look for newer content here: title, links, help.",
            discussion:
                "Several are asked one after another, the fastest first, until one has a newer version or the one at hand.",
            valueName: "url")
    )
    var contentServer: [String] = []

    /// The parameters of the program.
    /// - Parameters:
    ///   - display: the flags for the screen; nil for a command without one.
    ///   - language: the flag for the language of a command without a screen.
    func setup(display: DisplayOptions?, language: LanguageOptions? = nil) throws -> DashboardSetup {
        try reportingProblems {
            var (configuration, configurations) = try address.applied(to: options).resolveAll(
                for: display == nil ? .printing : .all)
            if !contentServer.isEmpty {
                let servers = contentServer.joined(separator: " ")
                try configuration.apply(flag: "content.servers", text: servers)
            }
            try display?.apply(to: &configuration)
            try language?.apply(to: &configuration)
            try recording.verify(against: journaling, services: configurations)
            for index in configurations.indices {
                try polling.apply(to: &configurations[index])
                try recording.requirePolling(in: &configurations[index])
                try configurations[index].validate(origin: "command line")
            }
            try configuration.validate(origin: "command line")
            let bundled = try configurations.map { try $0.bundledStatus.map(StateFile.bundledStatus) }
            let journal = try journaling.open()
            let recorder = try recording.open(configurations[0])
            let services = zip(configurations, bundled).compactMap { configuration, bundledStatus in
                service(configuration, bundledStatus, recorder)
            }
            let content = StateFile.content(from: configuration.contentServers, verifier: configurations[0].trust)
            var setup = DashboardSetup(configuration, services: services, content: content)
            setup.journal = journal
            setup.recorder = recorder
            setup.choiceFiles.configuration = ConfigurationOptions.place(options.request.config)
            return setup
        }
    }

    private func service(_ configuration: Configuration, _ bundledStatus: Data?, _ recorder: Recorder?) -> ServiceSetup? {
        guard let url = configuration.statusURL else { return nil }
        let remembers = configuration.remembersStatus && !polling.forget
        var service = ServiceSetup(
            configuration, source: configuration.source(at: url, onExchange: recorder?.record),
            store: remembers ? StateFile.store(for: url, trust: configuration.trust) : nil)
        service.stream = configuration.stream
        service.bundledStatus = bundledStatus
        return service
    }
}

/// The locations of state that survives a restart.
enum StateFile {
    static var folder: URL { ConfigurationFile.stateFolder(Environment.variables) }

    /// The status store for a URL. Signed statuses are stored separately: a status that was accepted without a signature
    /// must not replace a signed one.
    static func store(for url: URL, trust: TrustedKeys?) -> FileStatusStore {
        let name = url.absoluteString + (trust.map { " signed for \($0.audience)" } ?? "")
        return .userState("bellerophon", of: name, environment: Environment.variables)
    }

    /// Reads the bundled status from a file of at most 64 KiB. The content is parsed only when it is needed.
    static func bundledStatus(_ path: String) throws -> Data {
        do {
            return try InputFile.read(path, limit: StatusReader.pushLimit)
        } catch {
            throw ConfigurationError(
                origin: path,
                "status.bundled: expected a file of at most 64 KiB that can be read (\(error)); write a status document there"
            )
        }
    }

    /// The content configuration. Each server numbers versions independently, so each list of servers has its own folder.
    static func content(from servers: [URL], verifier: (any ManifestVerifier)?) -> CloudBoxConfiguration {
        let name = servers.isEmpty ? "none" : servers.map(\.absoluteString).joined(separator: " ").fingerprint
        let folder = CloudBoxConfiguration.userFolder("bellerophon").appendingPathComponent(name)
        var content = CloudBoxConfiguration(folder: folder, servers: servers)
        content.verifier = verifier
        return content
    }
}
