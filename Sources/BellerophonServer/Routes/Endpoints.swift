import Logging

/// All endpoints of a server.
struct Endpoints: Sendable {
    var all: [Endpoint] = []
    let logger: Logger
    /// Counts the requests that are refused for their token.
    var failures: AuthenticationFailures?
    /// The threads of operators' reads, and of all other requests that read the store: a list makes other readers wait, and no publish.
    var threads: (reads: FilePool, others: FilePool)?
    var authorize: Endpoint.Authorization = { _, _ in throw HTTPError.unauthorized }

    /// Where a request runs that reads the store itself, and not only what the publisher has read, so that it may wait for the disk.
    func executor(for endpoint: Endpoint) -> FilePool? {
        if endpoint.slot == .operatorReads { return threads?.reads }
        return endpoint.needsToken || endpoint.slot == .downloads ? threads?.others : nil
    }

    /// - Parameters:
    ///   - path: without its query.
    /// - Returns: with the values of the path; an endpoint that refuses the request if there is none for it.
    func find(_ method: String, _ path: String) -> (endpoint: Endpoint, parameters: PathParameters) {
        let parts = PathPattern.parts(of: path)
        var methods: [String] = []
        for endpoint in all {
            guard let parameters = endpoint.path.match(parts) else { continue }
            if endpoint.methods.contains(method) { return (endpoint, parameters) }
            methods += endpoint.methods
        }
        return (.refusing(methods.isEmpty ? .notFound : .methodNotAllowed(methods)), [:])
    }

    /// Returns a response for every request; errors become responses.
    func respond(to call: Call, at endpoint: Endpoint) async -> Response {
        do {
            return try await endpoint.handle(call, authorize)
        } catch {
            let problem = HTTPError(error, logger)
            failures?.record(problem.type, client: call.address, path: call.head.path, logger)
            return Response(problem)
        }
    }
}
