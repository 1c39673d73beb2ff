import Dispatch
public import Foundation
import Synchronization

extension Notification.Name {
    /// Posted on the main actor after an update; `userInfo` has the original's facts: `identifier` (`String`),
    /// `version` (`Int64`) and `data` (`Data`). The object is the ``CloudBox``.
    public static let kGBCloudBoxResourceUpdatedNotification = Notification.Name("kGBCloudBoxResourceUpdatedNotification")
}

extension CloudBox {
    /// Each update from now on, of all resources. Every call makes a stream of its own; a listener that is slow gets the
    /// newest 256.
    public var updates: AsyncStream<ResourceUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: ResourceUpdate.self, bufferingPolicy: .bufferingNewest(256))
        let number = state.withLock { state in
            let number = state.streamNumber()
            state.updateStreams[number] = continuation
            return number
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.updateStreams.removeValue(forKey: number) }
        }
        return stream
    }

    /// Calls a handler on the main actor after each update of a resource.
    public func addPostUpdateHandler(
        for name: String, _ handler: @escaping @MainActor @Sendable (ResourceUpdate) -> Void
    ) throws(CloudBoxError) {
        try change(name) { $0.handlers.append(handler) }
    }

    /// How far syncs have come: each change of state at once, received bytes about ten times a second. A listener that
    /// is slow gets the newest 64; ``facts(for:)`` always has the present.
    public var progress: AsyncStream<ResourceProgress> {
        let (stream, continuation) = AsyncStream.makeStream(of: ResourceProgress.self, bufferingPolicy: .bufferingNewest(64))
        let number = state.withLock { state in
            let number = state.streamNumber()
            state.progressStreams[number] = continuation
            return number
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.progressStreams.removeValue(forKey: number) }
        }
        return stream
    }

    /// Tells everybody of an update.
    func tell(_ update: ResourceUpdate, of name: ResourceName) {
        let (streams, handlers) = state.withLock { state in
            (Array(state.updateStreams.values), state.entries[name]?.handlers ?? [])
        }
        for stream in streams { stream.yield(update) }
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                for handler in handlers { handler(update) }
                NotificationCenter.default.post(
                    name: .kGBCloudBoxResourceUpdatedNotification, object: self,
                    userInfo: ["identifier": update.identifier, "version": update.version, "data": update.data]
                )
            }
        }
    }

    /// Notes how far a sync has come, and tells it where the state changed or a tenth of a second has passed.
    func note(_ progress: ResourceProgress, of name: ResourceName, at now: ContinuousClock.Instant = .now) {
        let streams = state.withLock { state -> [AsyncStream<ResourceProgress>.Continuation] in
            guard var entry = state.entries[name] else { return [] }
            let isDue = entry.progressTold.map { $0.duration(to: now) >= .milliseconds(100) } ?? true
            let isNews = entry.progress.state != progress.state
            entry.progress = progress
            if isDue || isNews { entry.progressTold = now }
            state.entries[name] = entry
            return isDue || isNews ? Array(state.progressStreams.values) : []
        }
        for stream in streams { stream.yield(progress) }
    }
}
