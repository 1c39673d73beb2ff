#if Server
import BellerophonStore
import HTTPTypes
import Hummingbird
import Logging

/// Accepts only exact paths of endpoints, and renders every error of a route as a problem.
struct ProblemAnswers: RouterMiddleware {
    typealias Context = ServerContext

    let endpoints: [Endpoint]
    let logger: Logger

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        // The router treats `/status/` and `//status` as `/status`; caches and the rules of a proxy do not.
        let target = request.head.path ?? ""
        let methods = endpoints.methods(for: String(target.prefix { $0 != "?" }))
        guard methods.contains(request.method.rawValue) else {
            return Response(methods.isEmpty ? .notFound : .methodNotAllowed(methods))
        }
        do {
            return try await next(request, context)
        } catch {
            return Response(HTTPError(error, logger))
        }
    }
}

extension HTTPError {
    /// The error for the client. Details for the operator are logged.
    init(_ error: any Error, _ logger: Logger) {
        switch error {
        case let problem as HTTPError: self = problem
        case let error as StoreError: self.init(store: error, logger)
        case is ConnectionGone, is CancellationError:
            self.init(400, "the request did not come whole", type: .withdrawn, hint: "send it again")
        default:
            logger.error("a request failed", metadata: ["error": "\(error)"])
            self.init(500, "the server failed at this", hint: "its log says more")
        }
    }

    private init(store error: StoreError, _ logger: Logger) {
        let type = ProblemType(error.kind)
        if error.kind == .withdrawn { logger.notice("a request was not carried out, because its client has gone") }
        if type.code >= 500 { logger.error("the store refused", metadata: ["error": "\(error)"]) }
        self.init(
            type.code, error.message, type: type, hint: error.hint ?? "correct it and send it again",
            headers: type.code == 503 ? [("Retry-After", "1")] : []
        )
    }
}
#endif
