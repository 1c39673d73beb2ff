import BellerophonBase
import Dispatch
import Foundation
import Synchronization

extension CloudBoxClient {
    /// Emits each update of all resources from now on. Each access creates a separate stream. A slow consumer gets the
    /// newest 256 elements.
    public var updates: AsyncStream<ResourceUpdate> { updateStreams.stream() }

    /// Calls a handler on the main actor after each update of a resource.
    public func addPostUpdateHandler(
        for name: String, _ handler: @escaping @MainActor @Sendable (ResourceUpdate) -> Void
    ) throws(CloudBoxError) {
        try change(name) { $0.handlers.append(handler) }
    }

    /// Emits the progress of all syncs: each change of state immediately, received bytes about ten times a second. A
    /// slow consumer gets the newest 64 elements; ``facts(for:)`` always contains the current progress.
    public var progress: AsyncStream<ResourceProgress> { progressStreams.stream() }

    /// Reports an update to the streams, the handlers and the notification's observers.
    func publish(_ update: ResourceUpdate, of name: ResourceName) {
        let handlers = state.withLock { $0.entries[name]?.handlers ?? [] }
        updateStreams.send(update)
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                for handler in handlers { handler(update) }
                NotificationCenter.default.post(
                    name: .kGBCloudBoxResourceUpdatedNotification, object: self,
                    userInfo: ["identifier": update.name, "version": update.version, "data": update.data]
                )
            }
        }
    }

    /// Stores the progress of a sync. Reports it if the state has changed or 100 ms have passed since the last report.
    func record(_ progress: ResourceProgress, of name: ResourceName) {
        let now = ContinuousClock.now
        let isReported = state.withLock { state in
            state.update(name) { entry in
                let isDue = entry.progressReportedAt.map { $0.duration(to: now) >= .milliseconds(100) } ?? true
                let isNews = entry.progress.state != progress.state
                entry.progress = progress
                if isDue || isNews { entry.progressReportedAt = now }
                return isDue || isNews
            }
        }
        if isReported == true { progressStreams.send(progress) }
    }
}
