import BellerophonStore

/// Whether a request may take a slot, and of which kind, by its token. The endpoint checks what the token allows.
enum Admission: Equatable {
    /// - Parameter token: nil if it is unknown or not needed.
    case slot(RequestSlot, token: TokenRecord?)
    case tokenMissing

    /// - Parameters:
    ///   - bearer: the token of the request.
    ///   - tokens: the existing tokens, by their hash.
    init(_ endpoint: Endpoint, bearer: String?, known tokens: [String: TokenRecord]) {
        guard endpoint.needsToken else {
            self = .slot(endpoint.slot, token: nil)
            return
        }
        guard let bearer else {
            self = .tokenMissing
            return
        }
        let token = Store.tokenHash(bearer).flatMap { tokens[$0] }
        self = .slot(token == nil ? .unknownTokens : endpoint.slot, token: token)
    }
}

/// The token of an `Authorization` field.
enum BearerToken {
    /// - Returns: nil if the field has another scheme or no token.
    static func read(_ field: String?) -> String? {
        guard let parts = field?.split(separator: " ", maxSplits: 1), parts.count == 2, parts[0].lowercased() == "bearer" else {
            return nil
        }
        let token = parts[1].trimmedOfSpace()
        return token.isEmpty ? nil : token
    }
}
