import Foundation
import Synchronization

/// How syncs of several processes share a folder, and how a sync ends.
extension SyncRun {
    /// Takes the folder for the rest of the sync.
    /// - Returns: nil where another process has it; a reason where the disk refused or the sync was cancelled, which makes
    ///   no folder then; `.some(nil)` where it is ours.
    func takeLock() async -> CloudBoxError.Reason?? {
        // A process that only tidies, or keeps a tag, gives it back in a moment.
        for _ in 0..<10 where lock == nil {
            if Task.isCancelled { return .some(.cancelled) }
            do throws(CloudBoxError) {
                lock = try folder.lock()
            } catch {
                return .some(error.reason)
            }
            if lock == nil { try? await Task.sleep(for: .milliseconds(20)) }
        }
        return lock == nil ? nil : .some(nil)
    }

    /// Takes a newer version that another process has installed.
    func adoptFromDisk() {
        guard let found = folder.newest().version else { return }
        let have = box.state.withLock { ($0.entries[name]?.held?.version, $0.entries[name]?.refused?.version) }
        guard found.version > have.0 ?? -1, found.version != have.1 else { return }
        use(found)
    }

    /// The outcome where another process has installed that version while we asked.
    func settledByAnotherProcess(_ version: Int64) -> SyncOutcome? {
        adoptFromDisk()
        let have = box.state.withLock { $0.entries[name]?.held?.version } ?? -1
        return have >= version ? conclude(.unchanged) : nil
    }

    // MARK: Ending

    func conclude(_ end: SyncMachine.End) -> SyncOutcome {
        keepTags()
        tidy()
        let have = box.state.withLock { $0.entries[name]?.held?.version }
        switch end {
        case .installed(let version): return .updated(version: version, from: before, received: received)
        case .unchanged where have != before: return .updated(version: have ?? 0, from: before, received: received)
        case .unchanged: return .unchanged(version: have)
        case .failed(let reason): return .failed(CloudBoxError(name.text, reason))
        }
    }

    /// Removes what a killed process has left, where that could not be done before.
    private func tidy() {
        guard box.state.withLock({ $0.entries[name]?.isTidy == false }) else { return }
        lock = nil
        guard folder.tidy() else { return }
        box.state.withLock { $0.entries[name]?.isTidy = true }
        countKept()
    }

    func keepTags() {
        let old = folder.state()
        var new = old
        for meta in metas { new.keep(meta.tag, of: meta.address, version: meta.version, expiresAt: meta.expiresAt) }
        guard new != old, !Task.isCancelled else { return }
        guard let held = lock ?? (try? folder.lock()) else { return }
        folder.remember { state in
            for meta in metas { state.keep(meta.tag, of: meta.address, version: meta.version, expiresAt: meta.expiresAt) }
        }
        withExtendedLifetime(held) {}
    }
}
