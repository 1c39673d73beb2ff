#if Server
import NIOHTTP1

/// The class of a request for the router, and the limits of its body.
struct RequestKind: Equatable {
    let route: RouteClass
    let place: RequestPlace
    /// The request is refused without a token.
    let needsToken: Bool
    /// In bytes.
    let bodyLimit: Int64
    let bodyTime: Duration

    init(_ method: HTTPMethod, path: String, _ settings: LaneSettings) {
        let route = Self.route(method, path, settings)
        let operators = RequestPlace(forOperators: method, path)
        self.route = route
        needsToken = operators != nil
        place = operators ?? Self.place(route)
        let isUpload = place == .uploads
        bodyLimit = isUpload ? settings.limits.resourceSize : Limits.documentSize
        bodyTime = isUpload ? settings.limits.uploadTime : settings.limits.bodyTime
    }

    private static func place(_ route: RouteClass) -> RequestPlace {
        switch route {
        case .metrics, .ready: .figures
        case .data: .downloads
        case .status, .events, .meta, .alive, .publish, .journal, .resources, .other: .others
        }
    }

    private static func route(_ method: HTTPMethod, _ path: String, _ settings: LaneSettings) -> RouteClass {
        if path.hasPrefix(settings.dataPath + "/") { return .data }
        if path.hasPrefix(settings.metaPath + "/") || path.hasPrefix(settings.metaPath + ".jws/") { return .meta }
        if path == "/metrics" { return .metrics }
        if path == "/ready" { return .ready }
        if path == "/v1/journal" || path == "/v1/scopes" || path.hasPrefix("/v1/tokens") { return .journal }
        if path == "/v1/approval" { return method == .PUT ? .publish : .journal }
        if path.hasPrefix("/v1/proposals") { return method == .POST ? .publish : .journal }
        if path.hasPrefix("/v1/resources") { return .resources }
        if path.hasSuffix("/status") { return method == .GET || method == .HEAD ? .status : .publish }
        if path.hasSuffix("/status.jws") { return .status }
        return path.hasSuffix("/events") || path.hasSuffix("/events.jws") ? .events : .other
    }
}
#endif
