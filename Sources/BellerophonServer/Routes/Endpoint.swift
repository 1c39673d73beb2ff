import BellerophonStore
import NIOHTTP1

/// What the server does at one path with one method. The methods that a path permits, the limits of a request, its slot and the
/// label of its metrics follow from this value.
struct Endpoint: Sendable {
    typealias Handler = @Sendable (Call) async throws -> Response
    typealias TokenHandler = @Sendable (Call, Principal) async throws -> Response
    /// Who may use the endpoint, and what it does then.
    enum Access: Sendable {
        case anyone(Handler)
        /// What the token of a request must permit, nil for a change of the path's status, and the fields that the query may have.
        case token(TokenScope?, query: [String], TokenHandler)
    }

    let method: HTTPMethod
    let path: PathPattern
    /// The class under which requests are counted.
    let route: RouteClass
    /// What limits the number of concurrent requests.
    let slot: RequestSlot
    var body = BodyRule.document
    let access: Access

    init(
        _ method: HTTPMethod, _ path: PathPattern, _ route: RouteClass, _ slot: RequestSlot = .others,
        _ handler: @escaping Handler
    ) {
        (self.method, self.path, self.route, self.slot, access) = (method, path, route, slot, .anyone(handler))
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
        (self.method, self.path, self.route, self.body) = (method, path, route, body)
        access = .token(permission, query: query.split(separator: " ").map(String.init), handler)
    }

    /// The end of all requests that no endpoint takes.
    static func refusing(_ error: HTTPError) -> Endpoint {
        Endpoint(.GET, "", .other) { _ in throw error }
    }

    /// Whether it reads the store itself, and not only what the publisher has read, so that it may wait for the disk.
    var readsStore: Bool { needsToken || slot == .downloads }

    var needsToken: Bool {
        if case .token = access { true } else { false }
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
