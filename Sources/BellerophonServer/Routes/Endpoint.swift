import BellerophonStore
import NIOHTTP1

/// What the server does at one path with one method. The methods that a path permits, the limits of a request, its slot and the
/// label of its metrics follow from this value.
struct Endpoint: Sendable {
    typealias Handler = @Sendable (Call) async throws -> Response
    typealias TokenHandler = @Sendable (Call, Principal) async throws -> Response
    /// What the token of a request must permit.
    typealias Permission = @Sendable (PathParameters) throws -> TokenScope

    /// Who may use the endpoint, and what it does then.
    enum Access: Sendable {
        case anyone(Handler)
        case token(Permission, TokenHandler)
    }

    let method: HTTPMethod
    let path: PathPattern
    /// The class under which requests are counted.
    let route: RouteClass
    /// What limits the number of concurrent requests.
    let slot: RequestSlot
    let body: BodyRule
    let access: Access

    init(
        _ method: HTTPMethod, _ path: PathPattern, _ route: RouteClass, _ slot: RequestSlot = .others,
        _ handler: @escaping Handler
    ) {
        (self.method, self.path, self.route, self.slot) = (method, path, route, slot)
        body = .document
        access = .anyone(handler)
    }

    /// An endpoint for operators.
    init(
        _ method: HTTPMethod, _ path: PathPattern, _ route: RouteClass, _ slot: RequestSlot, body: BodyRule = .document,
        for permission: @escaping Permission, _ handler: @escaping TokenHandler
    ) {
        (self.method, self.path, self.route, self.slot) = (method, path, route, slot)
        self.body = body
        access = .token(permission, handler)
    }

    /// An endpoint for operators whose permission does not depend on the path.
    init(
        _ method: HTTPMethod, _ path: PathPattern, _ route: RouteClass, _ slot: RequestSlot, body: BodyRule = .document,
        for permission: TokenScope, _ handler: @escaping TokenHandler
    ) {
        self.init(method, path, route, slot, body: body, for: { _ in permission }, handler)
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
