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
    package var code: Int {
        switch self {
        case .invalidRequest, .withdrawn: 400
        case .unauthorized, .unknownToken, .expiredToken: 401
        case .forbidden, .needsApproval, .notGranted: 403
        case .notFound, .unknownApp, .notSigned: 404
        case .methodNotAllowed: 405
        case .tooSlow: 408
        case .conflict: 409
        case .overtaken, .standing: 412
        case .tooLarge: 413
        case .digestMismatch: 422
        case .tooManyRequests: 429
        case .failed, .damaged: 500
        case .busy, .storeUnavailable, .unconfirmed: 503
        case .outcomeUnknown: 504
        case .storeFull: 507
        }
    }

    /// The usual type of a reply with this code.
    package init(code: Int) {
        self = Self.allCases.first { $0.code == code } ?? (code < 500 || code == 501 ? .invalidRequest : .failed)
    }

    /// The same for every problem of the type.
    var title: String {
        switch self {
        case .invalidRequest: "The request is not valid"
        case .unauthorized: "A token is needed"
        case .unknownToken: "The token is not known"
        case .expiredToken: "The token has expired"
        case .forbidden: "The token does not permit this"
        case .needsApproval: "A second person is needed"
        case .notGranted: "The token can't give this to another token"
        case .notFound: "There is nothing with this name or path"
        case .unknownApp: "Nothing was published for this app or channel"
        case .notSigned: "There is no signed document"
        case .methodNotAllowed: "The path does not support this method"
        case .tooSlow: "The request took too long"
        case .conflict: "The change conflicts with the store"
        case .overtaken: "Another status was published meanwhile"
        case .standing: "What stands has to be named to replace it"
        case .tooLarge: "The body is too large"
        case .digestMismatch: "The bytes have another digest"
        case .withdrawn: "The request was given up"
        case .tooManyRequests: "There are too many requests"
        case .failed: "The server has failed"
        case .damaged: "Stored data are damaged"
        case .busy: "The server is busy"
        case .storeUnavailable: "The store can't be changed"
        case .unconfirmed: "The change is not confirmed by the standbys"
        case .outcomeUnknown: "It is not known whether the change was made"
        case .storeFull: "The store is full"
        }
    }
}
