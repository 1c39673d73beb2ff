import ArgumentParser
import Bellerophon
import BellerophonBase
import Foundation
import Processes
import ProgramKit
import TerminalGuard

/// `bellerophon guard install`: puts a wrapper in front of a program.
struct GuardInstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Put a wrapper in front of a program, as its profile says.",
        discussion: """
            Reads the profile \(GuardFolder().path)/NAME.json, and writes the wrapper to the path that the profile names. \
            The wrapper is a small shell script. A shell that finds it before the program starts the program under the \
            guard. A shell that is already open may have to forget the former place (hash -r).

            The command can be repeated: it changes nothing if the wrapper is installed, and writes it again after a change \
            of the profile. It tries the status address first, and installs nothing if the status can't be read. It never \
            overwrites a file that it did not write. If bellerophon is removed later, the wrapper \
            starts the program without the guard.

            A profile, and every folder from / to its file, must belong to root and be writable by nobody else. Every user \
            of the program must be able to read it, so it must not contain secrets. For example:

              {
                "program": "/usr/bin/psql",
                "wrapper": "/usr/local/bin/psql",
                "config": { "status": { "url": "https://status.example.com/status" } },
                "onKill": "cover"
              }

            "config" has the keys of config.example.json; "configFile" names a file with them instead. The other keys are \
            those of the flags of guard: onKill (cover, pause or terminate), onUpdate (also restart), grace (seconds for terminate and restart), \
            start (wait, exit or anyway), startTimeout (seconds) and exitCode. "versionCommand" is an array of texts that begins \
            with an absolute path, such as ["/usr/bin/psql", "--version"]: the command that prints the version of the program, \
            for the rules of a status.

               0  installed, or already installed
              64  the name, the profile, or the owner or permissions of a file are not accepted
              69  the status can't be read at the address of the profile
              73  another file is in the way, or the wrapper can't be written
              74  a file can't be read
              75  another install or uninstall has not finished
              77  no permission; run the command as root
            """
    )

    @Argument(help: "The name of the profile: its file in guard.d without .json.")
    var name: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The bellerophon that the wrapper starts.", discussion: "Default: the path by which this command was started.",
            valueName: "path"),
        completion: .file())
    var bellerophon: String?

    @Flag(name: .long, help: "Do not try the status address, for a machine that can't reach its server now.")
    var offline = false

    func run() throws {
        try reportingProblems(isForAdministrator: true) {
            let profile = try GuardProfileName(validating: name)
            let installation = try GuardInstaller.usual.install(
                profile, bellerophon: try executable(),
                statusProblem: offline ? nil : try GuardProfileConfiguration.statusProblem(of: profile))
            let (wrapper, program) = (installation.wrapper, installation.program)
            switch installation.result {
            case .installed: StandardOutput.print("\(name): installed \(wrapper) in front of \(program)")
            case .rewritten: StandardOutput.print("\(name): wrote \(wrapper) again, in front of \(program)")
            case .alreadyInstalled: StandardOutput.print("\(name): already installed, \(wrapper) in front of \(program)")
            }
            GuardInstaller.report(installation.notes, of: name)
        }
    }

    private func executable() throws -> AbsolutePath {
        if let bellerophon {
            guard let path = AbsolutePath(bellerophon) else {
                throw ValidationError(
                    "--bellerophon: expected an absolute path without \".\" and \"..\", found \"\(bellerophon)\"")
            }
            return path
        }
        let path = OwnExecutable.path(actual: Bundle.main.executablePath ?? "")
        guard let path = AbsolutePath(path) else {
            throw ValidationError("the path of bellerophon is unknown; name it with --bellerophon")
        }
        return path
    }
}

/// `bellerophon guard uninstall`: removes a wrapper.
struct GuardUninstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall",
        abstract: "Remove the wrapper of a program.",
        discussion: """
            Removes what `bellerophon guard install NAME` has written, also if the profile was deleted since. The program \
            itself and the profile stay. A wrapper that was changed by hand is left, with an error.

               0  removed, or not installed
              64  the name, or the owner or permissions of a file are not accepted
              73  the wrapper was changed since the install, or can't be removed
              74  a file can't be read
              75  another install or uninstall has not finished
              77  no permission; run the command as root
            """
    )

    @Argument(help: "The name of the profile: its file in guard.d without .json.")
    var name: String

    func run() throws {
        try reportingProblems(isForAdministrator: true) {
            let removal = try GuardInstaller.usual.uninstall(try GuardProfileName(validating: name))
            for wrapper in removal.removed { StandardOutput.print("\(name): removed \(wrapper)") }
            if removal.removed.isEmpty { StandardOutput.print("\(name): not installed") }
            GuardInstaller.report(removal.notes, of: name)
        }
    }
}

/// `bellerophon guard status`: lists the profiles and their wrappers.
struct GuardStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "List the profiles of guarded programs, and whether their wrappers are installed.",
        discussion: """
            Lists every profile in \(GuardFolder().path), with the state of its wrapper:

              installed      a shell with this PATH finds the wrapper first
              not installed  there is no wrapper
              outdated       the profile or the wrapper's permissions changed; install it again
              changed        the file at the wrapper's path was not written by install, or was edited since
              shadowed       a shell with this PATH finds another program first
              unguarded      bellerophon was removed, so the program runs without the guard
              refused        the profile is not accepted

            The last line says what holds everything that a program starts if you start its guard here: a control group, or signals \
            to each process.

            With --check, it also reads the status at the address of every profile, as the guard does.

               0  every profile is installed or not installed
               1  at least one profile has another state
              12  with --check: the status of at least one profile can't be read
              74  the folder can't be read
              77  no permission to read the folder
            """
    )

    @Flag(name: .long, help: "Print one JSON object instead of text.")
    var json = false

    @Flag(name: .long, help: "Also read the status at the address of every profile.")
    var check = false

    func run() throws {
        let report = try reportingProblems(isForAdministrator: true) {
            let profiles = try GuardInstaller.usual.status(searchPath: Environment.variables["PATH"] ?? "")
            let readings = check ? GuardProfileConfiguration.readings(of: profiles.compactMap { GuardProfileName($0.name) }) : nil
            return GuardStatusReport(
                folder: GuardFolder().path, profiles: profiles, readings: readings, holding: ProgramTree.usualMechanism)
        }
        StandardOutput.print(json ? report.json : report.text)
        if report.needsAttention { throw ExitCode(1) }
        if report.hasUnreadableStatus { throw ExitCode(12) }
    }
}

/// The settings of the kill switch in a profile.
enum GuardProfileConfiguration {
    /// Reads and checks the settings. Neither the environment nor the user's own file is consulted: the administrator decides.
    static func read(
        _ data: Data, origin: String
    ) throws(ConfigurationError) -> (configuration: ProgramKit.Configuration, url: URL) {
        var configuration = ProgramKit.Configuration()
        try configuration.apply(file: data, origin: origin)
        try configuration.validate(origin: origin)
        guard let url = configuration.statusURL else {
            throw ConfigurationError(
                origin: origin, "status.url: missing; write the http or https address of the status document")
        }
        if let path = configuration.bundledStatus, AbsolutePath(path) == nil {
            throw ConfigurationError(
                origin: origin, "status.bundled: expected an absolute path, because the program can be started in any folder")
        }
        return (configuration, url)
    }

    static let check: GuardConfigurationCheck = { (data, origin) throws(ConfigurationError) in
        _ = try read(data, origin: origin)
    }

    static func load(_ name: GuardProfileName) throws -> LoadedGuardProfile { try GuardFolder().load(name, checking: check) }

    // MARK: The status address

    /// What the addresses of profiles give, by name. A profile that is not accepted has none.
    static func readings(of names: [GuardProfileName]) -> [String: StatusReading] {
        let watched = names.compactMap { name in (try? program(of: name)).map { (name.text, $0) } }
        let results = StatusFetch.results(of: watched.map(\.1.source))
        let readings = zip(watched, results).map { ($0.0, StatusReading($1, app: $0.1.app, at: Date())) }
        return Dictionary(readings) { first, _ in first }
    }

    /// Why the status of a profile can't be read; nil if it can.
    static func statusProblem(of name: GuardProfileName) throws -> String? {
        let (source, app) = try program(of: name)
        return StatusReading(StatusFetch.results(of: [source])[0], app: app, at: Date()).problem.map {
            "can't read the status at \(source.host): \($0)"
        }
    }

    /// The source of a profile's status, and what is known of its program.
    private static func program(of name: GuardProfileName) throws -> (source: URLSessionStatusSource, app: AppFacts) {
        let loaded = try load(name)
        var (configuration, url) = try loaded.configuration.read(read)
        // The command that prints the version is not run here: this may be root, and the program may belong to somebody else.
        let program = ProgramCommand([loaded.profile.program.text])
        configuration.app.facts["source"] = configuration.app.facts["source"] ?? program.source
        return (configuration.source(at: url), configuration.app.appFacts)
    }
}

extension GuardInstaller {
    /// The installer for the profiles of this machine.
    fileprivate static var usual: GuardInstaller { GuardInstaller(checking: GuardProfileConfiguration.check) }

    fileprivate static func report(_ notes: [String], of name: String) {
        for note in notes { StandardError.print("bellerophon: \(name): note: \(note)") }
    }
}
