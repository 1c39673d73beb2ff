import Foundation

/// The lock on a folder that processes share, and the end of a sync.
extension SyncRun {
    /// Locks the folder for the rest of the sync.
    /// - Returns: the outcome if the sync ends here: another process holds the lock or has already installed that
    ///   version, the lock failed, or the sync was cancelled before it created the folder.
    func lockFolder(for version: Int64) async -> SyncOutcome? {
        // A process that only removes leftovers or stores a tag releases the lock quickly.
        for _ in 0..<10 where lock == nil {
            if Task.isCancelled { return conclude(.failed(.cancelled)) }
            do throws(CloudBoxError) {
                lock = try folder.lock()
            } catch {
                return conclude(.failed(error.reason))
            }
            if lock == nil { try? await Task.sleep(for: .milliseconds(20)) }
        }
        guard lock != nil else { return .busyElsewhere }
        adoptFromDisk()
        return versionInUse ?? -1 >= version ? conclude(.unchanged) : nil
    }

    /// Uses a newer version that another process has installed.
    func adoptFromDisk() {
        guard let found = folder.newest().version, found.version > versionInUse ?? -1, found.version != refused?.version else {
            return
        }
        use(found)
    }

    // MARK: Ending

    func conclude(_ end: SyncMachine.End) -> SyncOutcome {
        storeTags()
        tidy()
        let have = versionInUse
        switch end {
        case .installed(let version): return .updated(version: version, from: before, received: received)
        case .unchanged where have != before: return .updated(version: have ?? 0, from: before, received: received)
        case .unchanged: return .unchanged(version: have)
        case .failed(let reason): return .failed(CloudBoxError(name.text, reason))
        }
    }

    /// Removes leftovers of a killed process if that was not possible before.
    private func tidy() {
        guard withEntry({ $0.isTidy }) == false else { return }
        lock = nil
        guard folder.tidy(have: versionInUse, limit: limit) else { return }
        withEntry { $0.isTidy = true }
        updateUsedBytes()
    }

    func storeTags() {
        let old = folder.state()
        var new = old
        for meta in metas { new.setTag(meta.tag, of: meta.address, version: meta.version, expiresAt: meta.expiresAt) }
        guard new != old, !Task.isCancelled else { return }
        guard let held = lock ?? (try? folder.lock()) else { return }
        folder.remember { state in
            for meta in metas { state.setTag(meta.tag, of: meta.address, version: meta.version, expiresAt: meta.expiresAt) }
        }
        withExtendedLifetime(held) {}
    }
}
