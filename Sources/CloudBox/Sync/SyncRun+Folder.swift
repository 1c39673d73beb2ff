import Foundation

/// The lock on a folder that processes share, and the end of a sync.
extension SyncRun {
    /// The result of locking a resource's folder.
    private enum FolderAccess {
        case ours
        case anotherProcess
        /// A disk error, or the sync was cancelled before it created the folder.
        case failed(CloudBoxError.Reason)
    }

    /// Locks the folder for the rest of the sync.
    /// - Returns: the outcome if the sync ends here: another process holds the lock or has already installed that
    ///   version, or the lock failed.
    func takeFolder(for version: Int64) async -> SyncOutcome? {
        switch await lockFolder() {
        case .anotherProcess: return .busyElsewhere
        case .failed(let reason): return conclude(.failed(reason))
        case .ours:
            adoptFromDisk()
            return box.versionInUse(of: name) ?? -1 >= version ? conclude(.unchanged) : nil
        }
    }

    private func lockFolder() async -> FolderAccess {
        // A process that only removes leftovers or stores a tag releases the lock quickly.
        for _ in 0..<10 where lock == nil {
            if Task.isCancelled { return .failed(.cancelled) }
            do throws(CloudBoxError) {
                lock = try folder.lock()
            } catch {
                return .failed(error.reason)
            }
            if lock == nil { try? await Task.sleep(for: .milliseconds(20)) }
        }
        return lock == nil ? .anotherProcess : .ours
    }

    /// Uses a newer version that another process has installed.
    func adoptFromDisk() {
        guard let found = folder.newest().version else { return }
        guard found.version > box.versionInUse(of: name) ?? -1, found.version != box.refusedVersion(of: name)?.version else {
            return
        }
        use(found)
    }

    // MARK: Ending

    func conclude(_ end: SyncMachine.End) -> SyncOutcome {
        keepTags()
        tidy()
        let have = box.versionInUse(of: name)
        switch end {
        case .installed(let version): return .updated(version: version, from: before, received: received)
        case .unchanged where have != before: return .updated(version: have ?? 0, from: before, received: received)
        case .unchanged: return .unchanged(version: have)
        case .failed(let reason): return .failed(CloudBoxError(name.text, reason))
        }
    }

    /// Removes leftovers of a killed process if that was not possible before.
    private func tidy() {
        guard box.needsTidying(name) else { return }
        lock = nil
        guard folder.tidy(have: box.versionInUse(of: name), limit: box.limit(of: name)) else { return }
        box.tidied(name)
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
