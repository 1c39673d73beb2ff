import BellerophonStore
import Logging

/// All endpoints of a server.
struct Endpoints: Sendable {
    /// Who sends a request, if that person may do so.
    typealias Authorization = @Sendable (Call, TokenScope) async throws -> Principal

    /// The endpoint of a request, with the values of its path.
    struct Match: Sendable {
        let endpoint: Endpoint
        let parameters: PathParameters
    }

    var all: [Endpoint] = []
    let logger: Logger
    /// Counts the requests that are refused for their token.
    var failures: AuthenticationFailures?
    var authorize: Authorization = { _, _ in throw HTTPError.unauthorized }

    /// - Parameters:
    ///   - path: without its query.
    /// - Returns: an endpoint that refuses the request if there is none for it.
    func find(_ method: String, _ path: String) -> Match {
        let parts = PathPattern.parts(of: path)
        var methods: [String] = []
        for endpoint in all {
            guard let parameters = endpoint.path.match(parts) else { continue }
            if endpoint.methods.contains(method) { return Match(endpoint: endpoint, parameters: parameters) }
            methods += endpoint.methods
        }
        return Match(endpoint: .refusing(methods.isEmpty ? .notFound : .methodNotAllowed(methods)), parameters: [:])
    }

    func handle(_ call: Call, at endpoint: Endpoint) async throws -> Response {
        switch endpoint.access {
        case .anyone(let handle): return try await handle(call)
        case .token(let permission, let fields, let handle):
            let principal = try await authorize(call, permission ?? .rules(try Scope(call.parameters)))
            var call = call
            call.query = try QueryFields(call.request, known: fields)
            return try await handle(call, principal)
        }
    }

    /// Returns a response for every request; errors become responses.
    func respond(to request: Request, _ match: Match, _ origin: RequestOrigin) async -> Response {
        let call = Call(request: request, parameters: match.parameters, origin: origin)
        do {
            return try await handle(call, at: match.endpoint)
        } catch {
            let problem = HTTPError(error, logger)
            failures?.record(problem.type, client: origin.address, path: request.path, logger)
            return Response(problem)
        }
    }
}
