import BellerophonStore
import Logging

extension HTTPError {
    /// The error for the client. Details for the operator are logged.
    init(_ error: any Error, _ logger: Logger) {
        switch error {
        case let problem as HTTPError: self = problem
        case let error as StoreError: self.init(error, logger)
        case is ConnectionGone, is CancellationError:
            self.init(400, "the request was incomplete", type: .withdrawn, hint: "send it again")
        default:
            logger.error("a request failed", metadata: ["error": "\(error)"])
            self.init(500, "the server failed to carry out the request", hint: "its log says more")
        }
    }

    private init(_ error: StoreError, _ logger: Logger) {
        let type = ProblemType(error.kind)
        if error.kind == .withdrawn { logger.notice("a request was not carried out, because its client has disconnected") }
        if type.code >= 500 { logger.error("the store refused", metadata: ["error": "\(error)"]) }
        switch (error.kind, error.neededScope) {
        // A token may not make a change, as decided with the change.
        case (.unknownToken, _): self = .wrongToken
        case (.expiredToken, _): self = .expiredToken
        case (.forbidden, let permission?): self = .forbidden(permission, because: error.hint)
        default:
            self.init(
                type.code, error.message, type: type, hint: error.hint ?? "correct it and send it again",
                headers: type.code == 503 ? [("Retry-After", "1")] : [])
        }
    }
}
