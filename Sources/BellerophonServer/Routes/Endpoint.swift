import BellerophonStore
import NIOHTTP1

/// What the server does at one path with one method. The methods that a path permits, the limits of a request, its slot and the
/// label of its metrics follow from this value.
struct Endpoint: Sendable {
    typealias Handler = @Sendable (Call) async throws -> Response
    typealias TokenHandler = @Sendable (Call, Principal) async throws -> Response
    /// Who sends a request, if that person may do so.
    typealias Authorization = @Sendable (Call, TokenScope) async throws -> Principal

    let method: HTTPMethod
    let path: PathPattern
    /// The class under which requests are counted.
    let route: RouteClass
    /// What limits the number of concurrent requests.
    let slot: RequestSlot
    var body = BodyRule.document
    let needsToken: Bool
    /// Carries out a request, which it has authorized if it needs a token.
    let handle: @Sendable (Call, Authorization) async throws -> Response

    init(
        _ method: HTTPMethod, _ path: PathPattern, _ route: RouteClass, _ slot: RequestSlot = .others,
        _ handler: @escaping Handler
    ) {
        (self.method, self.path, self.route, self.slot, needsToken) = (method, path, route, slot, false)
        handle = { call, _ in try await handler(call) }
    }

    /// An endpoint for operators. Those that read, those that receive resources, and those that publish have slots of their own.
    /// - Parameters:
    ///   - permission: what the token must permit; nil for a change of the path's status.
    ///   - query: the fields that the query may have, with spaces between them.
    init(
        _ method: HTTPMethod, _ path: PathPattern, _ route: RouteClass, _ body: BodyRule = .document,
        for permission: TokenScope?, _ query: String, _ handler: @escaping TokenHandler
    ) {
        slot = method == .GET ? .operatorReads : body == .resource ? .uploads : .publishing
        (self.method, self.path, self.route, self.body, needsToken) = (method, path, route, body, true)
        let known = query.split(separator: " ").map(String.init)
        handle = { call, authorize in
            let principal = try await authorize(call, permission ?? .rules(try Scope(call.parameters)))
            var call = call
            call.query = try QueryFields(call.head, known: known)
            return try await handler(call, principal)
        }
    }

    /// The slot that a request takes, by its token. The endpoint checks what the token allows.
    /// - Parameters:
    ///   - bearer: the token of the request.
    ///   - tokens: the existing tokens, by their hash.
    /// - Returns: nil if the token is missing; without a token's record if it is unknown or not needed.
    func slot(bearer: String?, known tokens: [String: TokenRecord]) -> (slot: RequestSlot, token: TokenRecord?)? {
        guard needsToken else { return (slot, nil) }
        guard let bearer else { return nil }
        let token = Store.tokenHash(bearer).flatMap { tokens[$0] }
        return (token == nil ? .unknownTokens : slot, token)
    }

    /// The end of all requests that no endpoint takes.
    static func refusing(_ error: HTTPError) -> Endpoint {
        Endpoint(.GET, "", .other) { _ in throw error }
    }

    /// HEAD has the same handler as GET; the connection leaves the body out.
    var methods: [String] { method == .GET ? ["GET", "HEAD"] : [method.rawValue] }
}

/// The limits of a request's body.
enum BodyRule: Equatable, Sendable {
    case document
    /// A resource: it may be large, and must arrive at a rate.
    case resource

    /// In bytes.
    func size(_ limits: Limits) -> Int64 { self == .resource ? limits.resourceSize : Limits.documentSize }

    /// From the end of the head to the end of the body.
    func time(_ limits: Limits) -> Duration { self == .resource ? limits.uploadTime : limits.bodyTime }
}
