import ArgumentParser
import Bellerophon
import BellerophonBase
import BellerophonCurses
import BellerophonTrust
import Foundation
import Processes
import ProgramKit
import ProgramUpdates
import ScenarioKit
import TerminalGuard
import TerminalUI

/// A guarded program with all settings, ready to run.
struct GuardLaunch {
    private let command: ProgramCommand
    private let configuration: ProgramKit.Configuration
    private let url: URL
    private let simulation: Simulation?
    private let bundledStatus: Data?
    private let journal: SessionLogFile?
    private let remembers: Bool
    private var policy: GuardPolicy
    private let versionTimeout: Duration
    /// How this guard starts again after an update of its program.
    private let restart = ProgramRestart()
    /// Why this guard is the second one of its terminal; nil if it is the first.
    private let origin = ProgramRestart.origin
    /// The command that prints the program's version; nil for none.
    private let versionCommand: VersionCommand?

    init(_ arguments: GuardRunCommand) throws {
        let simulation = arguments.simulation.isUsed ? try arguments.simulation.make() : nil
        let loaded = try arguments.profile.map { try GuardProfileConfiguration.load(GuardProfileName(validating: $0)) }
        var (configuration, url) = try Self.settings(arguments, profile: loaded, simulation: simulation)
        // The flags count with a profile and with a simulated server, too.
        try arguments.options.facts.apply(to: &configuration)
        try arguments.polling.apply(to: &configuration)
        try arguments.look.apply(to: &configuration)
        if arguments.plain { configuration.display.isPlain = true }
        try configuration.validate(origin: "command line")
        self.configuration = configuration
        self.url = url
        self.simulation = simulation
        bundledStatus = try configuration.bundledStatus.map(StateFile.bundledStatus)
        journal = try arguments.journaling.open()
        remembers = simulation == nil && configuration.remembersStatus && !arguments.polling.forget
        command = ProgramCommand(arguments: ProgramCommand.lastArguments(arguments.program.count))
        let (profile, flags, hasVersion) = (loaded?.profile, arguments.guarding, arguments.options.facts.appVersion != nil)
        if hasVersion, flags.versionCommand != nil {
            throw ValidationError("give --app-version or --version-command, not both")
        }
        policy = profile?.policy ?? GuardPolicy()
        flags.apply(to: &policy)
        versionTimeout = flags.versionTimeout ?? profile?.versionTimeout ?? VersionCommand.usualLimit
        versionCommand = hasVersion ? nil : flags.versionCommand ?? profile?.versionCommand
    }

    private static func settings(
        _ arguments: GuardRunCommand, profile: LoadedGuardProfile?, simulation: Simulation?
    ) throws -> (ProgramKit.Configuration, URL) {
        if let simulation {
            var configuration = try ConfigurationOptions.personal()
            configuration.app = Simulation.app
            return (configuration, simulation.url)
        }
        guard let text = profile?.configuration else { return try arguments.options.resolveWithStatusURL(for: .guarding) }
        var (configuration, url) = try text.read(GuardProfileConfiguration.read)
        // A profile is for everybody on the machine, and this wish is one person's.
        if PlainPreference.isExpressed(in: Environment.variables) { configuration.display.isPlain = true }
        return (configuration, url)
    }
}

extension GuardLaunch {
    /// Runs the program until it has ended.
    func run() throws -> GuardEnd {
        try MainActor.assumeIsolated {
            if isNested || VersionCommand.isAsking(Environment.variables) {
                throw ProgramReplacement.start(command)
            }
            let installation = command.installation
            let app = try guardedApp(installation)
            var setup = makeSetup(app, installation)
            let nesting = GuardNesting(process: getpid(), fingerprint: fingerprint)
            setup.command.environment[GuardNesting.variable] = nesting.value
            setup.command.environment[ProgramRestart.variable] = nil
            let journalSession = SessionLogRecord.Session(
                app: app, source: setup.configuration.source?.name ?? "", isSimulated: simulation != nil)
            let keeper = SessionLogKeeper(journalSession, file: journal, clock: DispatchClock())
            let hook = TransitionCommand(configuration.hook)
            keeper.begin()
            setup.onReport = { report, machine in
                keeper.take(report, machine: machine)
                hook?.take(report, machine, in: journalSession)
            }
            setup.onPaint = { keeper.painted(at: .now) }
            setup.onLocalStop = { change in
                switch change {
                case .stopped(let stop): keeper.record(.localStop(stop))
                case .released(let author): keeper.record(.localRelease(author))
                }
            }
            setup.onTree = { summary in
                guard let processes = summary.processes else { return }
                keeper.record(
                    .held(.init(processes: processes, means: summary.holding.rawValue, notHeld: summary.notHeld)))
            }
            setup.onKilled = { keeper.record(.killed($0)) }
            defer { keeper.end("quit") }
            let session = GuardSession(setup, environment: Environment.variables), manager = session.manager
            let simulated = simulation.map {
                SimulatedSession($0, controlFolders: ControlFolders.usual(Environment.variables))
            }
            defer { simulated?.stop() }
            _ = simulated?.start(
                SimulatedApp(manager), machine: { manager.machine }, changed: { manager.check(.person, isFresh: true) })
            return try session.run()
        }
    }

    /// Ends this process as the program ended.
    func exit(as result: GuardEnd) -> Never {
        result.endThisProcess(
            program: command.name, exitCode: policy.exitCode, restart: restart,
            phrases: OverlayPhrases(configuration.display.language ?? .current))
    }

    /// The name on the views is that of the program, unless the configuration has another.
    ///
    /// What is found out about the guarded program: how it was installed, and its version. It is found out before the first status
    /// counts, with and without a terminal, and nothing runs meanwhile: an app without a version is covered where a version is
    /// required, and would be covered, or even ended, until the version is known.
    private func guardedApp(_ installation: Installation?) throws -> AppInfo {
        var app = configuration.app
        let standard = [ProgramKit.Configuration().app.name, Simulation.app.name]
        if standard.contains(app.name) { app.name = programName }
        app.facts["source"] = app.facts["source"] ?? installation?.source ?? MachineFacts.unknown
        if let versionCommand {
            let words = versionCommand.arguments.joined(separator: " ")
            do {
                (app.version, app.versionOrigin) = (try versionCommand.ask(limit: versionTimeout), words)
            } catch {
                app.version = nil
                reportUnknownVersion("\(words) \(error.text)")
            }
        } else if app.version == nil, let installation {
            let source = UpdateSource.of(installation, options: app.update, environment: Environment.variables)
            var inspector = SystemUpdateInspector(source)
            inspector.probe.installedLimit = versionTimeout
            let found = inspector.installed()
            (app.version, app.versionOrigin) = (found.installed, found.installed == nil ? nil : source.installedName)
            if let problem = found.installedProblem { reportUnknownVersion("\(source.installedName ?? source.name) \(problem)") }
        }
        return app
    }

    private func reportUnknownVersion(_ problem: String) {
        StandardError.print("bellerophon: the version of \(programName) is not known: \(problem)")
    }

    private var programName: String { (command.name as NSString).lastPathComponent }

    private var fingerprint: String {
        GuardNesting.fingerprint(
            statusURL: url.absoluteString, trustKeys: configuration.trustedKeys, audience: configuration.trust?.audience)
    }

    private var isNested: Bool {
        simulation == nil
            && GuardNesting.isNested(
                environment: Environment.variables, isAncestor: OwnProcess.isAncestor,
                isGuard: { GuardRegistry.usual(Environment.variables).hasGuard(among: [$0], fingerprint: fingerprint) },
                fingerprint: fingerprint)
    }

    @MainActor
    private func makeSetup(_ app: AppInfo, _ installation: Installation?) -> GuardSetup {
        let source: URLSessionStatusSource =
            simulation?.source(timeout: configuration.timeout) ?? configuration.source(at: url)
        var manager = BellerophonConfig(window: nil, source: source)
        manager.take(configuration, configuration.display, isSimulated: simulation != nil)
        manager.bundledStatus = bundledStatus
        manager.stream = simulation == nil ? configuration.stream : nil
        manager.app = app
        manager.store = remembers ? StateFile.store(for: url, trust: configuration.trust) : nil
        let (killKeys, updateKeys) = (configuration.display.keys.killView, configuration.display.keys.updateView)
        let isPlain = configuration.display.isPlain
        manager.reducesMotion = isPlain || manager.reducesMotion
        manager.killSwitchView = GuardViews.kill(isPlain: isPlain, keys: killKeys)
        manager.forceUpdateView = GuardViews.update(isPlain: isPlain, keys: updateKeys)
        var setup = GuardSetup(command: command, configuration: manager)
        setup.isPlain = isPlain
        setup.depth = configuration.display.color.depth
        setup.theme = configuration.display.theme
        setup.glyphs = configuration.display.glyphs.style
        setup.usesHyperlinks = configuration.display.usesHyperlinks
        if let simulation { setup.clock = simulation.clock(DispatchClock()) }
        setup.policy = policy
        (setup.restart, setup.origin) = (restart, origin)
        if let installation {
            setup.updates = .of(
                path: installation.path, installation, options: app.update, goesOn: policy.goesOn,
                environment: Environment.variables)
        }
        setup.registry = GuardRegistry.usual(Environment.variables)
        setup.fingerprint = simulation == nil ? fingerprint : ""
        return setup
    }
}
