import BellerophonStore

/// The kind of a problem, which programs branch on. Titles and texts may change; a kind never does.
package enum ProblemType: String, CaseIterable, Sendable {
    case invalidRequest = "invalid-request"
    case unauthorized
    case unknownToken = "unknown-token"
    case expiredToken = "expired-token"
    case forbidden
    case needsApproval = "needs-approval"
    case notGranted = "not-granted"
    case notFound = "not-found"
    case unknownApp = "unknown-app"
    case notSigned = "not-signed"
    case methodNotAllowed = "method-not-allowed"
    case tooSlow = "too-slow"
    case conflict
    case overtaken
    case standing
    case tooLarge = "too-large"
    case digestMismatch = "digest-mismatch"
    case withdrawn
    case tooManyRequests = "too-many-requests"
    case failed
    case damaged
    case busy
    case storeUnavailable = "store-unavailable"
    case unconfirmed
    case outcomeUnknown = "outcome-unknown"
    case storeFull = "store-full"

    private static let prefix = "urn:bellerophon:problem:"

    /// The member `type` of a problem's document (RFC 9457).
    package var uri: String { Self.prefix + rawValue }

    /// Nil for a type that this version does not know.
    package init?(uri: String) {
        guard uri.hasPrefix(Self.prefix) else { return nil }
        self.init(rawValue: String(uri.dropFirst(Self.prefix.count)))
    }

    package init(_ kind: StoreError.Kind) {
        self =
            switch kind {
            case .invalid: .invalidRequest
            case .withdrawn: .withdrawn
            case .notFound: .notFound
            case .needsApproval: .needsApproval
            case .unknownToken: .unknownToken
            case .expiredToken: .expiredToken
            case .forbidden: .forbidden
            case .notGranted: .notGranted
            case .conflict: .conflict
            case .overtaken: .overtaken
            case .standing: .standing
            case .digestMismatch: .digestMismatch
            case .busy: .busy
            case .unavailable, .newerStore: .storeUnavailable
            case .unconfirmed: .unconfirmed
            case .unknown: .outcomeUnknown
            case .full: .storeFull
            case .damaged: .damaged
            case .notPermitted, .notAStore, .broughtBack, .failed: .failed
            }
    }

    /// The code of the reply.
    package var code: Int { facts.code }
    /// The same for every problem of the type.
    var title: String { facts.title }

    private var facts: (code: Int, title: String) {
        switch self {
        case .invalidRequest: (400, "The request is not valid")
        case .unauthorized: (401, "A token is needed")
        case .unknownToken: (401, "The token is not known")
        case .expiredToken: (401, "The token has expired")
        case .forbidden: (403, "The token does not permit this")
        case .needsApproval: (403, "A second person is needed")
        case .notGranted: (403, "The token can't give this to another token")
        case .notFound: (404, "There is nothing with this name or path")
        case .unknownApp: (404, "Nothing was published for this app or channel")
        case .notSigned: (404, "There is no signed document")
        case .methodNotAllowed: (405, "The path does not support this method")
        case .tooSlow: (408, "The request took too long")
        case .conflict: (409, "The change conflicts with the store")
        case .overtaken: (412, "Another status was published meanwhile")
        case .standing: (412, "What stands has to be named to replace it")
        case .tooLarge: (413, "The body is too large")
        case .digestMismatch: (422, "The bytes have another digest")
        case .withdrawn: (400, "The request was given up")
        case .tooManyRequests: (429, "There are too many requests")
        case .failed: (500, "The server has failed")
        case .damaged: (500, "Stored data are damaged")
        case .busy: (503, "The server is busy")
        case .storeUnavailable: (503, "The store can't be changed")
        case .unconfirmed: (503, "The change is not confirmed by the standbys")
        case .outcomeUnknown: (504, "It is not known whether the change was made")
        case .storeFull: (507, "The store is full")
        }
    }

    /// The usual type of a reply with this code.
    package init(code: Int) {
        self = Self.allCases.first { $0.code == code } ?? (code < 500 || code == 501 ? .invalidRequest : .failed)
    }
}
