import BellerophonServer
import BellerophonStore

/// The exit codes of `serve`. A supervisor restarts it after all of them except ``SystemExit/configuration``, which
/// needs a person's change.
extension SystemExit {
    static let osError: Int32 = 71

    static func code(of kind: ServerError.Kind) -> Int32 {
        switch kind {
        case .configuration: configuration
        case .temporary: temporary
        case .system: osError
        case .disk: ioError
        case .permission: noPermission
        }
    }

    /// - Parameter kind: why the server's store can't be opened. For a server, a missing store is a configuration
    ///   error.
    static func code(ofServing kind: StoreError.Kind) -> Int32 {
        switch kind {
        case .notAStore, .newerStore: configuration
        case .failed: ioError
        default: code(of: kind)
        }
    }
}
