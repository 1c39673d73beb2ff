#if Server
import BellerophonStore
import NIOHTTP1

/// What a request that the router works on is counted as. Each has a limit of its own: whoever fills one, by number or
/// by slowness, keeps nobody out of the others.
enum RequestPlace: Int, Sendable, CaseIterable {
    /// Publishing a status, rolling a resource back, and removing versions.
    case publishing
    /// Putting a resource, whose bytes may be long on their way.
    case uploads
    /// The journal, and the lists of scopes and resources.
    case operatorReads
    /// An operator's request of any kind whose token is not among those that the store had at the last look. It may have
    /// been made a moment ago, or made up.
    case unknownTokens
    /// `/metrics` and `/ready`.
    case figures
    case downloads
    case others

    /// What takes a token: nil for everything else, and for what the router refuses whoever asks.
    /// - Parameter path: the target without its query.
    init?(forOperators method: HTTPMethod, _ path: String) {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains("") else { return nil }
        let isResource = parts.count > 2 && parts.starts(with: ["v1", "resources"])
        switch method {
        case .PUT where Self.isStatus(parts): self = .publishing
        case .PUT where isResource && parts.count == 3: self = .uploads
        case .POST where isResource && parts.count == 4 && parts[3] == "rollback": self = .publishing
        case .DELETE where isResource && parts.count == 3 || parts == ["v1", "resources"]: self = .publishing
        case .GET where Self.isList(parts), .HEAD where Self.isList(parts): self = .operatorReads
        default: return nil
        }
    }

    /// `status`, `v1/apps/APP/status` or `v1/apps/APP/channels/CHANNEL/status`.
    private static func isStatus(_ parts: [Substring]) -> Bool {
        guard parts.last == "status" else { return false }
        switch parts.count {
        case 1: return true
        case 4: return parts.starts(with: ["v1", "apps"])
        case 6: return parts.starts(with: ["v1", "apps"]) && parts[3] == "channels"
        default: return false
        }
    }

    private static func isList(_ parts: [Substring]) -> Bool {
        parts == ["v1", "journal"] || parts == ["v1", "scopes"] || parts == ["v1", "resources"]
    }
}

/// Whether a request may take a place, and which, by the token that came with it. Whether the token allows what is asked
/// for, the router decides.
enum Admission: Equatable {
    /// - Parameter token: the name of the token, where it is known.
    case place(RequestPlace, token: String?)
    case tokenMissing

    /// - Parameters:
    ///   - bearer: the token that was presented.
    ///   - tokens: the names of the tokens there are, by the hash of each.
    init(_ kind: RequestKind, bearer: String?, known tokens: [String: String]) {
        guard kind.needsToken else {
            self = .place(kind.place, token: nil)
            return
        }
        guard let bearer else {
            self = .tokenMissing
            return
        }
        let name = Store.tokenHash(bearer).flatMap { tokens[$0] }
        self = .place(name == nil ? .unknownTokens : kind.place, token: name)
    }
}

/// The token of an `Authorization` field.
enum BearerToken {
    /// - Returns: nil where the field has another scheme, or no token.
    static func read(_ field: String?) -> String? {
        guard let parts = field?.split(separator: " ", maxSplits: 1), parts.count == 2, parts[0].isSameField("bearer") else {
            return nil
        }
        let token = parts[1].trimmedOfSpace()
        return token.isEmpty ? nil : token
    }
}
#endif
