import Bellerophon
import Foundation
import StatusModel

/// Decides when a source is asked what can be had, what the views say of it, and when the program is started again.
///
/// A value without clock, process or terminal. ``UpdateDriver`` performs its actions.
package struct UpdateMachine: Equatable, Sendable {
    /// The program that is updated, as far as it decides what happens after an update.
    package enum Target: Equatable, Sendable {
        /// A program that can be started again.
        /// - goesOn: whether this happens right after an update, because the person has agreed to it with the command.
        case program(goesOn: Bool)
        /// A program elsewhere, which is only watched: its new version counts as soon as it is installed.
        case watched
    }

    package enum Event: Equatable, Sendable {
        /// The status requires something else than before; nil: no update.
        case required(UpdateRequirement?)
        /// The person wants to know what holds now, or the timer of ``Action/schedule(after:)`` has fired.
        case askedAgain
        /// The person goes on without the update.
        case wentOn
        /// The source and the program were asked.
        /// - runs: whether the file that was installed then is the one that runs.
        case found(UpdateFindings, runs: Bool)
        /// The command has ended, and it was asked what is installed now.
        case ran(UpdateRun)
        /// Another session has updated the program while this one waited for it. The command was not run.
        case updatedElsewhere(UpdateFindings)
        /// The app has decided what happens after an update.
        case target(Target)
    }

    /// A run of the command.
    package struct UpdateRun: Equatable, Sendable {
        package var command: UpdateCommand
        /// Whether it has ended with exit status 0.
        package var hasSucceeded: Bool
        package var attempt: UpdateReport.Attempt
        package var findings: UpdateFindings
    }

    package enum Action: Equatable, Sendable {
        /// Ask the source and the program, in the background. ``Event/found(_:)`` follows.
        case ask
        /// Start the timer. It replaces the running one.
        case schedule(after: Duration)
        /// Stop the timer.
        case cancelTimer
        /// ``UpdateMachine/report`` has changed.
        case changed
        /// The app may go on without the update until a date; nil: it may not.
        case deferUpdate(UpdateOptions.WhenUnavailable)
        /// The app has this version.
        case know(version: String)
        /// Start the program again, as the person has agreed with the command.
        case restart(version: String?)
    }

    /// The wait between two questions while nothing is known to have changed.
    static let regularWait = Duration.seconds(900)
    /// The wait after a source could not be asked. It doubles up to the regular one.
    static let shortestWait = Duration.seconds(60)

    let source: UpdateSource
    private(set) var target: Target
    private(set) var requirement: UpdateRequirement?
    /// What was found last; nil before the first reply.
    private(set) var findings: UpdateFindings?
    private(set) var isAsking = false
    /// Whether what is being asked no longer counts, because a command has run since.
    private var isReplyOutdated = false
    private var failures = 0
    /// The last run of the command, while it explains what the view says.
    private(set) var lastRun: UpdateRun?
    /// Whether the app goes on without the update.
    private var isDeferred = false
    /// The time since the requirement was evaluated.
    private var age = Duration.zero

    package init(_ source: UpdateSource, target: Target) {
        (self.source, self.target) = (source, target)
    }

    /// - Parameter age: the time since the requirement was evaluated last.
    package mutating func handle(_ event: Event, after age: Duration = .zero) -> [Action] {
        let before = report
        self.age = age
        let actions = actions(of: event)
        return report == before ? actions : actions + [.changed]
    }

    private mutating func actions(of event: Event) -> [Action] {
        switch event {
        case .required(let new): return require(new)
        case .askedAgain: return requirement == nil ? [] : ask()
        case .wentOn:
            guard allowance != nil, !isDeferred else { return [] }
            isDeferred = true
            return [.deferUpdate(source.options.whenUnavailable)]
        case .found(let found, let runs): return adopt(found, runs: runs)
        case .ran(let run): return adopt(run)
        case .updatedElsewhere(let found):
            findings?.merge(installed: found)
            if findings == nil { findings = found }
            lastRun = nil
            return settle() + goOn(found) + askAnew()
        case .target(let new):
            target = new
            return []
        }
    }

    private mutating func require(_ new: UpdateRequirement?) -> [Action] {
        let old = requirement
        // The same one was evaluated at a later time.
        requirement = new
        guard new != old else { return [] }
        guard new != nil else {
            (lastRun, findings, isReplyOutdated) = (nil, nil, isAsking)
            return [.cancelTimer] + settle()
        }
        if old?.version != new?.version { lastRun = nil }
        // What was found still counts: it does not depend on the status.
        return settle() + (findings == nil || isTrialDue ? ask() : [])
    }

    private mutating func ask() -> [Action] {
        guard !isAsking else { return [] }
        isAsking = true
        return [.cancelTimer, .ask]
    }

    /// Asks again, because what is being asked may be older than the last command.
    private mutating func askAnew() -> [Action] {
        isReplyOutdated = isAsking
        return ask()
    }

    private mutating func adopt(_ found: UpdateFindings, runs: Bool) -> [Action] {
        isAsking = false
        guard let requirement else { return [] }
        if isReplyOutdated {
            isReplyOutdated = false
            return ask()
        }
        findings = found
        if case .failed = found.available { failures += 1 } else { failures = 0 }
        // Another version is required than when the source was asked.
        if isTrialDue { return settle() + ask() }
        let pause = failures == 0 ? Self.regularWait : min(Self.shortestWait * (1 << min(failures - 1, 10)), Self.regularWait)
        let left = allowance.flatMap { requirement.timeLeft(until: $0, after: age) }
        let wait = left.map { min(pause, $0) } ?? pause
        if lastRun?.command.purpose == .refresh, lastRun?.hasSucceeded == true { lastRun = nil }
        // The program does not know its own version, and nothing has replaced it since its start.
        let known: [Action] = requirement.app.version == nil && runs ? found.installed.map { [.know(version: $0)] } ?? [] : []
        return settle() + (known.isEmpty ? watch() : known) + [.schedule(after: wait)]
    }

    private mutating func adopt(_ run: UpdateRun) -> [Action] {
        lastRun = run
        if findings == nil { findings = UpdateFindings() }
        findings?.merge(installed: run.findings)
        guard requirement != nil else { return [] }
        let goesOn = run.hasSucceeded && run.command.restarts && run.command.purpose == .update
        return settle() + (goesOn ? goOn(run.findings) : watch()) + askAnew()
    }

    /// Starts the program again if the installed version is enough.
    private func goOn(_ found: UpdateFindings) -> [Action] {
        guard case .program(goesOn: true) = target else { return watch() }
        return movedVersion.map { [.restart(version: $0)] } ?? []
    }

    /// A program elsewhere has its new version as soon as it is installed.
    private func watch() -> [Action] {
        guard target == .watched, let version = movedVersion else { return [] }
        return [.know(version: version)]
    }

    /// The installed version, if it is enough and is not the one that runs; else nil.
    var movedVersion: String? {
        guard let requirement, let installed = findings?.installed, requirement.isMet(by: installed) else { return nil }
        if let running = requirement.app.version, UpdateRequirement.isSame(running, installed) { return nil }
        return installed
    }

    /// Whether the source is known to have no version that is enough.
    var isUnavailable: Bool {
        guard requirement != nil, let findings, movedVersion == nil else { return false }
        switch findings.available {
        case .versions: return candidate == nil
        case .nothing: return true
        case .failed, .elsewhere, .notAsked: return false
        }
    }

    /// Until when the app may go on without the update, which can't be had; nil if it may not.
    var allowance: Date? {
        guard isUnavailable, case .goOn(let end) = source.options.whenUnavailable,
            requirement?.timeLeft(until: end, after: age) != nil
        else {
            return nil
        }
        return end
    }

    /// Ends the allowance when the update can be had, or is not required any longer. A source that can't be asked ends nothing.
    private mutating func settle() -> [Action] {
        guard isDeferred, requirement == nil || candidate != nil || movedVersion != nil else { return [] }
        isDeferred = false
        return [.deferUpdate(.cover)]
    }

    /// The first version of the source that is enough, and its place in the list.
    var candidate: (index: Int, version: UpdateCandidate)? {
        guard let requirement, case .versions(let versions)? = findings?.available,
            let index = versions.firstIndex(where: { requirement.isMet(by: $0.version) })
        else { return nil }
        return (index, versions[index])
    }

    /// Whether the version that would be offered was not tried yet.
    private var isTrialDue: Bool { candidate?.version.trial == .due }

    /// Whether a version is what the status requires.
    func isEnough(_ version: String) -> Bool { requirement?.isMet(by: version) ?? true }

    /// Whether the program is started again right after an event.
    func restarts(after event: Event) -> Bool {
        var next = self
        return next.handle(event).contains { if case .restart = $0 { true } else { false } }
    }
}

extension UpdateFindings {
    /// Takes over what is installed. What can be had stays as it was found before.
    mutating func merge(installed other: UpdateFindings) {
        (installed, installedProblem, isPinned, copies) =
            (other.installed, other.installedProblem, other.isPinned, other.copies)
    }
}
