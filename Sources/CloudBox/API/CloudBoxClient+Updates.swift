import Dispatch
import Foundation
import Synchronization

extension CloudBoxClient {
    /// Emits each update of all resources from now on. Each access creates a separate stream. A slow consumer gets the
    /// newest 256 elements.
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

    /// Emits the progress of all syncs: each change of state immediately, received bytes about ten times a second. A
    /// slow consumer gets the newest 64 elements; ``facts(for:)`` always contains the current progress.
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

    /// Reports an update to the streams, the handlers and the notification's observers.
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
                    userInfo: ["identifier": update.name, "version": update.version, "data": update.data]
                )
            }
        }
    }

    /// Stores the progress of a sync. Reports it if the state has changed or 100 ms have passed since the last report.
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
