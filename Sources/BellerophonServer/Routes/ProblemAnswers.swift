#if Server
import BellerophonStore
import Logging

extension HTTPError {
    /// The error for the client. Details for the operator are logged.
    init(_ error: any Error, _ logger: Logger) {
        switch error {
        case let problem as HTTPError: self = problem
        case let error as StoreError: self.init(store: error, logger)
        case is ConnectionGone, is CancellationError:
            self.init(400, "the request did not come whole", hint: "send it again")
        default:
            logger.error("a request failed", metadata: ["error": "\(error)"])
            self.init(500, "the server failed at this", hint: "its log says more")
        }
    }

    private init(store error: StoreError, _ logger: Logger) {
        let code =
            switch error.kind {
            case .invalid, .withdrawn: 400
            case .notFound: 404
            case .needsApproval, .notGranted: 403
            case .conflict: 409
            case .overtaken: 412
            case .digestMismatch: 422
            case .busy, .unavailable, .unconfirmed: 503
            case .unknown: 504
            case .full: 507
            case .notPermitted, .notAStore, .newerStore, .damaged, .broughtBack, .failed: 500
            }
        if error.kind == .withdrawn { logger.notice("a request was not carried out, because its client has gone") }
        if code >= 500 { logger.error("the store refused", metadata: ["error": "\(error)"]) }
        self.init(
            code, error.message, hint: error.hint ?? "correct it and send it again",
            headers: code == 503 ? [("Retry-After", "1")] : []
        )
    }
}
#endif
