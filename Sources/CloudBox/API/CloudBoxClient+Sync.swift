import BellerophonBase
import Foundation
import Synchronization

extension CloudBoxClient {
    /// Requests a newer version from the source servers and installs it.
    ///
    /// The current version stays in use until the new one is complete and durable on disk. Concurrent calls for the
    /// same resource share one sync. Errors are part of the outcome.
    ///
    /// Cancelling the calling task does not end the sync, which other callers may share: use ``cancelSyncs()``.
    @discardableResult
    public func sync(_ name: String) async -> SyncOutcome {
        let known: ResourceName
        do throws(CloudBoxError) {
            known = try entry(name).name
        } catch {
            return .failed(error)
        }
        return await runningSync(known).value
    }

    /// Syncs all registered resources, up to ``CloudBoxConfiguration/Limits/transfers`` at a time, independently of
    /// each other.
    /// - Returns: the outcomes by resource name.
    @discardableResult
    public func syncAll() async -> [String: SyncOutcome] {
        await withTaskGroup(of: (String, SyncOutcome).self) { group in
            for name in registeredNames { group.addTask { (name, await self.sync(name)) } }
            var outcomes: [String: SyncOutcome] = [:]
            for await (name, outcome) in group { outcomes[name] = outcome }
            return outcomes
        }
    }

    /// Cancels all syncs, for example at exit. Received bytes are kept, and the next sync continues from them.
    ///
    /// Returns immediately, while the syncs may still write. A sync that is requested later waits until they have ended.
    public func cancelSyncs() {
        let tasks = state.withLock { state in
            let running = state.entries.compactMapValues { $0.running?.task }
            for (name, task) in running {
                state.entries[name]?.ending = task
                state.entries[name]?.running = nil
            }
            return Array(running.values)
        }
        for task in tasks { task.cancel() }
    }

    /// Cancels all syncs and waits until they have stopped writing, for example before the folder is removed.
    package func cancelSyncsAndWait() async {
        cancelSyncs()
        for task in state.withLock({ $0.entries.values.compactMap(\.ending) }) { _ = await task.value }
    }

    /// The running sync of a resource, or a new one.
    private func runningSync(_ name: ResourceName) -> Task<SyncOutcome, Never> {
        state.withLock { state in
            if let running = state.entries[name]?.running { return running.task }
            let (number, ending) = (state.syncNumber(), state.entries[name]?.ending)
            let task = Task {
                _ = await ending?.value
                return await self.performSync(name, number)
            }
            state.entries[name]?.running = (number, task)
            return task
        }
    }

    private func performSync(_ name: ResourceName, _ number: Int) async -> SyncOutcome {
        let start = ContinuousClock.now
        record(ResourceProgress(name: name.text, state: .waiting), of: name)
        let outcome =
            await transfers.withPermit { await SyncRun(self, name).perform() }
            ?? .failed(CloudBoxError(name.text, .cancelled))
        let last = SyncRecord(outcome: outcome, at: Date(), duration: start.duration(to: .now))
        let known = state.withLock { state in
            state.entries[name]?.lastSync = last
            if state.entries[name]?.running?.number == number { state.entries[name]?.running = nil }
            return state.entries[name]?.progress
        }
        var progress = known ?? ResourceProgress(name: name.text, state: .idle)
        progress.state = Self.progressState(after: outcome)
        record(progress, of: name)
        return outcome
    }

    private static func progressState(after outcome: SyncOutcome) -> ResourceProgress.State {
        switch outcome {
        case .updated: .updated
        case .unchanged, .busyElsewhere: .unchanged
        case .failed: .failed
        }
    }
}
