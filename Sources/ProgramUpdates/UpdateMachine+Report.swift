import Bellerophon

// What the views say of a required update.
extension UpdateMachine {
    /// What the views say; nil while no update is required.
    package var report: UpdateReport? {
        guard let requirement else { return nil }
        guard canBeTold || lastRun?.hasSucceeded == false else { return nil }
        if let version = movedVersion { return report(.installed(version), action: restart(version)) }
        let (state, action) = offer(requirement)
        guard let run = lastRun else { return report(state, action: action) }
        return report(self.state(after: run) ?? state, action: self.action(after: run) ?? action)
    }

    /// Nil if no other program has installed it, or if that is not known.
    private var sourceName: String? { [MachineFacts.unknown, "file"].contains(source.kind) ? nil : source.name }
    private var path: String? { source.installation.path.isEmpty ? nil : source.installation.path }

    private func report(_ state: UpdateReport.State, action: UpdateAction?) -> UpdateReport {
        var report = UpdateReport(state, source: sourceName, path: path, action: action)
        report.isPinned = findings?.isPinned ?? false
        report.unpinCommand = report.isPinned ? source.unpinCommand : nil
        report.copies = findings?.copies ?? []
        return report
    }

    /// Whether anything can be found out. Of an app that is watched from elsewhere only what its options state is known.
    private var canBeTold: Bool {
        let options = source.options
        return target != .watched || options.source != nil || options.availableCommand != nil || options.versionCommand != nil
    }

    private func restart(_ version: String?) -> UpdateAction? { target == .watched ? nil : .restart(version: version) }

    /// What can be had, and what the key does for it.
    private func offer(_ requirement: UpdateRequirement) -> (UpdateReport.State, UpdateAction?) {
        let usual = source.needsProof ? own(requirement) : command(for: nil, isDefault: true, requirement)
        guard let findings else { return (.asking, usual) }
        switch findings.available {
        case .versions(let versions):
            guard let (index, candidate) = candidate else {
                return (.notYet(best: versions.first?.version), withoutCandidate(requirement))
            }
            switch candidate.trial {
            case .none, .fine: break
            case .due: return (.asking, nil)
            case .obstacle(let problem): return (.unclear(problem), own(requirement))
            }
            return (.ready(candidate.version), command(for: candidate, isDefault: index == 0, requirement))
        case .nothing: return (.notYet(best: nil), withoutCandidate(requirement))
        case .failed(let problem): return (.unclear(problem), usual)
        case .elsewhere(let problem): return (.unclear(problem), own(requirement))
        case .notAsked: return (.unclear(nil), usual)
        }
    }

    private func command(
        for candidate: UpdateCandidate?, isDefault: Bool, _ requirement: UpdateRequirement
    ) -> UpdateAction? {
        guard let text = source.command(for: candidate, isDefault: isDefault), !text.isEmpty else { return nil }
        return .run(
            UpdateCommand(
                text, version: candidate?.version, restarts: target == .program(goesOn: true), goesBack: requirement.goesBack))
    }

    /// The command of the app, which may know more than its source.
    private func own(_ requirement: UpdateRequirement) -> UpdateAction? {
        source.options.command == nil ? nil : command(for: nil, isDefault: true, requirement)
    }

    private func withoutCandidate(_ requirement: UpdateRequirement) -> UpdateAction? {
        allowance.map { .goOn(until: $0) } ?? refresh ?? own(requirement)
    }

    private var refresh: UpdateAction? {
        source.refreshCommand.map { .run(UpdateCommand($0, purpose: .refresh)) }
    }

    // MARK: After a run

    /// What is said because of the last run; nil if what can be had says it.
    private func state(after run: UpdateRun) -> UpdateReport.State? {
        guard run.hasSucceeded else { return .failed(run.attempt) }
        guard run.command.purpose == .update else { return nil }
        guard let findings, let found = findings.installed else { return .unproved(run.attempt, findings?.installedProblem) }
        return .unmoved(run.attempt, found: found)
    }

    /// Without a proof, only a start of the program shows what the command has done.
    private func action(after run: UpdateRun) -> UpdateAction? {
        guard run.hasSucceeded, run.command.purpose == .update, findings?.installed == nil else { return nil }
        return restart(nil)
    }
}
