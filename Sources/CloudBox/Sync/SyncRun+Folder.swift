import Foundation

/// How syncs of several processes share a folder, and how a sync ends.
extension SyncRun {
    /// Whose a resource's folder is.
    private enum FolderAccess {
        case ours
        case anotherProcess
        /// The disk refused, or the sync was cancelled, which makes no folder.
        case failed(CloudBoxError.Reason)
    }

    /// Takes the folder for the rest of the sync.
    /// - Returns: the outcome of the sync, where it ends here: another process has the folder, or has installed that
    ///   version meanwhile.
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
        // A process that only tidies, or keeps a tag, gives it back in a moment.
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

    /// Takes a newer version that another process has installed.
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

    /// Removes what a killed process has left, where that could not be done before.
    private func tidy() {
        guard box.needsTidying(name) else { return }
        lock = nil
        guard folder.tidy() else { return }
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
