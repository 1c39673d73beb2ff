import Foundation
import Synchronization

/// The installation of a received file.
extension SyncRun {
    /// Installs the received file.
    /// - Returns: the reason for a failure; nil on success.
    func install(_ version: Int64, of meta: ResourceMeta) -> CloudBoxError.Reason? {
        guard let part else { return .disk("no file was received") }
        progress(.installing, part.count, part.count)
        guard version > usableOnDisk ?? -1 else {
            folder.removePart()
            return .staleFile(version: version, promised: meta.version)
        }
        if let refusal = refusal(of: version) {
            folder.removePart()
            return refusal
        }
        let digest = digests.first { $0.kind == .sha256 }
        do throws(CloudBoxError) {
            use(try folder.install(part.descriptor, as: version, size: part.count, digest: digest, at: Date()))
            return nil
        } catch {
            return error.reason
        }
    }

    /// The newest version in the folder, unless the deserializer rejected it.
    private var usableOnDisk: Int64? {
        let found = folder.newest().version?.version
        return found == refused?.version ? nil : found
    }

    /// Removes a part file that can't become a valid version: it is complete but invalid, or larger than it may be.
    func discardPart(after answer: SyncMachine.FileAnswer, _ action: SyncMachine.Action) {
        switch answer {
        case .complete:
            if case .install = action { return }
        case .failed(.tooLarge), .failed(.wrongSize), .failed(.folderFull): break
        default: return
        }
        folder.removePart()
        updateUsedBytes()
    }

    /// Runs the app's deserializer before the old version is replaced; returns the reason for a rejection.
    func refusal(of version: Int64) -> CloudBoxError.Reason? {
        guard let deserializer = withEntry({ $0.deserializer }) ?? nil else { return nil }
        do {
            let object = try deserializer(FileInspection.data(folder.partURL))
            withEntry { $0.object = (version, object) }
            return nil
        } catch {
            let why = RefusalText.of(error)
            withEntry { $0.refused = (version, why) }
            return .refused(version: version, why)
        }
    }

    func refusedBefore(_ version: Int64) -> CloudBoxError.Reason? {
        guard let refused, refused.version == version else { return nil }
        return .refused(version: version, refused.why)
    }

    /// Puts a version into use and reports the update.
    func use(_ version: HeldVersion) {
        let previous = box.state.withLock { state in
            let previous = state.entries[name]?.held?.version
            state.entries[name]?.held = version
            state.entries[name]?.loaded = nil
            state.entries[name]?.cachedRemark = nil
            state.count(version.size, for: name)
            return previous
        }
        guard let (number, data) = try? box.version(of: name.text) else { return }
        let update = ResourceUpdate(
            name: name.text, version: number, previousVersion: previous, data: data
        )
        box.publish(update, of: name)
    }
}
