#if Server
import BellerophonServer
import BellerophonStore

/// The exit codes of `serve`. A supervisor starts it again after all of them but ``SystemExit/configuration``, which
/// stays until a person changes something.
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

    /// - Parameter kind: what stood against opening the store of a server. There a store that is missing is a setting that
    ///   names none.
    static func code(ofServing kind: StoreError.Kind) -> Int32 {
        switch kind {
        case .notAStore, .newerStore: configuration
        case .failed: ioError
        default: code(of: kind)
        }
    }
}
#endif
