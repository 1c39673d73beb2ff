#if Server
import BellerophonStore
import NIOHTTP1

/// The kind of place that a request takes in the router. Each kind has its own limit, so that many or slow requests of
/// one kind do not affect the others.
enum RequestPlace: Int, Sendable, CaseIterable {
    /// Publishing a status, proposing one or a change of the rule of two persons, deciding on a proposal, rolling a resource back, removing versions, and changing tokens.
    case publishing
    /// Uploading a resource, which may take long.
    case uploads
    /// The journal, the rule of two persons, and the lists of scopes, resources, proposals and tokens.
    case operatorReads
    /// Any operator's request whose token is not in the last snapshot of the store. The token may be new or invalid.
    case unknownTokens
    /// `/metrics` and `/ready`.
    case figures
    case downloads
    case others

    /// Nil if the request needs no token, and for requests that the router refuses with any token.
    /// - Parameter path: the target without its query.
    init?(forOperators method: HTTPMethod, _ path: String) {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains("") else { return nil }
        let isResource = parts.count > 2 && parts.starts(with: ["v1", "resources"])
        switch method {
        case .PUT where Self.isStatus(parts) || parts == ["v1", "approval"]: self = .publishing
        case .PUT where isResource && parts.count == 3: self = .uploads
        case .POST where isResource && parts.count == 4 && parts[3] == "rollback": self = .publishing
        case .DELETE where isResource && parts.count == 3 || parts == ["v1", "resources"]: self = .publishing
        case .POST where Self.isDecision(parts) || parts == ["v1", "tokens"]: self = .publishing
        case .DELETE where parts.count == 3 && parts.starts(with: ["v1", "tokens"]): self = .publishing
        case .GET where Self.isList(parts), .HEAD where Self.isList(parts): self = .operatorReads
        default: return nil
        }
    }

    /// Matches `status`, `v1/apps/APP/status` and `v1/apps/APP/channels/CHANNEL/status`.
    private static func isStatus(_ parts: [Substring]) -> Bool {
        guard parts.last == "status" else { return false }
        switch parts.count {
        case 1: return true
        case 4: return parts.starts(with: ["v1", "apps"])
        case 6: return parts.starts(with: ["v1", "apps"]) && parts[3] == "channels"
        default: return false
        }
    }

    /// Matches `v1/proposals/ID/approve` and `v1/proposals/ID/reject`.
    private static func isDecision(_ parts: [Substring]) -> Bool {
        parts.count == 4 && parts.starts(with: ["v1", "proposals"]) && (parts[3] == "approve" || parts[3] == "reject")
    }

    private static func isList(_ parts: [Substring]) -> Bool {
        guard parts.first == "v1" else { return false }
        if parts.count == 3 { return parts[1] == "proposals" }
        return parts.count == 2 && ["journal", "scopes", "resources", "proposals", "approval", "tokens"].contains(parts[1])
    }
}

/// Whether a request may take a place, and of which kind, by its token. The router checks what the token allows.
enum Admission: Equatable {
    /// - Parameter token: nil if it is unknown or not needed.
    case place(RequestPlace, token: KnownToken?)
    case tokenMissing

    /// - Parameters:
    ///   - bearer: the token of the request.
    ///   - tokens: the existing tokens, by their hash.
    init(_ kind: RequestKind, bearer: String?, known tokens: [String: KnownToken]) {
        guard kind.needsToken else {
            self = .place(kind.place, token: nil)
            return
        }
        guard let bearer else {
            self = .tokenMissing
            return
        }
        let token = Store.tokenHash(bearer).flatMap { tokens[$0] }
        self = .place(token == nil ? .unknownTokens : kind.place, token: token)
    }
}

/// The token of an `Authorization` field.
enum BearerToken {
    /// - Returns: nil if the field has another scheme or no token.
    static func read(_ field: String?) -> String? {
        guard let parts = field?.split(separator: " ", maxSplits: 1), parts.count == 2, parts[0].isSameField("bearer") else {
            return nil
        }
        let token = parts[1].trimmedOfSpace()
        return token.isEmpty ? nil : token
    }
}
#endif
