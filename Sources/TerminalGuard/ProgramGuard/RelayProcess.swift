import Bellerophon
import BellerophonViews
import Foundation
import Processes
import ProgramUpdates

/// The process in which a program has called ``ProgramGuard``: it starts the executable again and becomes its relay.
@MainActor
struct RelayProcess {
    private let session: GuardSession

    /// Checks everything before anything is started.
    /// - Parameter isAsync: whether the caller waits in a task, and the main queue is served meanwhile.
    /// - Returns: nil in the second process, and below a guard with the same settings.
    init?(
        _ url: URL, _ app: AppInfo, _ verifier: (any StatusVerifier)?, _ options: ProgramGuard.Options, isAsync: Bool,
        configure: (inout BellerophonConfig) -> Void
    ) throws(ProgramGuardError) {
        let owner = ProcessMark.remove()
        if owner == .thisProcess { return nil }
        try Self.verify(url, isAsync: isAsync)
        let environment = ProcessInfo.processInfo.environment
        let nesting = GuardNesting(process: getpid(), fingerprint: Self.fingerprint(url, verifier))
        let registry = GuardRegistry.usual(environment)
        if Self.isCovered(by: nesting.fingerprint, registry, environment, hasStrayMark: owner == .another) { return nil }
        let isPlain = PlainPreference.isExpressed(in: environment)
        var configuration = BellerophonConfig(
            window: nil, killSwitchView: GuardViews.kill(isPlain: isPlain), forceUpdateView: GuardViews.update(isPlain: isPlain),
            source: URLSessionStatusSource(url: url, verifier: verifier))
        configuration.reducesMotion = isPlain
        configuration.app = app
        configuration.store = FileStatusStore.userState(app, statusURL: url, isSigned: verifier != nil)
        configure(&configuration)
        var setup = GuardSetup(command: .secondProcess(nesting: nesting), configuration: configuration)
        setup.isPlain = isPlain
        setup.policy = options
        setup.origin = ProgramRestart.origin
        setup.updates = .of(
            path: setup.restart.path, options: configuration.app.update, goesOn: options.goesOn, environment: environment)
        setup.registry = registry
        setup.fingerprint = nesting.fingerprint
        // What is in a buffer now would otherwise come after the output of the second process.
        fflush(nil)
        session = GuardSession(setup, environment: environment)
    }

    nonisolated static func verify(_ url: URL, isAsync: Bool) throws(ProgramGuardError) {
        if let problem = StatusAddress.problem(of: url) { throw .unusableAddress(problem) }
        if !isAsync, withUnsafeCurrentTask(body: { $0 != nil }) { throw .calledInTask }
        guard let threads = OwnProcess.threads, ProcessMark.own != nil else {
            throw .notStarted("the system does not say which processes run (is /proc mounted?)")
        }
        if threads > 1 { throw .threadsExist(threads) }
    }

    /// Of a verifier of another module it is only known that there is one.
    static func fingerprint(_ url: URL, _ verifier: (any StatusVerifier)?) -> String {
        let keyed = verifier as? any KeyedVerifier
        return GuardNesting.fingerprint(
            statusURL: url.absoluteString, trustKeys: keyed?.keyTexts ?? (verifier == nil ? [] : ["signed"]),
            audience: keyed?.audience)
    }

    /// Whether a guard with the same settings runs above this process.
    /// - Parameter hasStrayMark: whether the environment has the mark of another process. Then the program has started further
    ///   processes before it called ``ProgramGuard``. Each of them would start the program again, without end, if no guard could be
    ///   asked; therefore it is not asked.
    private static func isCovered(
        by fingerprint: String, _ registry: GuardRegistry, _ environment: [String: String], hasStrayMark: Bool
    ) -> Bool {
        let ancestors = OwnProcess.ancestors
        let isBelieved =
            hasStrayMark
            && GuardNesting.isNested(
                environment: environment, isAncestor: ancestors.contains, isGuard: { _ in true }, fingerprint: fingerprint)
        return isBelieved || registry.hasGuard(among: ancestors, fingerprint: fingerprint)
    }

    /// Runs the program until it has ended, and ends this process in the same way.
    /// - Throws: if the program could not be started.
    func run() throws(ProgramGuardError) {
        let result: GuardEnd
        do { result = try session.run() } catch { throw .notStarted("\(error)") }
        try end(as: result)
    }

    /// The same for a caller that serves the main queue.
    func run() async throws(ProgramGuardError) {
        let result: GuardEnd
        do { result = try await session.run() } catch { throw .notStarted("\(error)") }
        try end(as: result)
    }

    private func end(as result: GuardEnd) throws(ProgramGuardError) -> Never {
        let setup = session.setup
        if case .program(let end) = result, let message = end.message(program: setup.command.name) {
            OwnProcess.restoreCrashHandlers()
            throw .notStarted(message)
        }
        result.endThisProcess(
            program: setup.command.name, exitCode: setup.policy.exitCode, restart: setup.restart,
            phrases: setup.phrases)
    }
}

extension ProgramCommand {
    /// The program of this process with the same arguments, and a mark that tells the second process that it is the second one.
    fileprivate static func secondProcess(nesting: GuardNesting) -> ProgramCommand {
        var command = ProgramCommand(arguments: OwnExecutable.arguments)
        // The path that the program was started by gives the process its name. The other one leads to what this process runs also
        // after a newer version has replaced it.
        command.paths = [OwnExecutable.path(), OwnExecutable.actual].map { Array($0.utf8) }
        command.environment[GuardNesting.variable] = nesting.value
        command.markVariable = ProcessMark.variable
        command.environment[ProgramRestart.variable] = nil
        return command
    }
}
