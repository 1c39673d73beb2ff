import Bellerophon
import Foundation

/// The app's status source inside the simulation. Every call comes on the main actor.
struct SoakSource: StatusSource {
    let name = "soak/status"
    let host = "soak"
    let fetch: @MainActor @Sendable (@escaping @Sendable (Result<StatusReply, StatusError>) -> Void) -> StatusCheck

    func fetchStatus(_ completion: @escaping @Sendable (Result<StatusReply, StatusError>) -> Void) -> StatusCheck {
        MainActor.assumeIsolated { fetch(completion) }
    }
}

/// The app's stream inside the simulation. Every call comes on the main actor.
struct SoakStream: StatusStream {
    let name = "soak/events"
    let open: @MainActor @Sendable (@escaping @Sendable (StreamSignal) -> Void) -> StreamConnection

    func connect(lastEventID: String?, onSignal: @escaping @Sendable (StreamSignal) -> Void) -> StreamConnection {
        MainActor.assumeIsolated { open(onSignal) }
    }
}
