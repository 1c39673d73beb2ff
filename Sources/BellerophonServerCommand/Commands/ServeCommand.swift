import ArgumentParser
import BellerophonBase
import BellerophonServer
import BellerophonStore
import Foundation
import Logging

/// `bellerophon-server serve`: runs the server until a signal stops it.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve statuses, resources and streams from a store.",
        discussion: """
            A flag outranks a variable of the environment, which outranks the file. Every setting of the file has a \
            variable, such as BELLEROPHON_SERVER_LIMITS_IDLE_TIME for limits.idleTime; PORT is honoured too. It \
            listens on this machine alone unless --host says otherwise; behind that, put TLS or a proxy in front.

            SIGTERM and SIGINT end it in order: streams at once, accepted requests after their reply. A second one \
            ends it at once. SIGHUP reads certificates, keys and the log level anew; SIGUSR2 lets another process take \
            over. `bellerophon-server reload` and `restart` send these and tell what became of it.
            """
    )

    @Option(
        help: ArgumentHelp("Read settings from this JSON file; deploy/server.config.example.json shows all.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var config: String?

    @Option(
        help: ArgumentHelp("The store's folder; `bellerophon-server init` makes it.", valueName: "folder"), completion: .directory
    )
    var store: String?

    @Flag(help: "Make the store if there is none. Not for a folder that may be a volume which is not mounted.")
    var create = false

    @Option(help: ArgumentHelp("The address to listen on; 0.0.0.0 for all of this machine's.", valueName: "address"))
    var host: String?

    @Option(help: ArgumentHelp("The port; 0 takes any free one.", valueName: "number"))
    var port: String?

    @Option(help: ArgumentHelp("The PEM file with the certificate chain; turns TLS on.", valueName: "file"), completion: .file())
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The PEM file with its private key.", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Option(
        help: ArgumentHelp("Sign statuses and resources with this key; keygen makes one.", valueName: "file"),
        completion: .file(extensions: ["jwk"]))
    var signingKey: String?

    @Option(help: ArgumentHelp("How a line of the log looks: text or json.", valueName: "form"))
    var logFormat: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Any setting by its path in the file, such as limits.idleTime=30.", valueName: "path=value"))
    var settings: [String] = []

    @Flag(help: "Check settings, store, keys and certificates, say what would be served, and end. Nothing is changed.")
    var check = false

    func run() async throws {
        let program = ProgramStart.ofThisProcess
        let configuration: ServerConfiguration
        do {
            configuration = try settled(program.environment)
        } catch {
            // One line for each problem.
            Output.writeError("bellerophon-server: \(error.description)")
            throw ExitCode(SystemExit.configuration)
        }
        let level = LogLevel(configuration.logLevel)
        let logger = Logger(label: "bellerophon-server") { _ in LineLogHandler(format: configuration.logFormat, level: level) }
        do {
            if check { return try await printCheck(configuration, program.environment) }
            try await serve(configuration, program, level, logger)
        } catch let problem as StoreError {
            throw CommandError(problem.description, exitCode: SystemExit.code(ofServing: problem.kind))
        }
    }

    /// Prints what a server would serve. A server may be running.
    private func printCheck(_ configuration: ServerConfiguration, _ environment: [String: String]) async throws {
        let location = configuration.storeLocation(environment)
        let isRunning = ServerLock.isHeld(location.folder)
        let newest = try await location.inspect()
        let expiry = try StatusServer.validate(configuration, triesAddress: !isRunning)
        if let expiry, expiry <= Date() {
            throw ServerError("the TLS certificate has expired on \(TimeText.text(expiry))", hint: "renew it")
        }
        var facts = FactList()
        facts.append("address", "\(configuration.listeningAddress)\(isRunning ? ", which a server has now" : "")")
        if case .shared(let address, _, _) = location {
            facts.append("store", "\(StoreLocation.withoutPassword(address)), with a copy in \(location.folder.path)")
        } else {
            facts.append("store", location.folder.path)
        }
        facts.append("newest row", newest.map { $0 == 0 ? "none; clients are told that all is well" : "#\($0)" })
        facts.append("TLS", expiry.map { "until \(TimeText.text($0))" })
        let lifetime = DurationText.text(configuration.signingLifetime)
        facts.append("signing", configuration.signingKey.map { "\($0), for \(lifetime)" })
        try Output.write("the server can start\n\(facts.text)")
    }

    private func serve(
        _ configuration: ServerConfiguration, _ program: ProgramStart, _ level: LogLevel, _ logger: Logger
    ) async throws {
        let environment = program.environment
        // With limits that are lowered to the descriptors that this process may have.
        var fitted = configuration
        if let files = FileLimit.raise() { fitted.limits = configuration.limits.fitted(to: files) }
        let signals = ServerSignals()
        let notifier = ServiceNotifier(environment)
        let predecessor = try Predecessor.inherited(environment)
        let targets = try WebhookRunner.targets(configuration.hooks)
        let location = configuration.storeLocation(environment)
        let folder = location.folder
        let store = try await location.open(creates: create)
        store.removeLeftovers()
        let lock = if let predecessor { try predecessor.lock(folder) } else { try ServerLock(folder: folder) }
        let socket = try inheritedSocket(predecessor, configuration, environment, logger)
        let server = try await StatusServer(
            fitted, store: store, logger: logger, on: socket, takesConnections: predecessor == nil
        )
        let follower = store.follow()
        follower?.start { [weak store] change in
            Self.logContact(change, store?.sharedContact, logger)
        } onRows: {
            Task { await server.refresh() }
        }
        defer { follower?.stop() }
        if let predecessor {
            let shown = await predecessor.relieve(lock)
            lock.markProcess()
            try await server.resume(atLeast: shown)
            // Sent before the older process ends; otherwise the service manager would consider the service ended.
            notifier.send(.mainProcess, .ready)
            predecessor.reportServing()
        }
        announce(server, folder, configuration, logger)
        tellContent(of: store, logger)
        // The default limits are only upper bounds.
        if fitted != configuration, configuration.limits != Limits() { warn(configuration.limits, fitted.limits, logger) }
        if predecessor == nil { notifier.send(.ready) }
        let hooks = WebhookRunner(store, configuration.hooks, targets, logger: logger) { await server.problems() }
        let telling = Task { await hooks.run() }
        let life = ServerLife(server: server, lock: lock, notifier: notifier, level: level, logger: logger, program: program) {
            () throws(ConfigurationError) in try settled(environment)
        }
        await life.run(signals)
        // A command that hangs gets SIGKILL before this process ends.
        telling.cancel()
        await telling.value
    }

    private static func logContact(_ change: SharedFollower.Change, _ contact: SharedContact?, _ logger: Logger) {
        switch change {
        case .lost(let problem):
            logger.error("\(problem.reason)", metadata: ["reason": "\(problem.text)"])
        case .reached: logger.notice("the shared store is reached again, and this server has every row")
        case .leads:
            logger.notice(
                "this server leads: it ends timed kills and updates",
                metadata: ["standbys": "\(contact?.lead.standbys ?? "none; what is acknowledged is on one machine")"])
        case .follows: logger.notice("this server does not lead any more")
        }
    }

    /// The socket that this process was started with; nil if it must create one.
    private func inheritedSocket(
        _ predecessor: Predecessor?, _ configuration: ServerConfiguration, _ environment: [String: String], _ logger: Logger
    ) throws -> ListeningSocket? {
        guard let socket = try predecessor?.socket ?? SocketActivation.socket(environment) else { return nil }
        if socket.isActivated || socket.isAt(configuration.host, configuration.port) { return socket }
        logger.notice("the address to listen on has changed", metadata: ["before": "\(socket.address)"])
        socket.close()
        return nil
    }

    private func warn(_ wanted: Limits, _ fitted: Limits, _ logger: Logger) {
        logger.warning(
            "this process may have too few files open for its limits; they were lowered",
            metadata: [
                "files": "\(fitted.files)", "wanted": "\(wanted.files)", "connections": "\(fitted.connections)",
                "streams": "\(fitted.streams)", "concurrentRequests": "\(fitted.concurrentRequests)",
                "do": "raise the hard limit (ulimit -Hn, LimitNOFILE=), or set limits.connections",
            ])
    }

    private func announce(_ server: StatusServer, _ folder: URL, _ configuration: ServerConfiguration, _ logger: Logger) {
        logger.notice(
            "listening", metadata: ["address": "\(server.address)", "store": "\(folder.path)", "process": "\(getpid())"])
        if let expiry = server.certificateExpiry {
            let level: Logger.Level = expiry > Date() ? .info : .warning
            logger.log(level: level, "new connections get a TLS certificate", metadata: ["expires": "\(TimeText.text(expiry))"])
        } else if !server.isLoopback, !configuration.reading.publicURL.lowercased().hasPrefix("https://") {
            logger.warning(
                "tokens and statuses travel unencrypted",
                metadata: [
                    "do": "set tls.certificate and tls.key, or let a proxy add TLS and name it in server.publicURL"
                ])
        }
    }

    /// Logs what clients get from now on.
    private func tellContent(of store: Store, _ logger: Logger) {
        guard let snapshot = try? store.snapshot() else { return }
        let stopped = snapshot.statuses.values.filter(\.isBlocking).map(\.scope).sorted()
        logger.notice(
            "serving",
            metadata: [
                "row": "\(snapshot.serial)", "identity": "\((try? store.identity().prefix(8)) ?? "")",
                "apps": "\(Set(snapshot.statuses.keys.map(\.app)).count)", "resources": "\(snapshot.resources.count)",
                "stopped": "\(stopped.isEmpty ? "nothing" : stopped.prefix(20).map(\.description).joined(separator: " "))",
            ])
        if !store.keepsClock {
            logger.warning(
                "the run of the machine is not known; a start while the clock is ahead ends timed statuses too early",
                metadata: [
                    "do": "add Environment=\(StoreClock.bootVariable)=%b to the systemd unit, or show the server /proc/sys"
                ])
        }
        if snapshot.serial == 0 { logger.warning("nothing has been published in this store yet; every client may run") }
    }

    // MARK: Configuration

    /// The settings from the file, the environment and the flags; later sources take precedence.
    private func settled(_ environment: [String: String]) throws(ConfigurationError) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        if let config { try configuration.apply(file: read(config), origin: config) }
        try configuration.apply(environment: environment)
        let flags = [
            ("--store", "store", store), ("--host", "server.host", host), ("--port", "server.port", port),
            ("--tls-certificate", "tls.certificate", tlsCertificate), ("--tls-key", "tls.key", tlsKey),
            ("--signing-key", "signing.key", signingKey), ("--log-format", "log.format", logFormat),
        ]
        for case (let flag, let path, let text?) in flags { try configuration.apply(path, text: text, origin: flag) }
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else {
                throw ConfigurationError(origin: "--set", "expected path=value, such as limits.idleTime=30")
            }
            try configuration.apply(parts[0], text: parts[1], origin: "--set \(parts[0])")
        }
        try configuration.validate()
        return configuration
    }

    private func read(_ path: String) throws(ConfigurationError) -> Data {
        do {
            return try InputFile.read(path, limit: ServerConfiguration.fileLimit)
        } catch {
            throw ConfigurationError(origin: path, "can't be read (\(error)); check that it exists and who may read it")
        }
    }
}
